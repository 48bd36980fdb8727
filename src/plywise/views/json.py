"""Writes a Scene as JSON, for the page in a browser."""

from __future__ import annotations

import json

from plywise.core.scene import Scene


def draw_json(scene: Scene) -> str:
    """Write a Scene as one JSON object on one line."""
    return json.dumps(scene.to_json(), ensure_ascii=False, allow_nan=False)
