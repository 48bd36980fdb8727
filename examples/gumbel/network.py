"""A small residual network with a policy head and a value head, and what answers with it."""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import fuse_conv_bn_eval

ALIGNED = 8  #: tensor cores take channels in groups of this size


class Convolution(nn.Module):
    """A 3 x 3 convolution, batch normalization, perhaps a shortcut, and a rectifier."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.weights = nn.Conv2d(before, after, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(after)

    def forward(self, x: Tensor, shortcut: Tensor | None = None) -> Tensor:
        """Return the features of the next layer."""
        y = self.norm(self.weights(x))
        return functional.relu_(y if shortcut is None else y + shortcut)


class Folded(nn.Module):
    """The same with the normalization inside the convolution; one step on a GPU."""

    def __init__(self, old: Convolution) -> None:
        super().__init__()
        self.plain = fuse_conv_bn_eval(old.weights, old.norm)

    def forward(self, x: Tensor, shortcut: Tensor | None = None) -> Tensor:
        """Return the features of the next layer."""
        weight, bias, one = self.plain.weight, self.plain.bias, (1, 1)
        if not x.is_cuda:
            y = functional.conv2d(x, weight, bias, padding=1)
            return functional.relu_(y if shortcut is None else y + shortcut)
        if shortcut is None:
            return torch.cudnn_convolution_relu(x, weight, bias, one, one, one, 1)
        return torch.cudnn_convolution_add_relu(x, weight, shortcut, 1.0, bias, one, one, one, 1)


class Block(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.one = Convolution(channels, channels)
        self.two = Convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return features of the same shape."""
        return self.two(self.one(x), x)


class Network(nn.Module):
    """From planes to a logit for every move, and the value for the side to move."""

    def __init__(self, shape: tuple[int, ...], moves: int, channels: int, blocks: int) -> None:
        super().__init__()
        places = shape[1] * shape[2]
        self.first = Convolution(aligned(shape[0]), channels)
        self.body = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.policy = nn.Sequential(
            nn.Conv2d(channels, 32, 1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * places, moves)
        )
        self.value = nn.Sequential(
            nn.Conv2d(channels, 16, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(16 * places, 128),
            nn.ReLU(),
            nn.Linear(128, 1),
            nn.Tanh(),
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits and values of a batch of scaled planes."""
        x = self.body(self.first(x))
        return self.policy(x), self.value(x)[:, 0]


def aligned(planes: int) -> int:
    """Return the number of planes with empty ones added, as a GPU wants them."""
    return -(-planes // ALIGNED) * ALIGNED


def folded(network: nn.Module) -> nn.Module:
    """Return a copy for answers only, with every normalization inside its convolution."""
    copy = deepcopy(network).eval().requires_grad_(False)
    for parent in list(copy.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, Convolution):
                setattr(parent, name, Folded(child))
    return copy


class Scaler:
    """Turns planes of bytes into what the network takes: rows and columns, from 0 to 1."""

    def __init__(self, high: Tensor, device: torch.device, kind: torch.dtype) -> None:
        self.shape = (high.shape[0], 1, -1) if high.dim() < 3 else tuple(high.shape)
        self.factor = (1.0 / high.to(device, torch.float32)).reshape(self.shape).to(kind)

    def __call__(self, planes: Tensor) -> Tensor:
        """Scale a batch of planes."""
        rows = planes.reshape(len(planes), *self.factor.shape).to(self.factor.dtype) * self.factor
        more = aligned(rows.shape[1]) - rows.shape[1]
        rows = functional.pad(rows, (0, 0, 0, 0, 0, more))
        return rows.contiguous(memory_format=torch.channels_last)


class Answering:
    """A folded copy of the network that answers batches; on a GPU as a recorded CUDA graph."""

    def __init__(self, network: Network, high: Tensor, device: torch.device) -> None:
        self.device = device
        kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.scaler = Scaler(high, device, kind)
        self.plain = folded(network).to(device, kind, memory_format=torch.channels_last)

    @torch.no_grad()
    def update(self, network: Network) -> None:
        """Answer with the present weights of a network from now on."""
        new = folded(network)
        for mine, its in zip(self.plain.parameters(), new.parameters(), strict=True):
            mine.copy_(its)

    @torch.no_grad()
    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits and values for planes of bytes on the device."""
        logits, values = self.plain(self.scaler(planes))
        return logits.float(), values.float()


class Line:
    """A batch of fixed size on its way to the network and back, without waiting for it.

    `planes` is written and `logits` and `values` are read on the CPU.
    """

    def __init__(
        self, answering: Answering, count: int, shape: tuple[int, ...], moves: int
    ) -> None:
        self.answering = answering
        self.cuda = answering.device.type == "cuda"
        pin = {"pin_memory": self.cuda}
        self.planes = torch.zeros((count, *shape), dtype=torch.uint8, **pin)
        self.logits = torch.zeros((count, moves), **pin)
        self.values = torch.zeros(count, **pin)
        if self.cuda:
            self._record()

    def _record(self) -> None:
        """Record the way there and back as a CUDA graph: it starts in one call."""
        self.done = torch.cuda.Event()
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                self._run()
        side.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self._run()

    def _run(self) -> None:
        planes = self.planes.to(self.answering.device, non_blocking=True)
        logits, values = self.answering(planes)
        self.logits.copy_(logits, non_blocking=True)
        self.values.copy_(values, non_blocking=True)

    def ask(self) -> None:
        """Send the planes."""
        if self.cuda:
            self.graph.replay()
            self.done.record()
        else:
            self._run()

    def wait(self) -> None:
        """Wait until the answers are there."""
        if self.cuda:
            self.done.synchronize()
