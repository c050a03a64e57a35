"""Numbers of trajectories by which points are coloured: of a result by name, or given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import LogNorm, Normalize

from polhode import labels
from polhode.errors import InputError
from polhode.results import Result

DRIFT = "drift"  # of the energy; drift.NAME: of another invariant
WIDE = 1000  # ratio of positive values from which on their scale is logarithmic
ENDS = (0.005, 0.995)  # of a scale, as quantiles


@dataclass(frozen=True)
class Quantity:
    """A number of each trajectory, and the label of its scale."""

    values: np.ndarray  # [n]
    label: str
    is_whole: bool = False  # whether it counts or numbers things

    @property
    def norm(self) -> Normalize:
        """The scale of colours: logarithmic for positive values that differ by orders of magnitude."""
        known = self.values[np.isfinite(self.values)]
        if known.size == 0:
            return Normalize(0, 1)
        positive = known[known > 0]
        if (known >= 0).all() and positive.size and known.max() > WIDE * np.quantile(positive, ENDS[0]):
            return LogNorm(*np.quantile(positive, ENDS))
        low, high = np.quantile(known, ENDS)
        return Normalize(low, high) if high > low else Normalize(low - 1, high + 1)


def quantity_of(result: Result, colour: str | npt.ArrayLike) -> Quantity:
    """A quantity by its name, or of given values [n]; raises InputError."""
    n = len(result.final_time)
    if not isinstance(colour, str):
        try:
            given = np.asarray(colour)
            values = given.astype(float)
        except (TypeError, ValueError):
            raise InputError("cannot colour by this (it is neither a quantity's name nor numbers). Give one or the other.") from None
        if values.shape != (n,):
            raise InputError(
                f"cannot colour by an array of shape {values.shape} (it needs a number for each of the {n} trajectories)."
            )
        return Quantity(values, "", is_integer(given))
    known = _quantities(result)
    if colour not in known:
        raise InputError(f"cannot colour by {colour!r} (there is {', '.join(known)}). Choose one of these.")
    label, read = known[colour]
    given = read()
    return Quantity(given.astype(float), label, is_integer(given))


def is_integer(values: np.ndarray) -> bool:
    return bool(np.issubdtype(values.dtype, np.integer))


def _quantities(result: Result) -> dict[str, tuple[str, Callable[[], np.ndarray]]]:
    """The label of every quantity of a result, and what reads it."""
    known: dict[str, tuple[str, Callable[[], np.ndarray]]] = {}
    invariants, starts, count = result.invariants, result.initial_state, result.section_count
    if invariants is not None:
        for i, (name, unit) in enumerate(zip(invariants.names, invariants.units)):
            known[name] = labels.invariant(name) + labels.unit(unit), partial(_column, invariants.initial, i)
            if invariants.drift is not None:
                label = f"largest change of {labels.invariant(name)}" + labels.unit(unit)
                known[f"{DRIFT}.{name}"] = label, partial(_column, invariants.drift, i)
        if f"{DRIFT}.energy" in known:
            known[DRIFT] = known[f"{DRIFT}.energy"]
    if starts is not None:
        for i, (name, unit) in enumerate(zip(result.columns, result.units)):
            known[name] = f"{labels.symbol(name)} at the start" + labels.unit(unit), partial(_column, starts, i)
    known["trajectory"] = "number of the trajectory", lambda: np.arange(len(result.status_code))
    known["status"] = "status", partial(_all, result.status_code)
    known["time"] = "time at the end", partial(_all, result.final_time)
    if count is not None:
        known["count"] = "section points", partial(_all, count)
    return known


def _column(array: Any, i: int) -> np.ndarray:
    return np.asarray(array[:][:, i])


def _all(array: Any) -> np.ndarray:
    return np.asarray(array[:])
