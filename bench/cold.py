"""The first answers on a machine where nothing is compiled.

A person makes the first move of a game, and the computer answers, in a new process with an empty
cache. The time runs from the start of the process to the answer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from bench.measure import Bench, Quantity, Row

GAMES = ("tictactoe", "connect4", "align", "snails", "andantino", "makeway")
LEVELS = {1: 2.0, 3: 2.0, 5: 2.0, 10: 5.0}  #: seconds that an answer may take, by level
QUICK = (3,)

ANSWER = """
import json, os, sys, time
from plywise.play.records.game_record import GameRecord
from plywise.play.session import Session

game, level = sys.argv[1:3]
session = Session(GameRecord(game=game, players=("human", f"auto:level={level}")))
session.play(session.position.legal[0])
if session.record.result is None:
    session.think()
print(json.dumps([time.time(), time.process_time(), session.record.moves[-1].text]), flush=True)
os._exit(0)
"""


def first_answer(game: str, level: int) -> tuple[float, float, str]:
    """Return the seconds until an answer, those of the processor, and the move."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PLYWISE_CACHE": cache}
        started = time.time()
        command = [sys.executable, "-c", ANSWER, game, str(level)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    ended, processor, move = json.loads(done.stdout.splitlines()[-1])
    return ended - started, processor, move


def cold(quick: bool) -> Iterator[Row]:
    """Measure every game at some levels."""
    for game in GAMES:
        for level in QUICK if quick else LEVELS:
            seconds, processor, move = first_answer(game, level)
            ours = f"{processor:.1f} s of processor"
            what = f"{game}, level {level}: {move}"
            yield Row(what, ours, "", Quantity(seconds, "s"), at_most=LEVELS[level])


COLD = Bench(
    "cold",
    "The first answer, nothing compiled",
    "Seconds from the start of a new process with an empty cache to the computer's first move, as "
    "the terminal and the page ask for it. Below level 10 the move is the usual one, unless that "
    "would take too long; then it is one that looks less far ahead.",
    "",
    cold,
)
