"""Reads snapshots: how far the invariants of trajectories have changed along them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from polhode import tops
from polhode.arrays import Array
from polhode.errors import InputError
from polhode.results import FirstSnapshots, Result, snapshots_of

BLOCK_NUMBERS = 1 << 23
SAME_START = 1e-9
CONSTRAINT = "constraint"  # the invariant that is an error already
SHADOW_ENERGY = "shadow_energy"  # what a method conserves in place of the energy, among the invariants where a file has it


@dataclass(frozen=True)
class Changes:
    """The changes I - I_0 of invariants along trajectories, from time 0 on, and of constraints the largest |g_i|
    itself; NaN where a trajectory had ended before.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    time: np.ndarray  # [t]
    values: np.ndarray  # [n, t, i]


def starts_of(result: Result) -> Array | FirstSnapshots:
    """The states at the start, with which snapshots begin."""
    return result.initial_state if result.initial_state is not None else FirstSnapshots(snapshots_of(result).state)


def start_alike(first: Result, second: Result) -> bool:
    """Whether the trajectories 0 of two results start from the same state."""
    return np.allclose(starts_of(first)[0], starts_of(second)[0], rtol=0, atol=SAME_START)


def changes_of(result: Result, rows: np.ndarray, stride: int = 1) -> Changes:
    """The changes of the trajectories rows at every stride-th snapshot; raises InputError where the file has none.

    A file without invariants along its snapshots tells by its states, if it is of a top.
    """
    snapshots, invariants = snapshots_of(result), result.invariants
    if snapshots.invariants is not None and invariants is not None and invariants.names:
        names, units = invariants.names, invariants.units
        values = _read(snapshots.invariants, rows, stride)
        initial = invariants.initial[:][rows]
    else:
        start = tops.invariants(result, starts_of(result)[:][rows])
        later = tops.invariants(result, _read(snapshots.state, rows, stride)) if start else None
        if start is None or later is None:
            raise InputError(
                f"{result.source} has no invariants along its snapshots (they were not recorded). Run it again."
            )
        names, units = tuple(start), ("",) * len(start)
        values, initial = (np.stack([part[name] for name in names], axis=-1) for part in (later, start))
    time = snapshots.time[::stride]
    if snapshots.shadow_energy is not None:
        names, units = (*names, SHADOW_ENERGY), (*units, snapshots.shadow_energy.attributes.get("unit", ""))
        shadow = _read(snapshots.shadow_energy, rows, stride)[..., None]
        values, initial = np.concatenate([values, shadow], axis=-1), np.concatenate([initial, shadow[:, 0]], axis=-1)
    reference = np.where(np.array(names) == CONSTRAINT, 0.0, initial)
    changes = values - reference[:, None]
    changes[~np.isfinite(changes)] = np.nan
    changes[np.abs(time) > np.abs(result.final_time[:][rows, None]) * (1 + 1e-12)] = np.nan
    if time[0] != 0:
        time = np.concatenate([[0.0], time])
        changes = np.concatenate([(initial - reference)[:, None], changes], axis=1)
    return Changes(names, units, time, changes)


def _read(data: Array, rows: np.ndarray, stride: int) -> np.ndarray:
    """data[rows, ::stride], in blocks of trajectories that fit into the memory."""
    size = max(1, BLOCK_NUMBERS // max(1, data.shape[1] // stride * math.prod(data.shape[2:])))
    parts = []
    for first in range(0, data.shape[0], size):
        chosen = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + size)] - first
        if len(chosen) > 0:
            parts.append(data[first : first + size, ::stride][chosen])
    return np.concatenate(parts)
