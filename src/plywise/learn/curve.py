"""The course of learning: errors and strength over time, as a table and as a chart."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from plywise.engines.net import Net
from plywise.engines.net.finding import NONE, file_of, learned_file
from plywise.learn.learner import Learner
from plywise.learn.strength import OPPONENTS, Strength, at_equal_time, measure, player_of
from plywise.play.statistics import Share

WORDS = {
    "search": "against a search that knows the rules alone",
    "playouts": "against playouts",
}


class Curve:
    """What was measured while a net was learned."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.measured: list[Strength] = []
        self.final: Share | None = None

    def measure(self) -> None:
        """Let the present net play the opponents."""
        last = self.learner.last
        if not self.measured or self.measured[-1].seconds < last.seconds:
            self.measured.append(measure(self.learner.net(), last.seconds))

    def judged(self, net: Net, pairs: int, time: float) -> Net:
        """Let a net play `auto` as it is now, with its net if it has one; note the result in it."""
        self.time = time
        self.final = at_equal_time(net, f"auto:net={file_of(net.game) or NONE}", time, pairs)
        return replace(net, about={**net.about, "better": self.better, "score": self.final.value})

    @property
    def better(self) -> bool:
        """True if the net beat `auto`."""
        return self.final is not None and self.final.value > 0.5

    def line(self) -> str:
        """The last measurement, in words."""
        last, found = self.learner.last, self.measured[-1]
        scores = ", ".join(f"{found.scores[name]:.0%} {WORDS[name]}" for name in OPPONENTS)
        error = f"error {last.validation_error:.3f}"
        return f"{last.seconds:.0f} s, {last.games} games, {error}: {scores}"

    def verdict(self, file: Path) -> str:
        """What the net in a file is worth, in words."""
        use = "auto uses it from now on" if self.better else "so auto does not use it"
        if self.better and file != learned_file(self.learner.game):
            use = f"auto:net={file} plays with it"
        if player_of(self.learner.game) != self.learner.game.type.expert:
            use = "the game's expert takes no net, but alphabeta does"
        return f"At {self.time:g} s a move it scores {self.final} against auto as it was: {use}."

    def rows(self) -> list[list[str]]:
        """A table: a row for each measurement."""
        rows = [["seconds", "games", "error", *OPPONENTS]]
        for each in self.measured:
            at = [known for known in self.learner.rounds if known.seconds <= each.seconds][-1]
            scores = [f"{each.scores[name]:.0%}" for name in OPPONENTS]
            error = f"{at.validation_error:.3f}"
            rows.append([f"{each.seconds:.0f}", str(at.games), error, *scores])
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "game": self.learner.game.spec,
            "rounds": [asdict(each) for each in self.learner.rounds],
            "measured": [asdict(each) for each in self.measured],
            "final": None if self.final is None else self.final.to_json(),
        }

    def svg(self) -> str:
        """Draw the curves."""
        from plywise.views.curves import Curve as Line
        from plywise.views.curves import Plot, curves_panel, page
        from plywise.views.svg import draw_svg

        game, rounds = self.learner.game, {each.seconds: each for each in self.learner.rounds}
        steps = [f"{each.seconds:.0f}" for each in self.measured]
        errors = [rounds[each.seconds].validation_error for each in self.measured]
        scores = [
            Line(WORDS[name], [each.scores[name] for each in self.measured]) for name in OPPONENTS
        ]
        plots = [
            Plot("points", scores, "even", lambda share: f"{share:.0%}"),
            Plot("error", [Line("validation set", errors)], "even", lambda value: f"{value:.2f}"),
        ]
        panel = curves_panel("Learning", "", "seconds", steps, plots)
        return draw_svg(page(game.type.title, game.spec, [panel]))
