"""What the server has done, counted, in the text format that Prometheus reads.

The counters are those of the process, like its log. Whatever can be read at the moment, such as the
number of open rooms, is not counted here but asked for: see `api/monitoring.py`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

from starlette.types import Message, Scope

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"})
#: The upper ends of the classes of a histogram, in seconds.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, math.inf)


class Counts:
    """Numbers that only go up, one for each set of labels. Any thread may count."""

    def __init__(self, name: str, words: str, *labels: str) -> None:
        self.name = name
        self.words = words
        self.labels = labels
        self._lock = Lock()
        self._counts: Counter[tuple[str, ...]] = Counter() if labels else Counter({(): 0})

    def add(self, *values: str) -> None:
        """Count one, with the values of the labels."""
        with self._lock:
            self._counts[values] += 1

    def lines(self) -> Iterator[str]:
        """Return the lines of the text."""
        with self._lock:
            counts = dict(self._counts)
        yield from _head(self.name, self.words, "counter")
        for values, count in counts.items():
            yield _line(self.name, dict(zip(self.labels, values, strict=True)), count)


class Times:
    """Seconds, counted by how long they were. Any thread may count."""

    def __init__(self, name: str, words: str, label: str) -> None:
        self.name = name
        self.words = words
        self.label = label
        self._lock = Lock()
        self._counts: Counter[tuple[str, float]] = Counter()  # each class holds all smaller ones
        self._sums: defaultdict[str, float] = defaultdict(float)

    def add(self, value: str, seconds: float) -> None:
        """Count a time, with the value of the label."""
        with self._lock:
            self._counts.update((value, bound) for bound in BOUNDS if seconds <= bound)
            self._sums[value] += seconds

    def lines(self) -> Iterator[str]:
        """Return the lines of the text."""
        with self._lock:
            counts, sums = self._counts.copy(), dict(self._sums)
        yield from _head(self.name, self.words, "histogram")
        for value, seconds in sums.items():
            for bound in BOUNDS:
                labels = {self.label: value, "le": "+Inf" if bound == math.inf else str(bound)}
                yield _line(f"{self.name}_bucket", labels, counts[value, bound])
            yield _line(f"{self.name}_sum", {self.label: value}, seconds)
            yield _line(f"{self.name}_count", {self.label: value}, counts[value, math.inf])


def gauge(name: str, words: str, values: float | Mapping[str, float], label: str = "") -> list[str]:
    """Return the lines of something that goes up and down: one number, or one for each value."""
    every = values if isinstance(values, Mapping) else {"": values}
    lines = [_line(name, {label: key} if label else {}, value) for key, value in every.items()]
    return [*_head(name, words, "gauge"), *lines]


def total(name: str, words: str, value: float) -> list[str]:
    """Return the lines of a number that only goes up and is counted elsewhere."""
    return [*_head(name, words, "counter"), _line(name, {}, value)]


def written(lines: Iterable[str]) -> str:
    """Return lines as one text."""
    return "".join(f"{line}\n" for line in lines)


def _head(name: str, words: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {_escape(words)}"
    yield f"# TYPE {name} {kind}"


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    inside = ",".join(f'{key}="{_escape(text, True)}"' for key, text in labels.items())
    return f"{name}{{{inside}}} {value}" if inside else f"{name} {value}"


def _escape(text: str, quotes: bool = False) -> str:
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quotes else text


REQUESTS = Counts(
    "plywise_requests_total",
    "Requests, by method, route and status; a socket counts when it opens.",
    *("method", "route", "status"),
)
SECONDS = Times("plywise_request_seconds", "Time to the end of the answer, by route.", "route")
REFUSALS = Counts("plywise_refusals_total", "Requests and frames refused, by reason.", "reason")
MOVES = Counts("plywise_moves_total", "Moves of people and engines that were saved and confirmed.")
DATABASE_ERRORS = Counts("plywise_database_errors_total", "Failures of the database.")
COUNTED = (REQUESTS, SECONDS, REFUSALS, MOVES, DATABASE_ERRORS)


def count_request(scope: Scope, message: Message) -> None:
    """Count a request by the message that begins its answer."""
    # A socket that is closed before it was accepted has no status.
    status = 101 if message["type"] == "websocket.accept" else message.get("status", 403)
    method = scope["method"] if scope["type"] == "http" else "GET"
    REQUESTS.add(method if method in METHODS else "other", route_of(scope), str(status))


def route_of(scope: Scope) -> str:
    """The pattern of the path that a request was for, of which there are few."""
    path = getattr(scope.get("route"), "path", None)
    if isinstance(path, str) and path:
        return path
    return "page" if "endpoint" in scope else "none"
