"""A framework that is not installed gets one line that says how to install it."""

from __future__ import annotations

import importlib
import sys

import pytest

from plywise.errors import to_install


@pytest.mark.parametrize(
    ("module", "package"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")],
)
def test_a_missing_package(module: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # importing it fails
    monkeypatch.delitem(sys.modules, f"plywise.adapters.{module}", raising=False)
    said = package.replace("pyspiel", "open_spiel")
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"plywise.adapters.{module}")
    assert str(caught.value) == f"{said} is not installed: {to_install('adapters')}"
