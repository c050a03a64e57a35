"""What takes part in the comparison, and how it is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LEAST_REPETITIONS = 3
MOST_SECONDS = 20.0  # of the repetitions of one figure


class Unusable(Exception):
    """A contender cannot take part, and why."""


@dataclass(frozen=True)
class Contender:
    """Work on arrays in three parts, each finished when it returns."""

    name: str
    setting: str
    place: Callable[[], Any]  # starts of the host to the device
    loop: Callable[[Any], Any]  # all steps, from what is placed to a result on the device
    fetch: Callable[[Any], np.ndarray]  # the last states [dim, n] to the host
    compile: Callable[[], float | None] = lambda: None  # seconds; None where it was compiled before
    drop: Callable[[Any], None] = lambda placed: None  # frees what was placed, where nobody else does


@dataclass(frozen=True)
class Times:
    """Seconds of one figure."""

    median: float
    lower_quartile: float
    upper_quartile: float
    repetitions: int


def times_of(seconds: list[float]) -> Times:
    lower, median, upper = np.quantile(seconds, (0.25, 0.5, 0.75))
    return Times(float(median), float(lower), float(upper), len(seconds))


def clocked(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def repeated(work: Callable[[], float], repetitions: int) -> Times:
    """work() says how many seconds it took; fewer repetitions where they take long."""
    seconds: list[float] = []
    begin = time.perf_counter()
    while len(seconds) < repetitions:
        if len(seconds) >= LEAST_REPETITIONS and time.perf_counter() - begin > MOST_SECONDS:
            break
        seconds.append(work())
    return times_of(seconds)


@dataclass(frozen=True)
class Measured:
    states: np.ndarray  # [dim, n]
    compile_seconds: float | None
    kernel: Times  # the loop alone, on the device
    end_to_end: Times  # from starts on the host to states on the host


def measure(contender: Contender, repetitions: int) -> Measured:
    compile_seconds = contender.compile()
    placed = contender.place()
    states = contender.fetch(contender.loop(placed))  # wakes the device, and reserves its memory
    kernel = repeated(lambda: clocked(lambda: contender.loop(placed)), repetitions)
    contender.drop(placed)

    def whole() -> None:
        placed = contender.place()
        contender.fetch(contender.loop(placed))
        contender.drop(placed)

    return Measured(states, compile_seconds, kernel, repeated(lambda: clocked(whole), repetitions))
