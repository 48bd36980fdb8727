"""A real JupyterLab on a free port, with an empty folder of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

TOKEN = "test"
PATIENCE = 120.0  #: seconds to start on a busy machine
PACKAGES = Path(sys.prefix) / "share" / "jupyter"  #: kernels and extensions of this environment
#: No news, no questions, no tour: nothing that covers the notebook or needs a network.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Light"},
}


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Start JupyterLab in a folder; yields its address, to which `path?token=` is added."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "overrides").mkdir()
    (folder / "overrides" / "overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    here = {name: str(folder / name.lower()) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR")}
    here |= {"JUPYTER_DATA_DIR": str(folder / "data"), "JUPYTER_RUNTIME_DIR": str(folder / "run")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--ip=127.0.0.1", f"--IdentityProvider.token={TOKEN}"]
    command += [
        f"--ServerApp.root_dir={folder}",
        f"--LabServerApp.app_settings_dir={folder}/overrides",
    ]
    command += [f"--LabApp.app_settings_dir={folder}/overrides", "--LabApp.news_url="]
    with (folder / "lab.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env={**os.environ, **here}, start_new_session=True
        )
        try:
            _wait_for(
                f"http://127.0.0.1:{port}/api/status?token={TOKEN}", process, folder / "lab.log"
            )
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-2000:]}")


def notebook(file: Path, cells: Sequence[str]) -> None:
    """Write a notebook with these code cells."""
    found = [
        {"cell_type": "code", "id": f"c{number}", "metadata": {}, "outputs": [],
         "execution_count": None, "source": source}
        for number, source in enumerate(cells)
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": found, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file.write_text(json.dumps(whole), encoding="utf-8")
