"""Laws of notation: what is written can be read again, with the same meaning."""

from __future__ import annotations

from plywise.core.position import Position
from plywise.errors import MoveError
from plywise.testing.sample import Sample, demand, differences, outlook

ENOUGH = 60  #: positions of a sample to check
ON = 8  #: plies to play on from a position that was read


def check_move_texts(sample: Sample) -> None:
    """Check that move texts are distinct and read back as the same moves, alone and in a game."""
    game = sample.game
    for position in sample.some(ENOUGH):
        _check_moves_of(position)
    seen = set[int]()
    for position in sample:  # every move at least once, such as a pass that is rare
        if not position.over and not seen.issuperset(position.legal_codes):
            seen.update(position.legal_codes)
            _check_moves_of(position)
    for positions in sample.games:
        last = positions[-1]
        text = game.join_moves(last.moves)
        again = game.split_moves(text)
        demand(again == last.moves, "move texts", last, f"{text!r} is split into {again}")


def _check_moves_of(position: Position) -> None:
    texts = position.legal
    demand(len(set(texts)) == len(texts), "move texts", position, f"two are the same: {texts}")
    for move, text in zip(position.legal_codes, texts, strict=True):
        for written in (text, f" {text} "):
            try:
                read = position.code_of(written)
            except MoveError as error:
                demand(False, "move texts", position, f"it is written, but not read: {error}")
            demand(read == move, "move texts", position, f"{written!r} is read as {read}")


def check_position_texts(sample: Sample) -> None:
    """Check that a position read from its text is the same, also when play continues."""
    game, rng = sample.game, sample.random()
    ends = [positions[-1] for positions in sample.games]
    for position in sample.some(ENOUGH) + ends[:ENOUGH]:
        text = position.text
        read = game.from_text(text)
        demand(read.text == text, "position texts", position, f"{text!r} became {read.text!r}")
        original: Position = position
        for _ in range(ON):
            changed = differences(outlook(original), outlook(read))
            demand(not changed, "position texts", original, f"read from {text!r}: {changed}")
            if original.over:
                break
            move = rng.choice(original.legal_codes)
            original, read = original.play_code(move), read.play_code(move)


def check_words(sample: Sample) -> None:
    """Check that there is a drawing, and a one-line reason and correct scores at the end."""
    for position in sample.some(ENOUGH):
        demand(str(position).strip() or not position.moves, "words", position, "draw gave no text")
        demand(position.reason is None, "words", position, "a reason, but the game is not over")
    for positions in sample.games:
        last = positions[-1]
        reason = last.reason or ""
        one_line = len(reason.splitlines()) == 1
        demand(one_line, "words", last, f"the reason {reason!r} is not one line")
        if last.scores is not None:
            first, second = last.scores
            fits = not last.game.points or first - second == last.margin
            demand(fits, "words", last, f"scores {last.scores}, but the margin is {last.margin}")
