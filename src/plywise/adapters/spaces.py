"""The space of observations, which PettingZoo and Gymnasium share."""

from __future__ import annotations

import numpy as np

from plywise.adapters.missing import missing
from plywise.adapters.single import Single

try:
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium") from error


def observation_space(single: Single) -> spaces.Dict:
    """Return the space of what `Single.observe` returns."""
    mask = spaces.Box(0, 1, (single.game.max_moves,), np.int8)
    planes = spaces.Box(np.zeros_like(single.high), single.high, dtype=np.uint8)
    return spaces.Dict({"observation": planes, "action_mask": mask})
