"""Long work in a real kernel: it shows a bar and stops on an interrupt; then all goes on."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from plywise.core import progress as bars
from plywise.core.analysis import Limits
from plywise.core.progress import progress
from plywise.engines.driver import Run
from plywise.jit import background as compiling
from plywise.jit.background import undisturbed
from tests.docs.pages import TUTORIALS
from tests.docs.tutorials import code_cells
from tests.notebook.kernel import Kernel, Message, error_of, kernel, printed, shown, values_of

READY = """
import plywise
from lab.papers.report import measure, prepare
from plywise.puzzles.slither.generator import Wish, generate
game, AGENTS = plywise.game("tictactoe"), ("minimax:depth=9", "textbook:depth=9")
"""
ENDLESS = "plywise.match(game, *AGENTS, games=10**6)"


@pytest.fixture(scope="module")
def running() -> Iterator[Kernel]:
    with kernel() as found:
        assert error_of(found.run(READY)) is None
        yield found


def interrupted(running: Kernel, code: str) -> list[str]:
    """Run a cell and interrupt it as soon as it shows a bar; returns what it showed."""

    def hear(message: Message) -> None:
        if message["msg_type"] == "display_data":
            running.interrupt()

    heard = running.run(code, hear)
    assert error_of(heard) == "KeyboardInterrupt"
    return shown(heard)


@pytest.mark.slow
def test_a_match_shows_a_bar_and_stops(running: Kernel) -> None:
    first, *_, last = interrupted(running, ENDLESS)
    assert '<progress value="' in first
    assert 'max="1000000"' in first
    assert last == ""  # the bar is gone
    assert printed(running.run("plywise.match(game, *AGENTS, games=2).draws")) == "2"
    assert shown(running.run("plywise.solve(game.start())")) == []  # too short for a bar


@pytest.mark.slow
def test_the_tutorial_runs_and_its_boards_are_widgets(running: Kernel) -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    notebook = json.loads((TUTORIALS / "notebook-boards.ipynb").read_text(encoding="utf-8"))
    heard = [running.run("".join(cell["source"])) for cell in code_cells(notebook)]
    assert [error_of(each) for each in heard] == [None] * len(heard)
    kinds = [list(value["data"]) for each in heard for value in values_of(each)]
    boards = [kind for kind in kinds if "application/vnd.jupyter.widget-view+json" in kind]
    assert len(boards) == 2
    assert sum("text/html" in kind for kind in kinds) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    "code",
    [
        "plywise.review(plywise.game('snails').position('u'), limits=plywise.Limits(time=60))",
        "plywise.solve(plywise.game('connect4:rows=7,cols=8').start(), book=False)",
        "measure(prepare(game, AGENTS, games=10**5))",
        "generate(Wish(50, 50))",
    ],
)  # fmt: skip
def test_all_long_work_does(running: Kernel, code: str) -> None:
    assert interrupted(running, code)[-1] == ""
    assert printed(running.run("plywise.solve(game.start()).outcome")) == "'draw'"


@pytest.mark.long
@pytest.mark.parametrize("engine", ["alphabeta", "mcts"])
def test_interrupting_the_compiler_breaks_nothing(
    engine: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cold = tmp_path_factory.mktemp("cold")
    search = (
        f"plywise.engine({engine!r}, game).search(game.start(), plywise.Limits(nodes=500)).best"
    )
    with kernel() as found:
        found.run(f"import os; os.environ['PLYWISE_CACHE'] = {str(cold)!r}; {READY.strip()}")
        late = "threading.Timer(1.0, lambda: os.kill(os.getpid(), 2)).start()"
        assert error_of(found.run(f"import threading\n{late}\n{search}")) == "KeyboardInterrupt"
        again = found.run(search)
        assert error_of(again) is None
        assert printed(again) == "'b2'"


@pytest.mark.long
def test_a_module_that_searches_while_it_is_imported(
    running: Kernel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its import is not waited for by the thread that compiles."""
    folder = tmp_path_factory.mktemp("modules")
    search = "plywise.solve(plywise.game('snails').start(), plywise.Limits(nodes=1))"
    running.run(f"import sys; sys.path.insert(0, {str(folder)!r})")
    for name in ("searching_once", "searching_twice"):
        (folder / f"{name}.py").write_text(f"import plywise\nFOUND = {search}\n", encoding="utf-8")
        assert printed(running.run(f"import {name}; {name}.FOUND.nodes > 0")) == "True"


# ---- without a kernel ----------------------------------------------------------------------


def interrupt_the_wait() -> None:
    """Interrupt the main thread once it waits: not while it starts a thread and holds its locks."""
    main = threading.main_thread().ident or 0
    names: set[str] = set()
    while "wait" not in names or "start" in names:
        time.sleep(0.01)
        stack = traceback.walk_stack(sys._current_frames()[main])
        names = {frame.f_code.co_name for frame, _ in stack}
    signal.pthread_kill(main, signal.SIGINT)


def test_an_interrupt_ends_the_wait_but_not_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "in_notebook", lambda: True)
    interrupted, done = threading.Event(), threading.Event()

    def work() -> str:
        assert threading.current_thread() is not threading.main_thread()
        interrupt_the_wait()
        assert interrupted.wait(60)
        done.set()
        return "compiled"

    with pytest.raises(KeyboardInterrupt):
        undisturbed(work)
    interrupted.set()
    assert done.wait(60)
    assert undisturbed(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        undisturbed(lambda: 1 / 0)


def test_a_search_that_compiles_is_left_at_once_and_never_begins() -> None:
    compiled, ended, searched = threading.Event(), threading.Event(), threading.Event()

    def compile_slowly() -> None:
        interrupt_the_wait()
        assert compiled.wait(60)

    def job() -> None:
        try:
            undisturbed(compile_slowly)
            searched.set()
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt):
        Run(Limits()).call([job])
    assert not ended.is_set()  # it still compiles
    compiled.set()
    assert ended.wait(60)
    assert not searched.is_set()
    assert Run(Limits()).call([lambda: undisturbed(lambda: 7)]) == [7]


def test_elsewhere_the_compiler_stays_in_its_thread() -> None:
    assert undisturbed(threading.current_thread) is threading.current_thread()


def test_a_bar_only_for_the_work_of_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(bars, "SOON", 0.0)
    monkeypatch.setattr(bars, "TICK", 0.001)
    monkeypatch.setattr(bars._Bar, "_show", lambda self, html, text: drawn.append(html))

    def work() -> None:
        for _ in range(1_000):
            with progress("part", 3) as part, progress("nested", 5) as nested:
                part("part 1")
                nested("nested 1")
            if drawn:
                return

    work()
    assert drawn == []  # this is not a notebook
    monkeypatch.setattr(bars, "in_notebook", lambda: True)
    beside = threading.Thread(target=work)
    beside.start()
    beside.join()
    assert drawn == []
    work()
    assert drawn
    assert not any("nested" in html for html in drawn)
    assert not bars._Bar.shown
