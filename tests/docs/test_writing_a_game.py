"""The game of docs/writing-a-game.md: exactly its text, against a plain minimax of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.testing import check_game, check_keys, random_games
from tests.docs.pages import DOCS, ROOT, blocks, kept_file, the_game
from tests.levels import sampled

Cell = tuple[int, int]
STEPS = ((1, 0), (0, 1))  #: of the two players' dominoes: up, right


@pytest.fixture
def mygame() -> str:
    return str(kept_file("mygame.py", the_game()))


@pytest.fixture
def improved() -> str:
    return str(kept_file("improved.py", improved_game()))


def improved_game() -> str:
    """The game with everything that the page adds in the end."""
    page = DOCS / "writing-a-game.md"
    python = [block.text for block in blocks(page, "python") if ">>>" not in block.text]
    *additions, named = [text for text in python if text.strip() not in the_game()]
    old = next(line for line in the_game().splitlines(keepends=True) if "rules=" in line)
    before, game = the_game().replace(old, named).split("GAME = ")
    return "\n\n".join([before, *additions, f"GAME = {game}"])


def domino(start: Cell, player: int) -> set[Cell]:
    return {start, (start[0] + STEPS[player][0], start[1] + STEPS[player][1])}


@cache
def result(free: frozenset[Cell], player: int) -> tuple[bool, int]:
    """Does the player to move win, and in how many plies? The winner hurries, the loser waits."""
    dominoes = [domino(start, player) for start in free]
    children = [result(free - cells, 1 - player) for cells in dominoes if cells <= free]
    lost = [plies for won, plies in children if not won]
    if lost:
        return True, 1 + min(lost)
    return False, 1 + max((plies for _, plies in children), default=-1)


@cache
def wins(free: frozenset[Cell], player: int) -> bool:
    """The same without the plies: much less work."""
    dominoes = (domino(start, player) for start in sorted(free))
    return any(not wins(free - cells, 1 - player) for cells in dominoes if cells <= free)


def board(rows: int, cols: int) -> frozenset[Cell]:
    return frozenset(product(range(rows), range(cols)))


def cell(text: str) -> Cell:
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


def analyze(mygame: str, *more: str) -> Any:
    """What the command says, in a process of its own and in the file's folder."""
    command = [sys.executable, "-m", "plywise", "analyze", *more, "--json"]
    where = Path(mygame).parent
    return json.loads(subprocess.run(command, cwd=where, capture_output=True, check=True).stdout)


def test_the_file_is_short() -> None:
    assert len(the_game().splitlines()) < 80
    assert max(map(len, the_game().splitlines())) <= 100


def test_every_step_shows_a_piece_of_the_file() -> None:
    page = (DOCS / "writing-a-game.md").read_text(encoding="utf-8")
    steps = page.partition("## Step by step")[2].partition("## Check it")[0]
    shown = [block for block in blocks(DOCS / "writing-a-game.md", "python") if block.text in steps]
    assert len(shown) >= 9
    for block in shown:
        assert block.text.startswith(">>>") or block.text in the_game(), block.name


@pytest.mark.slow
@pytest.mark.parametrize("moves", sampled(["b2 d3 d1 a1", ""], every=2))
def test_no_file_is_needed(moves: str, tmp_path: Path) -> None:
    """As in a notebook: the text is nowhere on the disk."""
    lines = [
        the_game(),
        "import plywise",
        "game = GAME()",
        "engine = plywise.engine('alphabeta:depth=25', game)",
        f"found = engine.search(game.position({moves!r}))",
        "print(found.outcome, found.plies_to_end)",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env={**os.environ, "PLYWISE_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    free = board(5, 5)
    for number, move in enumerate(moves.split()):
        free -= domino(cell(move), number % 2)
    won, plies = result(free, 0)
    assert done.stdout.split() == ["win" if won else "loss", str(plies)]


@pytest.mark.slow
def test_analyze_finds_what_minimax_finds(mygame: str) -> None:
    won, plies = result(board(4, 4), 0)
    analysis = analyze(mygame, "./mygame.py:rows=4,cols=4")
    assert (analysis["outcome"], analysis["plies_to_end"]) == ("win" if won else "loss", plies)
    free, player = board(4, 4), 0
    for number, move in enumerate(analysis["pv"], 1):
        free, player = free - domino(cell(move), player), 1 - player
        assert result(free, player) == (won if number % 2 == 0 else not won, plies - number)
    assert len(analysis["pv"]) == plies


@pytest.mark.slow
def test_analyze_by_default(mygame: str) -> None:
    """On 5 x 5 the second player wins: the fact that the page begins with."""
    analysis = analyze(mygame, "./mygame.py", "--time", "600")  # or until it is proved
    assert analysis["outcome"] == ("win" if wins(board(5, 5), 0) else "loss") == "loss"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mygame", "improved"])
def test_every_position_of_a_small_board(name: str, request: pytest.FixtureRequest) -> None:
    file = request.getfixturevalue(name)
    game = plywise.game(f"{file}:rows=3,cols=4")
    engine = plywise.engine("alphabeta", game)
    for positions in random_games(game, games=40, seed=5).games:
        free = board(3, 4)
        for position, after in zip(positions, (*positions[1:], None), strict=True):
            if after is None:
                assert position.margin == (-1 if position.turn == 0 else 1)
                continue
            legal = {cell(move) for move in position.legal}
            turn = position.turn
            assert legal == {start for start in free if domino(start, turn) <= free}
            analysis = engine.search(position, plywise.Limits(depth=6))
            won, plies = result(free, turn)
            assert analysis.outcome == ("win" if won else "loss")
            assert analysis.plies_to_end == plies
            free -= domino(cell(after.moves[-1]), turn)


@pytest.mark.slow
def test_it_keeps_every_law(mygame: str) -> None:
    for size in ("", ":rows=1,cols=1", ":rows=1,cols=6", ":rows=7,cols=7"):
        check_game(mygame + size, games=10)


@pytest.mark.slow
def test_the_improved_game_keeps_every_law(improved: str) -> None:
    assert not {"bounds", "evaluation"} & set(check_game(improved))
    check_keys(random_games(f"{improved}:rows=7,cols=7", games=5))


@pytest.mark.slow
def test_the_improvements_improve(mygame: str, improved: str) -> None:
    """Fewer positions, as the page says."""
    nodes = []
    for file in (mygame, improved):
        game = plywise.game(file)
        search = plywise.engine("alphabeta", game).search(game.start(), plywise.Limits(depth=12))
        proof = plywise.engine("proof", game).search(game.start(), plywise.Limits(nodes=10**7))
        assert search.outcome == proof.outcome == "loss"
        nodes.append((search.nodes, proof.nodes))
    assert nodes[1][0] < nodes[0][0]
    assert nodes[1][1] < nodes[0][1]


def test_the_board_of_any_size_is_that_of_the_example() -> None:
    shown = [block.text for block in blocks(DOCS / "writing-a-game.md", "text")]
    (snippet,) = [text for text in shown if "s.group" in text]
    example = (ROOT / "examples" / "hex.py").read_text()
    for part in snippet.split("\n\n"):
        assert part.strip() in example
