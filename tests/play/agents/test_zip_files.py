"""Agents in zip files: helpers and data come along, and nothing in a zip file is believed."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

import plywise
from plywise.arena.plan import read_plan
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.play.agents import zip_file
from plywise.play.agents.program import Program
from plywise.play.agents.sandbox import Sandbox, unavailable
from plywise.play.agents.zip_file import FOLDER, unpacked
from tests.core.refusals import one_line
from tests.play.agents.making import SOON

AGENT = "def get_move(state, player):\n    return state.legal[0]\n"
WITH_HELPERS = {
    "hand-in/agent.py": "import pathlib\nimport helper\n\ndef get_move(state, player):\n"
    "    data = pathlib.Path(__file__).with_name('data') / 'move.txt'\n"
    "    return helper.choose(data.read_text())\n",
    "hand-in/helper.py": "def choose(text):\n    return text.strip()\n",
    "hand-in/data/move.txt": "b2\n",
    "__MACOSX/hand-in/._agent.py": "rubbish",
    "hand-in/.DS_Store": "rubbish",
}


def zipped(folder: Path, files: dict[str, str], name: str = "anna.zip", **modes: int) -> Path:
    """Write a zip file; `modes` are file types, by the name of the file without its ending."""
    file = folder / name
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (modes.get(path.partition(".")[0], stat.S_IFREG) | 0o644) << 16
            packed.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return file


@pytest.mark.slow
@pytest.mark.parametrize("sandboxed", [pytest.param(False, marks=pytest.mark.long), True])
def test_an_agent_with_a_helper_and_data_plays(tmp_path: Path, sandboxed: bool) -> None:
    if sandboxed and (reason := unavailable()) is not None:
        pytest.skip(reason)
    game = plywise.game("tictactoe")
    file = zipped(tmp_path, WITH_HELPERS)
    (tmp_path / "secret.txt").write_text("c3")
    sandbox = Sandbox((str(tmp_path),)) if sandboxed else None
    program = Program(Spec.parse(str(file)), game, sandbox=sandbox, fresh=True)
    assert program.ask(game.start(), SOON).best == "b2"
    program.close()
    # Others are out of sight, also those that were unpacked beside it.
    spying = "import glob\n\ndef get_move(state, player):\n"
    spying += f"    raise ValueError(len(glob.glob({str(tmp_path / FOLDER)!r} + '/*')))\n"
    spy = zipped(tmp_path, {"main.py": spying}, "ben.zip")
    program = Program(Spec.parse(str(spy)), game, sandbox=sandbox)
    with pytest.raises(plywise.AgentError, match="ValueError: 1" if sandboxed else "ValueError: 2"):
        program.ask(game.start(), SOON)
    program.close()


def test_it_is_unpacked_once_and_again_when_it_changes(tmp_path: Path) -> None:
    file = zipped(tmp_path, {"agent.py": AGENT, "helper.py": ""})
    one = unpacked(file)
    before = one.stat()
    assert one.read_text() == AGENT
    assert unpacked(file) == one
    assert one.stat() == before
    zipped(tmp_path, {"agent.py": AGENT + "\n", "helper.py": ""})
    two = unpacked(file)
    assert two != one
    assert two.read_text() == AGENT + "\n"
    assert not [each for each in (tmp_path / FOLDER).iterdir() if each.name.startswith("part")]


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({"mine.py": AGENT, "_helper.py": "", "notes.txt": ""}, "mine.py"),
        ({"anna.py": AGENT, "tools.py": ""}, "anna.py"),
        ({"a/b/main.py": AGENT, "a/b/tools.py": ""}, "main.py"),
    ],
)
def test_which_file_is_the_agent(tmp_path: Path, files: dict[str, str], chosen: str) -> None:
    assert unpacked(zipped(tmp_path, files)).name == chosen


LIMITS = {"MOST_BYTES": 10_000, "MOST_FILES": 5, "MOST_PACKED": 5_000}


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"../agent.py": AGENT}, "'../agent.py' leads out of its folder"),
        ({"a/../../agent.py": AGENT}, "leads out of its folder"),
        ({"/etc/agent.py": AGENT}, "leads out of its folder"),
        ({"c:\\agent.py": AGENT}, "leads out of its folder"),
        ({"agent.py": AGENT, "link.txt": "/etc/passwd"}, "'link.txt' is a link"),
        ({"agent.py": AGENT, "pipe.txt": ""}, "'pipe.txt' is not a plain file"),
        ({"agent.py": AGENT, "bomb.txt": "0" * 20_000}, "contains more than 10,000 bytes"),
        ({f"{number}.py": "" for number in range(6)}, "it has 6 files (limit 5)"),
        ({"agent.py": AGENT, "x" * 201: ""}, "is longer than 200 characters"),
        ({"agent.py": AGENT, "agent.py/more.py": ""}, "File exists"),
        ({"notes.txt": ""}, "there is no Python file in it"),
        ({"one.py": AGENT, "two.py": AGENT}, "which of one.py, two.py is the agent?"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], problem: str
) -> None:
    for name, limit in LIMITS.items():
        monkeypatch.setattr(zip_file, name, limit)
    folder = tmp_path / "class"
    folder.mkdir()
    file = zipped(folder, files, link=stat.S_IFLNK, pipe=stat.S_IFIFO)
    with pytest.raises(SpecError) as refused:
        unpacked(file)
    one_line(refused.value)
    assert problem in str(refused.value)
    assert str(refused.value).startswith("anna.zip cannot be used: ")
    assert str(refused.value).count("cannot be used") == 1
    assert os.listdir(tmp_path) == ["class"]
    left = [each for each in (folder / FOLDER).iterdir() if each.name.startswith("part")]
    assert not left


def test_what_is_not_a_zip_file_or_lies_about_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in LIMITS.items():
        monkeypatch.setattr(zip_file, name, limit)
    file = tmp_path / "anna.zip"
    for data, problem in (
        (b"nonsense", "not a zip file that can be read"),
        (bytes(6000), "it has 6,000 bytes (limit 5,000)"),
    ):
        file.write_bytes(data)
        with pytest.raises(SpecError) as refused:
            unpacked(file)
        assert problem in str(refused.value)
    file = zipped(tmp_path, {"agent.py": AGENT, "bomb.txt": "0" * 20_000})
    data = bytearray(file.read_bytes())
    size = (20_000).to_bytes(4, "little")
    while (at := data.find(size)) >= 0:  # in both headers
        data[at : at + 4] = (10).to_bytes(4, "little")
    file.write_bytes(data)
    with pytest.raises(SpecError, match="not a zip file that can be read"):
        unpacked(file)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("agent.py", AGENT)
    with pytest.raises(SpecError, match="packed in an unusual way"):
        unpacked(file)


def test_a_folder_of_hand_ins(tmp_path: Path) -> None:
    zipped(tmp_path, {"agent.py": AGENT})
    (tmp_path / "ben.py").write_text(AGENT)
    plan = read_plan(tmp_path, {"game": "tictactoe"})
    assert [entry.name for entry in plan.agents] == ["anna", "ben"]
    before = plan.agents[0].digest
    zipped(tmp_path, {"agent.py": AGENT, "new.py": ""})
    assert plan.agents[0].digest != before
