"""The paper's own agent: alpha-beta to depth 2 on series of lines, and the big dots secured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from plywise.core.game import AgentType, Game, Heuristic, Record
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.jit import rule
from plywise.jit.bits import has

WIN = 1e6  #: the value of a won game, less its plies
CUT = 1e5  #: the value when a side can no longer join the big dots
SERIES = 1.3  #: the exponent for the reach of a series of lines
BIG = 1.4  #: ... if it touches a big dot
BACK = 2  #: dots that a series may go backward and still count double
OWN = 10.0  #: the weight of own lines against the opponent's
BLOCK = 5.0  #: the weight of the opponent's lines for a player who is cut off
SECURED = 5  #: within so many turns it takes a line at each big dot

#: What the paper added to its scoring, one after the other, each against a fault of the last.
STAGES = (
    "lengths in x, own less the opponent's",
    "series to the power 1.3",
    "double between start_pos and end_pos",
    "two dots further on both sides",
    "the power 1.4 at a big dot",
    "both big dots within five turns",
    "ten times the own side",
    "only blocks once it is cut off",
)


@cache
def scoring(stage: int) -> Heuristic:
    """Return the paper's scoring as it was at a stage, see `STAGES`; the last one is the whole.

    Ten for own lines, one for the opponent's; a player who is cut off only blocks.
    """
    series = 1.0 if stage >= 2 else 0.0
    double = 2.0 if stage >= 3 else 1.0
    back = BACK if stage >= 4 else 0
    big = BIG if stage >= 5 else SERIES
    own = OWN if stage >= 7 else 1.0
    cut_own, cut_other = (0.0, BLOCK) if stage >= 8 else (own, 1.0)

    @rule
    def score(b: Record, s: Record, player: int) -> float:
        mine = side_value(b, s, player, series, double, back, big)
        theirs = side_value(b, s, 1 - player, series, double, back, big)
        if s.cut[player] == 1:
            return cut_own * mine - cut_other * theirs - CUT
        value = own * mine - theirs
        return CUT + value if s.cut[1 - player] == 1 else value

    # Known to the module by a name of its own, so that it can be pickled.
    score.__qualname__ = f"score_{stage}"
    globals()[score.__qualname__] = score
    return Heuristic(score, WIN, "the paper's: series of lines, 10 x own less the opponent's")


@rule
def side_value(
    b: Record, s: Record, player: int, series: float, double: float, back: int, big: float
) -> float:
    """Score how far each series of lines reaches, and how far the lines go in x.

    `series` is the weight of a series, times `double` if it lies between what is joined to the
    big dots, give or take `back` dots; `big` is the exponent of one that touches a big dot.
    """
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
        reach = series * float(high - low) ** (big if low == 0 or high == last else SERIES)
        inside = low >= start_pos - back and high <= end_pos + back
        value += double * reach if inside else reach
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

    def __init__(self, game: Game, depth: int, stage: int = len(STAGES)) -> None:
        super().__init__(game, meet, depth, scoring(stage))
        self.secures = stage >= 6
        earlier = stage if stage < len(STAGES) else None
        self.name = format_spec("seed", {"depth": depth, "stage": earlier})

    def pick(self, position: Position, scored: Sequence[tuple[int, Result]]) -> int:
        """The first of the best lines; when it is time, only lines at a big dot without one."""
        values = [result.value for _, result in scored]
        best = max(values)
        due = set(due_lines(position)) if self.secures else set()
        sound = [at for at, (line, _) in enumerate(scored) if line in due and values[at] > -CUT]
        if best > CUT or not sound:  # a decided result comes before any plan
            return values.index(best)
        return max(sound, key=values.__getitem__)


def due_lines(position: Position) -> list[int]:
    """The free lines at big dots that the mover has to secure now; empty if there is time."""
    b, s = position.game.board, position.state
    own = s.own[position.turn]
    bare = [b.at[dot] for dot in (0, b.dots - 1) if not (own & b.at[dot]).any()]
    turns = sum(int(word).bit_count() for word in own)
    if not bare or not SECURED - len(bare) <= turns < SECURED:
        return []
    return [line for line in position.legal_codes if any(has(lines, line) for lines in bare)]


HEURISTICS = {"seed": scoring(len(STAGES))}
AGENTS = {
    "seed": AgentType(
        Seed,
        (
            Parameter("depth", 2, "plies to look ahead", low=1, high=8),
            Parameter(
                "stage",
                len(STAGES),
                "how much of the paper's scoring it has",
                low=1,
                high=len(STAGES),
            ),
        ),
        "the paper's own: alpha-beta on series of lines",
    )
}
