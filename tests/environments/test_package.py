"""What is shipped: the wheel and the sdist, the container image, and the files around them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.environments.image import NEEDS, Image, instructions
from tests.environments.matrix import pythons

ROOT = Path(__file__).parents[2]
LARGEST = 10_000_000  #: bytes of the wheel
PATIENCE = 120.0  #: seconds for a server to start, on a machine that has compiled nothing yet


def project() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-workflows", ".github/workflows/tests.yml"),
        ("github-workflows", ".github/workflows/release.yml"),
        ("citation-file-format", "CITATION.cff"),
        ("compose-spec", "compose.yaml"),
    ],
)
def test_files_for_other_programs_keep_to_their_schema(schema: str, file: str) -> None:
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, ROOT / file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_version_everywhere() -> None:
    import plywise

    version = project()["version"]
    assert plywise.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_image_serves_what_the_project_has() -> None:
    """Every file that is copied is there, and is not left out by .dockerignore."""
    shown = (ROOT / ".dockerignore").read_text().split()
    steps = instructions((ROOT / "Dockerfile").read_text())
    copied = [name for word, rest in steps if word == "COPY" and "--from" not in rest
              for name in rest.split()[:-1]]  # fmt: skip
    assert copied
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in shown


# ---- in `make long` ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.long
def test_the_packages_are_complete_and_small(dist: Path) -> None:
    pytest.importorskip("twine")
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    check = [sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist)]
    subprocess.run(check, check=True, capture_output=True)
    assert wheel.stat().st_size < LARGEST
    shipped = set(zipfile.ZipFile(wheel).namelist())
    files = subprocess.run(["git", "ls-files", "src/plywise"], cwd=ROOT, capture_output=True,
                           text=True, check=True).stdout.split()  # fmt: skip
    assert {name.removeprefix("src/") for name in files} <= shipped
    assert any(name.startswith("plywise/examples/") for name in shipped)
    assert not any(name.startswith(("tests/", "bench/", "lab/")) for name in shipped)
    assert not any(name.endswith((".cu", ".cpp")) for name in shipped)
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "src/plywise/__init__.py"} <= names


@contextmanager
def serving(command: list[str], environment: dict[str, str] | None = None) -> Iterator[str]:
    """A server on a port of its own; the address, once it is healthy."""
    port = 20_000 + os.getpid() % 20_000
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen([*command, "--port", str(port)], env=environment)
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"{address}/health", timeout=5)
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def plays(address: str) -> None:
    """The home page comes, and a search answers."""
    page = urllib.request.urlopen(f"{address}/", timeout=30).read().decode()
    assert "plywise" in page
    kinds = json.load(urllib.request.urlopen(f"{address}/api/kinds", timeout=30))
    assert "connect4" in str(kinds)


@pytest.mark.long
@pytest.mark.parametrize("version", sorted(pythons()))
def test_an_empty_environment_plays_solves_and_serves(
    dist: Path, tmp_path: Path, version: str
) -> None:
    subprocess.run([pythons()[version], "-m", "venv", tmp_path / "venv"], check=True)
    bin = tmp_path / "venv" / "bin"
    (wheel,) = dist.glob("*.whl")
    pip = [bin / "python", "-m", "pip", "install", "--quiet", "--only-binary", "numba,numpy"]
    done = subprocess.run([*pip, wheel], capture_output=True, text=True, check=False)
    if "No matching distribution found for num" in done.stderr:
        pytest.skip(f"numba or numpy has no package for Python {version} yet")
    assert done.returncode == 0, done.stderr[-2000:]
    home = {**os.environ, "PLYWISE_DATA": str(tmp_path / "data"), "PYTHONPATH": ""}
    home["PLYWISE_CACHE"] = str(tmp_path / "cache")

    def run(*arguments: str) -> dict[str, object]:
        done = subprocess.run([bin / "plywise", *arguments, "--json"], capture_output=True,
                              text=True, check=True, env=home, cwd=tmp_path)  # fmt: skip
        found: dict[str, object] = json.loads(done.stdout)
        return found

    assert run("match", "tictactoe", "auto", "random", "--games", "4")["losses"] == 0
    assert run("solve", "connect4")["outcome"] == "win"
    report = [bin / "plywise", "report", "tictactoe"]  # only a checkout has it
    done = subprocess.run(report, capture_output=True, text=True, check=False, env=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("plywise: unknown command 'report': choose from ")
    with serving([str(bin / "plywise"), "serve"], home) as address:
        plays(address)


@pytest.mark.long
@pytest.mark.skipif(
    not all(map(shutil.which, NEEDS)) or os.geteuid() != 0,
    reason="follows the Dockerfile in a clean root: needs root, debootstrap and bubblewrap",
)
def test_the_image_is_built_and_serves(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.build(ROOT / "Dockerfile")
    assert image.command[-2:] == ["--host", "0.0.0.0"]  # Docker's network is the container's own
    with serving(image.inside([*image.command[:-1], "127.0.0.1"])) as address:
        plays(address)
        check = [word.replace(f":{image.port}/", f":{address.rpartition(':')[2]}/")
                 for word in image.health]  # fmt: skip
        subprocess.run(image.inside(check), check=True)
