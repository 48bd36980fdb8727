"""Learning from self-play, in pieces: it ends when its time is over, and goes on from its files."""

from __future__ import annotations

import json
import os
import time
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from plywise.core.game import Game
from plywise.engines.batch import planes_of
from plywise.errors import Unsupported
from plywise.play.grade import labelled

from .exam import Exam
from .network import Answering, Line, Network, Scaler
from .selfplay import Samples, SelfPlay, cores
from .symmetry import symmetries
from .trees import Array, Trees

KEEP = 0.999  #: of the mean weights, in every step
DECAY = 0.01  #: of the weights (AdamW)
CLIP = 4.0  #: the longest gradient
TOGETHER = 1024  #: positions that go to the device in one copy
WARM_UP = 5  #: steps before one is recorded
REFRESH = 50  #: steps between two updates of the weights that play


class Buffer:
    """The newest positions, on the device."""

    def __init__(self, room: int, shape: tuple[int, ...], moves: int, device: torch.device) -> None:
        self.planes = torch.zeros((room, *shape), dtype=torch.uint8, device=device)
        self.policies = torch.zeros((room, moves), device=device)
        self.values = torch.zeros(room, device=device)
        self.device, self.room, self.seen = device, room, 0
        self.filled = torch.zeros(1, device=device)  #: how many positions there are
        self._waiting: list[Samples] = []

    def __len__(self) -> int:
        return min(self.seen, self.room)

    def add(self, parts: list[Samples]) -> int:
        """Add positions over the oldest ones; return how many. Few of them wait for more."""
        self._waiting += parts
        count = sum(len(part.values) for part in self._waiting)
        if count < TOGETHER:
            return 0
        joined = [np.concatenate(arrays) for arrays in zip(*self._waiting, strict=True)]
        self._waiting = []
        places = torch.arange(self.seen, self.seen + count, device=self.device) % self.room
        for mine, new in zip((self.planes, self.policies, self.values), joined, strict=True):
            tensor = torch.from_numpy(new)
            if self.device.type == "cuda":  # from other memory the copy would wait for the network
                tensor = tensor.pin_memory()
            mine[places] = tensor.to(self.device, non_blocking=True)
        self.seen += count
        self.filled.fill_(len(self))
        return count


class Learner:
    """The network, the mean of its weights over time, and one step of learning."""

    def __init__(self, game: Game, options: Namespace, device: torch.device) -> None:
        self.game, self.device, self.batch = game, device, options.batch
        self.cuda = device.type == "cuda"
        writer = planes_of(game)
        self.shape = writer.shape
        rows = self.shape if len(self.shape) == 3 else (self.shape[0], 1, self.shape[1])
        self.network = Network(rows, game.max_moves, options.channels, options.blocks)
        self.network.to(device, memory_format=torch.channels_last)
        self.mean = deepcopy(self.network).eval().requires_grad_(False)
        high = torch.from_numpy(np.maximum(writer.high, 1))
        self.answering = Answering(self.mean, high, device)
        self.scaler = Scaler(high, device, torch.float32)
        self.rate = torch.tensor(options.rate, device=device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), self.rate, weight_decay=DECAY, fused=True,
            capturable=self.cuda,
        )  # fmt: skip
        self.moves, self.places = (torch.from_numpy(each).to(device) for each in symmetries(game))
        self.losses = torch.zeros(2, device=device)  #: of the policy and the value, summed up
        self.blend = torch.zeros((), device=device)  #: how much of the weights goes into the mean
        self.both = _floats(self.mean), _floats(self.network)
        self.steps = self.summed = self.unrecorded = 0
        self.graph: torch.cuda.CUDAGraph | None = None

    def step(self, buffer: Buffer, rate: float) -> None:
        """Learn from a random batch."""
        self.blend.fill_(1.0 - min(KEEP, 1.0 - 1.0 / (self.steps + 10.0)))
        self.rate.fill_(rate)
        if self.graph is not None:
            self.graph.replay()
        elif not self.cuda or self.unrecorded < WARM_UP:
            self._step(buffer)
            self.unrecorded += 1
        else:  # many small parts start faster from a CUDA graph
            self.optimizer.zero_grad(set_to_none=True)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self._step(buffer)
            self.graph.replay()
        self.steps += 1
        self.summed += 1
        if self.steps % REFRESH == 0:
            self.answering.update(self.mean)

    def _step(self, buffer: Buffer) -> None:
        # Step 1: random positions, each in a random symmetry.
        count = self.batch
        at = (torch.rand(count, device=self.device) * buffer.filled).long()
        way = torch.randint(len(self.moves), (count,), device=self.device)
        planes = buffer.planes[at]
        flat = planes.reshape(count, self.shape[0], -1)
        order = self.places[way][:, None].expand_as(flat)
        planes = flat.gather(2, order).reshape(planes.shape)
        policies = buffer.policies[at].gather(1, self.moves[way])
        # Step 2: what the network says, and how far that is from what the search found.
        with torch.autocast(self.device.type, torch.bfloat16, self.cuda, cache_enabled=False):
            logits, values = self.network(self.scaler(planes))
        shares = logits.float().masked_fill(policies < 0, -1e9).log_softmax(dim=1)
        target = policies.clamp(min=0)
        policy_loss = (torch.xlogy(target, target) - target * shares).sum(dim=1).mean()
        value_loss = functional.mse_loss(values.float(), buffer.values[at])
        # Step 3: better weights, and their mean over time, which plays.
        self.optimizer.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimizer.step()
        with torch.no_grad():
            self.losses += torch.stack([policy_loss, value_loss])
            mean, now = self.both
            change = torch._foreach_sub(now, mean)
            torch._foreach_mul_(change, self.blend)
            torch._foreach_add_(mean, change)

    def take_losses(self) -> tuple[float, float]:
        """Return the mean losses since the last call."""
        policy, value = (self.losses / max(1, self.summed)).tolist()
        self.losses.zero_()
        self.summed = 0
        return policy, value

    def answer(self, planes: Array) -> tuple[Array, Array]:
        """Answer planes of bytes, in parts that fit into memory."""
        parts = [
            self.answering(torch.from_numpy(planes[low : low + 16384]).to(self.device))
            for low in range(0, len(planes), 16384)
        ]
        logits, values = (torch.cat(each).cpu().numpy() for each in zip(*parts, strict=True))
        return logits, values

    def state(self) -> dict[str, Any]:
        """Return all that a later piece needs."""
        return {
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.network.load_state_dict(state["network"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"], group["capturable"] = self.rate, self.cuda
        self.steps = state["steps"]
        self.answering.update(self.mean)


def _floats(network: Network) -> list[Tensor]:
    """Return the weights and the statistics of a network."""
    return [tensor for tensor in network.state_dict().values() if tensor.is_floating_point()]


def make_exam(game: Game, options: Namespace) -> Exam | None:
    """Return solved positions, if some are asked for and the game has any."""
    if not options.exam:
        return None
    try:
        return Exam(game, labelled(game, options.exam, options.exam_seed, tuple(options.plies)))
    except Unsupported as error:
        print(f"no exam: {error}")
        return None


def save(file: Path, content: dict[str, Any]) -> None:
    """Write a file whole or not at all, whatever happens in between."""
    new = file.with_suffix(".new")
    with new.open("wb") as out:
        torch.save(content, out)
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)


class Run:
    """One piece of learning in a folder, which holds `checkpoint.pt` and `curve.jsonl`."""

    def __init__(self, game: Game, options: Namespace) -> None:
        self.game, self.options = game, options
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.backends.cudnn.benchmark = True
        torch.set_num_threads(max(1, cores() // 2))
        torch.set_float32_matmul_precision("high")
        self.file = Path(options.folder) / "checkpoint.pt"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        #: What all pieces together have done.
        self.sums = {"seconds": 0.0, "games": 0, "positions": 0, "answers": 0}
        self.pieces = 0
        kept = torch.load(self.file, map_location=device) if self.file.exists() else None
        if kept is not None:
            if kept["game"] != game.whole_spec:
                raise SystemExit(f"{self.file} has learned {kept['game']}: use another --folder")
            options.channels, options.blocks = kept["size"]
            self.sums, self.pieces = kept["sums"], kept["pieces"] + 1
            print(f"continues after {self.sums['seconds'] / 60:.1f} minutes")
        torch.manual_seed(options.seed + self.pieces)
        self.learner = Learner(game, options, device)
        if kept is not None:
            self.learner.load(kept["learner"])
        self.exam = make_exam(game, options)

    def learn(self) -> None:
        """Play and learn until the time is over."""
        options, learner = self.options, self.learner
        halves = [self._half(number) for number in range(2)]
        buffer = Buffer(options.buffer, learner.shape, self.game.max_moves, learner.device)
        pool = ThreadPoolExecutor(options.threads or cores())
        begun = saved = shown = time.perf_counter()
        before = dict(self.sums)
        answers, owed, over = 0, 0.0, False
        for line, _ in halves:
            line.ask()
        while not over:
            # Step 1: while the network answers one half, the threads go on with the other.
            for line, games in halves:
                line.wait()
                parts = games.advance(pool)
                line.ask()
                answers += len(games.planes)
                owed += buffer.add(parts) * options.reuse / options.batch
                # Step 2: learn as often as new positions come in.
                if len(buffer) < options.fill:
                    owed = 0.0
                while owed >= 1.0:
                    gone = (time.perf_counter() - begun) / (60 * options.minutes)
                    learner.step(buffer, rate_at(options, gone, learner.steps))
                    owed -= 1.0
            # Step 3: from time to time, a line of the curve and a checkpoint.
            now = time.perf_counter()
            over = now - begun >= 60 * options.minutes
            self.sums = {
                "seconds": before["seconds"] + now - begun,
                "games": before["games"] + sum(games.played for _, games in halves),
                "positions": before["positions"] + buffer.seen,
                "answers": before["answers"] + answers,
            }
            if over or now - shown >= options.every:
                line_of_curve = json.dumps(self.figures(full=over))
                print(line_of_curve, flush=True)
                with (self.file.parent / "curve.jsonl").open("a", encoding="utf-8") as out:
                    out.write(line_of_curve + "\n")
                shown = time.perf_counter()
            if over or now - saved >= options.save:
                save(self.file, self.state())
                saved = time.perf_counter()
        pool.shutdown()

    def _half(self, number: int) -> tuple[Line, SelfPlay]:
        """Return one half of the games, and its way to the network."""
        options, game = self.options, self.game
        count = max(1, options.games // 2)
        line = Line(self.learner.answering, count, self.learner.shape, game.max_moves)
        trees = Trees(game, count, options.simulations, options.considered, options.scale)
        trees.logits, trees.values = line.logits.numpy(), line.values.numpy()
        games = SelfPlay(
            game,
            trees,
            line.planes.numpy(),
            seed=options.seed + 2 * self.pieces + number,
            random_plies=options.plies[1] if options.random is None else options.random,
            result_weight=options.result_weight,
            threads=min(count, options.threads or cores()),
        )
        return line, games

    def state(self) -> dict[str, Any]:
        """Return what is kept from one piece to the next."""
        return {
            "game": self.game.whole_spec,
            "size": (self.options.channels, self.options.blocks),
            "learner": self.learner.state(),
            "sums": self.sums,
            "pieces": self.pieces,
        }

    def figures(self, full: bool) -> dict[str, Any]:
        """Return a line of the curve; the search takes longest, so it is not in every line."""
        policy_loss, value_loss = self.learner.take_losses()
        line: dict[str, Any] = {
            "minutes": round(self.sums["seconds"] / 60, 2),
            "games": self.sums["games"],
            "positions": self.sums["positions"],
            "answers": self.sums["answers"],
            "steps": self.learner.steps,
            "policy_loss": round(policy_loss, 4),
            "value_loss": round(value_loss, 4),
        }
        if self.exam is not None:
            answer = self.learner.answer
            line["policy"] = round(self.exam.by_policy(answer), 4)
            line["value"] = round(self.exam.by_value(answer), 4)
            if full and self.options.exam_simulations:
                simulations = self.options.exam_simulations
                found = self.exam.by_search(answer, simulations, self.options.scale)
                line[f"search {simulations}"] = round(found, 4)
        return line


def rate_at(options: Namespace, gone: float, steps: int) -> float:
    """Return the learning rate: a short warm-up, and with `--last` a slope to 0 in this piece."""
    rate = options.rate * min(1.0, (steps + 1) / 500)
    return rate * max(0.02, 1.0 - gone) if options.last else rate
