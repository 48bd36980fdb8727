"""A refused request has a status, and a reason that the metrics count it under."""

from __future__ import annotations

import pytest

from plywise.web.errors import REASONS, NotFound, Refusal, TooMany


@pytest.mark.parametrize(
    ("refusal", "status", "reason"),
    [
        (Refusal("no"), 422, REASONS[422]),
        (Refusal("no", 503), 503, REASONS[503]),
        (Refusal("no", 418), 418, "418"),
        (Refusal("no", 403, "not allowed to move"), 403, "not allowed to move"),
        (NotFound("no"), 404, REASONS[404]),
        (TooMany("no", "games"), 429, "too many games"),
        (TooMany("no"), 429, "too many"),
    ],
)
def test_status_and_reason(refusal: Refusal, status: int, reason: str) -> None:
    assert (str(refusal), refusal.status, refusal.reason) == ("no", status, reason)
