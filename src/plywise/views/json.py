"""A Scene as JSON: what a page in a browser draws."""

from __future__ import annotations

import json

from plywise.core.scene import Scene


def draw_json(scene: Scene) -> str:
    """One object on one line."""
    return json.dumps(scene.to_json(), ensure_ascii=False, allow_nan=False)
