"""The trajectories of a result that are drawn: those wanted, or a random selection of them."""

from __future__ import annotations

import numpy as np

from polhode import labels
from polhode.errors import InputError
from polhode.results import Result
from polhode.wanted import Wanted


def chosen(result: Result, wanted: Wanted) -> np.ndarray:
    """[k] numbers of the trajectories that are wanted, in their order; raises InputError where one does not exist."""
    n = len(result.final_time)
    if not wanted.trajectories:
        return np.arange(n)
    last = max(interval[-1] for interval in wanted.trajectories)
    if last >= n:
        has = "none" if n == 0 else "1, number 0" if n == 1 else f"{n}, numbers 0 to {n - 1}"
        raise InputError(
            f"cannot draw trajectory {last} of {result.source} (it has {has}). Choose others."
        )
    return np.unique(np.concatenate([np.arange(interval.start, interval.stop) for interval in wanted.trajectories]))


def thinned(numbers: np.ndarray, most: int) -> np.ndarray:
    """All of the numbers, or as many as `most` of them, chosen at random but always the same."""
    if len(numbers) <= most:
        return numbers
    return numbers[np.sort(np.random.default_rng(0).choice(len(numbers), most, replace=False))]


def mask(result: Result, wanted: Wanted) -> np.ndarray | None:
    """[n] whether each trajectory is wanted; None where all are."""
    if not wanted.trajectories:
        return None
    is_wanted = np.zeros(len(result.final_time), bool)
    is_wanted[chosen(result, wanted)] = True
    return is_wanted


def counted(drawn: int, total: int) -> str:
    """The number of trajectories in words, e.g. '3 of 448 trajectories'."""
    return labels.part_of(drawn, total, "trajectory", "trajectories")
