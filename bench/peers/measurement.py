"""Errors and times of all contenders on a problem."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from contender import Contender, Outcome, Unusable
from problems import Problem, Starts

MOST_SPANS = 200


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float  # that a timed difference should take


@dataclass(frozen=True)
class Row:
    """A contender's result; times are nanoseconds for a unit of time of one orbit."""

    program: str
    method: str
    setting: str
    keeps_section: bool
    state_error: dict[str, float]
    energy_error: dict[str, float]
    points: int
    ns: dict[str, float]


def spread_of(values: np.ndarray) -> dict[str, float]:
    return {"lowest": float(np.min(values)), "median": float(np.median(values)), "highest": float(np.max(values))}


def distances(states: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """[n], Euclidean, relative to the size of the state."""
    return np.linalg.norm((states - exact).astype(float), axis=1) / np.linalg.norm(exact.astype(float), axis=1)


def spans_for(contender: Contender, seconds: float) -> int:
    """Spans that take so long, roughly."""
    one, five = contender.run(1).seconds, contender.run(5).seconds
    return min(max(math.ceil(4 * seconds / max(five - one, 1e-6)), 4), MOST_SPANS)


def measure(
    problem: Problem,
    starts: Starts,
    contenders: list[Contender],
    exact: np.ndarray,
    effort: Effort,
    note: Callable[[str], None],
) -> list[Row]:
    """A row for each contender that can do it, with errors against the exact states [n, dim].

    In each round every contender has one turn, so that what disturbs the machine for a while disturbs all of them. Its
    time is the difference of a long and a short run: the start of a process, starts and last states are in both.
    """
    outcomes: dict[Contender, Outcome] = {}
    spans: dict[Contender, int] = {}
    times: dict[Contender, list[float]] = {contender: [] for contender in contenders}

    @contextmanager
    def or_without(contender: Contender) -> Iterator[None]:
        try:
            yield
        except Unusable as error:
            del times[contender]
            note(f"{contender.program}, {contender.method}: {error}")

    for contender in contenders:
        with or_without(contender):
            outcomes[contender] = contender.run(1)  # compiles, too
            spans[contender] = spans_for(contender, effort.seconds)
    for _ in range(effort.rounds):
        for contender in list(times):
            with or_without(contender):
                seconds = contender.run(1 + spans[contender]).seconds - contender.run(1).seconds
                times[contender].append(seconds / spans[contender])
    energy = problem.system(starts.parameters).energy
    return [
        Row(
            contender.program,
            contender.method,
            contender.setting,
            contender.keeps_section,
            spread_of(distances(outcomes[contender].states, exact)),
            spread_of(np.abs(energy(outcomes[contender].states.T) - energy(starts.states.T))),
            outcomes[contender].points,
            spread_of(1e9 * np.array(seconds) / (problem.time * len(starts.states))),
        )
        for contender, seconds in times.items()
    ]
