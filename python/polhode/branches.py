"""Branches of a top's section: the states over one point of its plane that have the same sign of Pi1.

In the plane (Pi2, Pi3) of a section at constant Gamma3 the remaining Pi1 and (Gamma1, Gamma2) are determined by the
energy, by Pi.Gamma and by the length of Gamma, but not uniquely where the centre of mass is off axis 3. Given Pi2, Pi3,
Pi.Gamma and the sign of D = Gamma1 Pi2 - Gamma2 Pi1, the vector Gamma is a function of Pi1. The energy is then a
function of Pi1, too, and grows with |Pi1| at the solution with the largest |Pi1|, falls at the next one, and so on. The
points of a file are told apart by the sign of D and the rank of |Pi1|, which needs no other point. The groups and their
order are those of the branches pi1+, pi1+2, ... of [ensemble].
"""

from __future__ import annotations

import numpy as np

from polhode import tops
from polhode.chart import Chart
from polhode.results import Result

RANKS = 3
MOST = 2 * RANKS  # numbers: RANKS * (D <= 0) + rank, ranks from 0
SIZE = "|\N{GREEK CAPITAL LETTER PI}\N{SUBSCRIPT ONE}|"
DIFFERENCE = "{gamma}{one}{pi}{two} {{}} {gamma}{two}{pi}{one}".format(
    gamma="\N{GREEK CAPITAL LETTER GAMMA}",
    pi="\N{GREEK CAPITAL LETTER PI}",
    one="\N{SUBSCRIPT ONE}",
    two="\N{SUBSCRIPT TWO}",
)
SAMPLES = 64
BLOCK_ROWS = 1 << 16


def are_apart(result: Result, chart: Chart) -> bool:
    """Whether the section is drawn in the plane of Pi2 and Pi3, one half of it, from points that have all columns."""
    return (
        chart.side == tops.PI[0]
        and chart.sign != 0
        and {chart.horizontal.column, chart.vertical.column} == set(tops.PI[1:])
        and result.section is not None
        and len(result.section.columns) == len(result.columns)
    )


def numbers(result: Result, chart: Chart, state: np.ndarray) -> np.ndarray:
    """[k] the branch of each section state [k, dim]; 0 for all where branches are not known."""
    number, moments, weight = np.zeros(len(state), int), tops.inertia(result), tops.weight(result)
    if moments is None or weight is None or not are_apart(result, chart):
        return number
    for first in range(0, len(state), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        if (gamma := tops.vertical(result, state[rows])) is not None:
            number[rows] = _numbers(tops.momentum(result, state[rows]), gamma, moments[0], weight[:2])
    return number


def _numbers(pi: np.ndarray, gamma: np.ndarray, first_moment: float, weight: np.ndarray) -> np.ndarray:
    """[k] the branches of a top of weight [2] (c chi1, c chi2)."""
    across = gamma[:, 0] * pi[:, 1] - gamma[:, 1] * pi[:, 0]  # D
    group = np.asarray(RANKS * (across <= 0))
    if not weight.any():
        return group  # the energy is Pi1^2 and a constant
    turning = gamma[:, 0] * (weight[1] * gamma[:, 0] - weight[0] * gamma[:, 1])
    slope = (pi[:, 0] * across / first_moment - turning) * np.sign(across) * np.sign(pi[:, 0])  # of the energy in |Pi1|
    beyond = _has_lower_energy_beyond(pi, gamma, across, first_moment, weight)
    return group + np.where(slope < 0, 1, 2 * beyond)


def _has_lower_energy_beyond(
    pi: np.ndarray, gamma: np.ndarray, across: np.ndarray, first_moment: float, weight: np.ndarray
) -> np.ndarray:
    """[k] whether the energy is lower than at the states for some larger |Pi1|, so that there are two states beyond."""
    radius = np.hypot(gamma[:, 0], gamma[:, 1])
    along = np.sum(pi[:, :2] * gamma[:, :2], axis=1)
    potential = gamma[:, :2] @ weight
    reach = 4 * first_moment * np.linalg.norm(weight) * radius  # from there on the kinetic energy alone is larger
    lower = np.zeros(len(pi), bool)
    for part in (np.arange(1, SAMPLES) / SAMPLES) ** 2:  # dense near the states, where two more may lie close together
        pi1 = np.sign(pi[:, 0]) * np.sqrt(pi[:, 0] ** 2 + part * reach)
        squared = pi1**2 + pi[:, 1] ** 2
        turn = np.sign(across) * np.sqrt(np.maximum(radius**2 * squared - along**2, 0))
        gamma1, gamma2 = (along * pi1 + turn * pi[:, 1]) / squared, (along * pi[:, 1] - turn * pi1) / squared
        lower |= part * reach / (2 * first_moment) + gamma1 * weight[0] + gamma2 * weight[1] < potential
    return lower


def names(present: np.ndarray) -> list[str]:
    """What tells the branches that are present apart, one text for each."""
    groups, ranks = np.unique(present // RANKS), np.unique(present % RANKS)
    by_rank = ("larger", "smaller") if ranks.max() < 2 else ("largest", "second largest", "third largest")
    texts = []
    for number in present:
        parts = []
        if len(groups) > 1:
            parts.append(DIFFERENCE.format("><"[number // RANKS]))
        if len(ranks) > 1:
            parts.append(f"{by_rank[number % RANKS]} {SIZE}")
        texts.append(", ".join(parts))
    return texts
