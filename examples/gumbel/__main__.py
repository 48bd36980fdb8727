"""Gumbel AlphaZero for any game: `python -m examples.gumbel connect4 --minutes 8`."""

from __future__ import annotations

import argparse
import json

import plywise
from plywise.errors import to_install
from plywise.kit import features_shape
from plywise.play.grade import usual_plies


def main() -> None:
    """Learn a game for some minutes, or only hold the exam."""
    options = _parser().parse_args()
    try:
        game = plywise.game(options.game)
        features_shape(game)
    except plywise.PlywiseError as error:
        raise SystemExit(str(error)) from error
    options.plies = options.plies or list(usual_plies(game))
    options.folder = options.folder or f"runs/{game.name}"
    try:
        from .training import Run
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}: this example needs PyTorch: {to_install('learn')}") from error
    run = Run(game, options)
    if options.minutes:
        run.learn()
    else:
        print(json.dumps(run.figures(full=True)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="examples.gumbel", description=__doc__)
    add = parser.add_argument
    add("game", help="such as connect4, or a file")
    add("--folder", help="for the checkpoint; a run continues from it")
    add("--minutes", type=float, default=2.0, help="how long; 0 for the exam alone")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=0, help="default: all cores")
    play = parser.add_argument_group("playing").add_argument
    play("--games", type=int, default=256, help="side by side")
    play("--simulations", type=int, default=32, help="for each move")
    play("--considered", type=int, default=16, help="moves drawn at the root")
    play("--scale", type=float, default=0.25, help="of q, against the logits")
    play("--random", type=int, help="random plies a game may begin with; default: --plies")
    play(
        "--result-weight",
        type=float,
        default=0.5,
        help="weight of the result in a position's value",
    )
    learn = parser.add_argument_group("learning").add_argument
    learn("--channels", type=int, default=32)
    learn("--blocks", type=int, default=3)
    learn("--batch", type=int, default=256)
    learn("--rate", type=float, default=2e-3)
    learn("--last", action="store_true", help="let the rate fall to 0 in this piece")
    learn("--reuse", type=float, default=4.0, help="how often a position is learned from")
    learn("--buffer", type=int, default=200_000, help="positions kept")
    learn("--fill", type=int, default=5_000, help="positions before learning begins")
    show = parser.add_argument_group("the curve").add_argument
    show("--every", type=float, default=15.0, help="seconds between two lines")
    show("--save", type=float, default=60.0, help="seconds between two checkpoints")
    show("--exam", type=int, default=500, help="how many solved positions; 0 for none")
    show("--exam-seed", type=int, default=1)
    show("--exam-simulations", type=int, default=100)
    show("--plies", type=int, nargs=2, help="which plies the exam is taken from")
    return parser


if __name__ == "__main__":
    main()
