"""How far a run has come: a line that grows, in a terminal or a notebook, for whatever takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

DELAY = 1.0  # seconds
INTERVAL = 0.2
WIDTH = 30


@dataclass(frozen=True)
class Progress:
    """Steps are counted over all trajectories, as if none ended early."""

    steps: float  # done so far
    all: float  # of the whole run
    points: int  # of the section, so far
    seconds: float  # since the run was started or resumed
    steps_before: float  # done before it was resumed

    @property
    def fraction(self) -> float:
        return self.steps / self.all if self.all > 0 else 1.0


Report = Callable[[Progress], object]


def notice(line: str) -> None:
    """Tells of kernels that were compiled, and of what else polhode has to say."""
    print(f"polhode: {line}", file=sys.stderr, flush=True)


class Line:
    """A line on the standard error stream that is written anew, where that is a terminal or a notebook's."""

    def __init__(self) -> None:
        self._length = 0
        try:
            self.is_shown = "ipykernel" in sys.modules or sys.stderr.isatty()
        except (AttributeError, ValueError):  # there is none, or it is closed
            self.is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._length:
            self.write("")
            sys.stderr.write("\r")

    def write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(text)


class Bar(Line):
    """A bar of a run's progress."""

    def __call__(self, now: Progress) -> None:
        if not self.is_shown or now.seconds < DELAY:
            return
        full = round(WIDTH * now.fraction)
        speed = (now.steps - now.steps_before) / now.seconds
        self.write(f"{'█' * full}{'░' * (WIDTH - full)} {now.fraction:4.0%}  {speed:.2e} steps/s  {now.points} points")


class Count(Line):
    """What a measurement does at the moment, and how much of it is done."""

    def __init__(self) -> None:
        super().__init__()
        self._due = time.monotonic() + DELAY

    def __call__(self, what: str, done: int, all: int) -> None:
        if self.is_shown and time.monotonic() >= self._due:
            self.write(f"{what}: {done} of {all}" if all > 0 else what)
            self._due = time.monotonic() + INTERVAL
