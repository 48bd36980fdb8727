"""Our engines as programs that speak UGI, the Universal Game Interface: `plywise ugi GAME`.

Other programs, such as cutegames, play matches between such engines. A line that makes no sense is
answered with `info string ...` and changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from itertools import pairwise

from plywise import __version__, games
from plywise.core.analysis import Analysis, Limits, Stop
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import PlywiseError, SpecError
from plywise.play.players import make_agent

Say = Callable[[str], None]

SHARE = 1 / 20  #: of the time that is left, for one move
OF_INCREMENT = 0.8  #: the share of the increment that a move may use
MOST = 0.5  #: ... but never more of the time that is left
KINDS = ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc")


class Ugi:
    """An engine behind the protocol: `hear` takes a line, `say` is called with each answer."""

    def __init__(self, game: str, agent: str, say: Say) -> None:
        self.say = say
        self.options = {"Game": game, "Agent": agent}
        self.game, self.engine = self._made(self.options)
        self.position = self.game.start()
        self._stop = Stop()
        self._search: threading.Thread | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Answer lines until `quit` or the last one; a search that runs then is stopped."""
        try:
            for line in lines:
                if not self.hear(line):
                    break
        finally:
            self._end(at_once=True)

    def hear(self, line: str) -> bool:
        """Answer one line; False if it was `quit`."""
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return False
        answers: dict[str, Callable[[str], None]] = {
            "ugi": self._introduce,
            "setoption": self._set,
            "isready": lambda _: self.say("readyok"),
            "uginewgame": self._new,
            "position": self._set_up,
            "go": self._go,
            "stop": lambda _: self._end(at_once=True),
            "query": self._answer,
        }
        try:
            if word in answers:
                answers[word](rest.strip())
            elif word:
                raise SpecError(f"{word[:40]!r} is not a command of UGI")
        except PlywiseError as error:
            self.say(f"info string {error}")
        return True

    def _introduce(self, _: str) -> None:
        self.say(f"id name plywise {__version__} {self.options['Agent']}")
        self.say("id author the plywise authors")
        for name, value in self.options.items():
            self.say(f"option name {name} type string default {value}")
        self.say("ugiok")

    def _set(self, text: str) -> None:
        """`setoption name Agent value alphabeta:depth=8`."""
        before, _, value = text.partition(" value ")
        name = before.removeprefix("name ").strip()
        if name not in self.options or not value.strip():
            known = " or ".join(self.options)
            raise SpecError(f"'setoption {text}' is not valid: setoption name {known} value ...")
        self._end()
        changed = {**self.options, name: value.strip()}
        self.game, self.engine = self._made(changed)
        self.options, self.position = changed, self.game.start()

    @staticmethod
    def _made(options: dict[str, str]) -> tuple[Game, Engine]:
        game = games.make(options["Game"])
        return game, make_agent(options["Agent"], game)

    def _new(self, _: str) -> None:
        self._end()
        self.engine = make_agent(self.options["Agent"], self.game)
        self.position = self.game.start()

    def _set_up(self, text: str) -> None:
        """`position startpos moves ...` or `position fen TEXT moves ...`."""
        self._end()
        start, _, moves = f"{text} ".partition(" moves ")
        kind, _, about = start.strip().partition(" ")
        if kind == "fen":
            position = self.game.from_text(about.strip())
        elif kind == "startpos" and not about:
            position = self.game.start()
        else:
            raise SpecError(f"'position {text}' is not valid: position startpos or fen TEXT")
        for move in moves.split():
            position = position.play(move)
        self.position = position

    def _go(self, text: str) -> None:
        self._end()
        if self.position.over:
            raise SpecError(f"the game is over: {self.position.reason}")
        self._stop = Stop()
        self._search = threading.Thread(
            target=self._think, args=(self.position, self._limits(text), self._stop), daemon=True
        )
        self._search.start()

    def _limits(self, text: str) -> Limits:
        """Read the limits of a search."""
        words = text.split()
        if words == ["infinite"]:
            return Limits()
        found: dict[str, int] = {}
        for name, amount in pairwise(words):
            if name in KINDS and amount.isascii() and amount.lstrip("-").isdigit():
                found[name] = int(amount[:18])
        if len(words) != 2 * len(found) or not found:
            raise SpecError(
                f"'go {text}' is not valid: go movetime MS, depth N, nodes N, infinite, "
                "or p1time MS p2time MS p1inc MS p2inc MS"
            )
        time = None if "movetime" not in found else max(0, found["movetime"]) / 1000
        who = self.position.to_move
        if f"p{who}time" in found:
            left, more = max(0, found[f"p{who}time"]), found.get(f"p{who}inc", 0)
            time = min(MOST * left, SHARE * left + OF_INCREMENT * more) / 1000
        return Limits(time, found.get("depth"), found.get("nodes"))

    def _think(self, position: Position, limits: Limits, stop: Stop) -> None:
        """Search, and say the best move; this runs in a thread of its own."""
        try:
            found = self.engine.search(position, limits, self._inform, stop)
            self._inform(found)
            best = found.best or position.legal[0]
        except PlywiseError as error:
            self.say(f"info string {error}")
            best = position.legal[0]
        self.say(f"bestmove {best}")

    def _inform(self, found: Analysis) -> None:
        self.say(f"info {info(found)}")

    def _end(self, at_once: bool = False) -> None:
        """Wait until the search has answered; `at_once` also stops it."""
        if at_once:
            self._stop.set()
        search, self._search = self._search, None
        if search is not None:
            search.join()

    def _answer(self, text: str) -> None:
        position = self.position
        over = position.over
        won = "draw" if position.winner == 0 else f"p{position.winner}win"
        answers = {
            "p1turn": str(position.turn == 0).lower(),
            "gameover": str(over).lower(),
            "result": won if over else "none",
            "fen": position.text,
            "legal": " ".join(position.legal),
        }
        if text not in answers:
            raise SpecError(f"'query {text}' is not valid: query {', '.join(answers)}")
        self.say(f"response {answers[text]}")


def info(found: Analysis) -> str:
    """Write what a search has found so far.

    >>> info(Analysis("4", 0.1, 12.3, pv=("4", "3"), depth=7, nodes=90, seconds=0.5))
    'depth 7 time 500 nodes 90 nps 180 score cp 12 pv 4 3'
    """
    parts = {
        "depth": found.depth,
        "time": round(1000 * found.seconds),
        "nodes": found.nodes,
        "nps": round(found.nodes / found.seconds) if found.seconds else 0,
        "score": _score(found),
        "pv": " ".join(found.pv),
    }
    return " ".join(f"{name} {value}" for name, value in parts.items() if value != "")


def _score(found: Analysis) -> str:
    """Plies to the end if they are known; otherwise hundredths of a point, or the estimate."""
    if found.outcome in ("win", "loss") and found.plies_to_end is not None:
        return f"mate {found.plies_to_end if found.outcome == 'win' else -found.plies_to_end}"
    return f"cp {round(100 * found.score if found.score_kind == 'points' else found.score)}"
