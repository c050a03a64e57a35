"""What takes part in the comparison."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

POINTS_PER_SPAN = 128  # that an array has room for, of each orbit
AT_START = 1e-9  # no crossing before this time counts: a start may lie on the section, on either side by round-off


class Unusable(Exception):
    """A contender, or one of its settings, cannot take part, and why."""


@dataclass(frozen=True)
class Outcome:
    states: np.ndarray  # [n, dim] at the end
    points: int  # on the section, of all orbits together
    seconds: float  # of the processor, user and system


@dataclass(frozen=True)
class Contender:
    program: str
    method: str
    setting: str
    run: Callable[[int], Outcome]  # from the starts over so many spans of time of the problem
    keeps_section: bool = True


def clocked(work: Callable[[], Any]) -> tuple[Any, float]:
    """What work returns, and the seconds of this process that it took."""
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


def kept_points(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """[k, 1 + dim], time and state: of rows [n, POINTS_PER_SPAN, 1 + dim] the first counts [n] of each orbit."""
    if counts.max() > rows.shape[1]:
        raise Unusable(f"an orbit has {counts.max()} points in a span; POINTS_PER_SPAN is {rows.shape[1]}")
    points = rows[np.arange(rows.shape[1]) < counts[:, np.newaxis]]
    return points[points[:, 0] > AT_START]
