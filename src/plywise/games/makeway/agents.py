"""The paper's own agent: alpha-beta to depth 2 on series of lines, and the big dots secured."""

from __future__ import annotations

from collections.abc import Sequence

from plywise.core.game import AgentType, Game, Heuristic, Record
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.games.makeway.board import has
from plywise.jit import rule

WIN = 1e6  #: the value of a won game, less its plies
CUT = 1e5  #: the value when a side can no longer join the big dots
SERIES = 1.3  #: the exponent for the reach of a series of lines
BIG = 1.4  #: ... if it touches a big dot
BACK = 2  #: dots that a series may go backward and still count double
OWN = 10.0  #: the weight of own lines against the opponent's
BLOCK = 5.0  #: the weight of the opponent's lines for a player who is cut off
SECURED = 5  #: within so many turns it takes a line at each big dot


@rule
def score(b: Record, s: Record, player: int) -> float:
    """Ten for own lines, one for the opponent's; a player who is cut off only blocks."""
    other = 1 - player
    if s.cut[player] == 1:
        return -CUT - BLOCK * side_value(b, s, other)
    value = OWN * side_value(b, s, player) - side_value(b, s, other)
    return CUT + value if s.cut[other] == 1 else value


@rule
def side_value(b: Record, s: Record, player: int) -> float:
    """Score how far each series of lines reaches, and how far the lines go in x."""
    last = b.dots - 1
    start_pos = highest(b, s, player, 0)
    end_pos = s.part[player, last]
    value = 0.0
    for low in range(b.dots):
        if s.part[player, low] != low:
            continue
        high = highest(b, s, player, low)
        if high == low:
            continue
        reach = float(high - low) ** (BIG if low == 0 or high == last else SERIES)
        inside = low >= start_pos - BACK and high <= end_pos + BACK
        value += 2.0 * reach if inside else reach
    for line in range(b.lines):
        if has(s.own[player], line):
            value += abs(b.x[b.ends[line, 1]] - b.x[b.ends[line, 0]])
    return value


@rule
def highest(b: Record, s: Record, player: int, low: int) -> int:
    """The highest dot of the series whose lowest dot this is."""
    dot = b.dots - 1
    while s.part[player, dot] != low:
        dot -= 1
    return dot


class Seed(Textbook):
    """Searches every line by itself; by its fifth turn it takes a line at each big dot."""

    weighs_all = True

    def __init__(self, game: Game, depth: int) -> None:
        super().__init__(game, meet, depth, "seed")
        self.name = format_spec("seed", {"depth": depth})

    def pick(self, position: Position, scored: Sequence[tuple[int, Result]]) -> int:
        """The first of the best lines; when it is time, only lines at a big dot without one."""
        values = [result.value for _, result in scored]
        best = max(values)
        due = set(due_lines(position))
        # A decided result comes before any plan.
        sound = [
            value
            for (line, _), value in zip(scored, values, strict=True)
            if line in due and value > -CUT
        ]
        return values.index(best) if best > CUT or not sound else _first(scored, due, max(sound))


def _first(scored: Sequence[tuple[int, Result]], among: set[int], value: float) -> int:
    return next(
        index
        for index, (line, result) in enumerate(scored)
        if line in among and result.value == value
    )


def due_lines(position: Position) -> list[int]:
    """The free lines at big dots that the mover has to secure now; empty if there is time."""
    b, s = position.game.board, position.state
    own = s.own[position.turn]
    at = {
        dot: [int(b.by[slot]) for slot in range(int(b.first[dot]), int(b.first[dot + 1]))]
        for dot in (0, int(b.dots) - 1)
    }
    bare = [lines for lines in at.values() if not any(has(own, line) for line in lines)]
    turns = sum(int(word).bit_count() for word in own)
    if not bare or not SECURED - len(bare) <= turns < SECURED:
        return []
    return [line for line in position.legal_codes if any(line in lines for lines in bare)]


HEURISTICS = {
    "seed": Heuristic(score, WIN, "the paper's: series of lines, 10 x own less the opponent's"),
}
AGENTS = {
    "seed": AgentType(
        Seed,
        (Parameter("depth", 2, "plies to look ahead", low=1, high=8),),
        "the paper's own: alpha-beta on series of lines",
    )
}
