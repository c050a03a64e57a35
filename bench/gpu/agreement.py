"""Whether contenders come to the same states.

Nobody's states are exact, and orbits may be chaotic. A measure of how far apart two correct programs may be is what
becomes of a small shift of the starts: 1000 units in the last place, which is what 1000 steps would add up if each was
wrong by a whole unit and always to the same side.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

ULPS = 1000
# The largest distance of many more orbits than are shifted: a chaotic one more sensitive than all of these by so much.
RARE = 10


@dataclass(frozen=True)
class Distances:
    median: float
    percentile_99: float
    largest: float


def distances(states: np.ndarray, others: np.ndarray) -> Distances:
    """Of states [dim, n], Euclidean, relative to the size of the state."""
    apart = np.linalg.norm(states.astype(float) - others, axis=0) / np.linalg.norm(others.astype(float), axis=0)
    median, percentile = np.quantile(apart, (0.5, 0.99))
    return Distances(float(median), float(percentile), float(apart.max()))


def shifted(values: np.ndarray) -> np.ndarray:
    return values * (1 + ULPS * np.finfo(values.dtype).eps).astype(values.dtype)


def agree(found: Distances, of_shift: Distances) -> bool:
    return (
        found.median <= of_shift.median
        and found.percentile_99 <= of_shift.percentile_99
        and found.largest <= RARE * of_shift.largest
    )


def energy_error(energy, starts: np.ndarray, ends: np.ndarray) -> float:
    """Of states [6, n]: root mean square over the orbits, at the end."""
    return float(np.sqrt(np.mean((energy(ends) - energy(starts)) ** 2)))


def energy_report(energy, starts: np.ndarray, ends: np.ndarray, states: np.ndarray, sample: int) -> dict:
    """Of states by other steps than those that lead to `ends`, which keep the energy of the first `sample` orbits as well
    as those do. Over other orbits the ratio of both errors is another: twice as large is allowed over all."""
    few = np.s_[:, :sample]
    error, goal = energy_error(energy, starts[few], states[few]), energy_error(energy, starts[few], ends[few])
    of_all = energy_error(energy, starts, states)
    return {
        "energy_error": error,
        "energy_error_of_rattle": goal,
        "energy_error_of_all": of_all,
        # NaN is never small enough.
        "agrees": error <= goal and of_all <= 2 * energy_error(energy, starts, ends),
    }


def report(states: np.ndarray, expected: np.ndarray, of_shift: Distances) -> dict:
    found = distances(states, expected)
    return {
        "same_bits": bool(np.array_equal(states, expected)),
        "distance": asdict(found),
        "distance_of_shifted_starts": asdict(of_shift),
        "agrees": agree(found, of_shift),
    }
