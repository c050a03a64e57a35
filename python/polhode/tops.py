"""Rigid bodies and tops from the state columns of a file: angular momentum, vertical, energy.

The columns are pi1 pi2 pi3 and gamma1 gamma2 gamma3 (the vertical in the body frame) or qw qx qy qz (attitude, body to
space, Gamma = Q^T e3); the parameters inertia [3], chi [3] and c. States are arrays [..., dim], vectors [..., 3].
"""

from __future__ import annotations

import numpy as np

from polhode.errors import InputError
from polhode.results import Result

PI = ("pi1", "pi2", "pi3")
GAMMA = ("gamma1", "gamma2", "gamma3")
QUATERNION = ("qw", "qx", "qy", "qz")


def require_body(result: Result, view: str) -> None:
    """Raises InputError where there is no angular momentum in the states."""
    if result.column_numbers(*PI) is None:
        system = result.attributes.get("system", "its system")
        raise InputError(
            f"cannot draw {result.source} as {view} ({system} has no columns pi1, pi2, pi3). "
            "Give a result of a top or a rigid body."
        )


def inertia(result: Result) -> np.ndarray | None:
    """[3], the principal moments; None where the file has none that are positive."""
    moments = np.asarray(result.parameters.get("inertia", ()), dtype=float)
    return moments if moments.shape == (3,) and (moments > 0).all() else None


def weight(result: Result) -> np.ndarray | None:
    """[3], c chi, where the potential energy is c chi.Gamma; None where the file lacks one of them."""
    chi, c = result.parameters.get("chi"), result.parameters.get("c")
    if chi is None or c is None or np.shape(chi) != (3,) or np.shape(c) != ():
        return None
    return float(c) * np.asarray(chi, dtype=float)


def momentum(result: Result, state: np.ndarray) -> np.ndarray:
    """Pi."""
    return state[..., result.column_numbers(*PI)]


def vertical(result: Result, state: np.ndarray) -> np.ndarray | None:
    """Gamma; None where the state does not determine it."""
    if (gamma := result.column_numbers(*GAMMA)) is not None:
        return state[..., gamma]
    if (attitude := result.column_numbers(*QUATERNION)) is None:
        return None
    w, x, y, z = np.moveaxis(state[..., attitude], -1, 0)
    return np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z], axis=-1)


def invariants(result: Result, state: np.ndarray) -> dict[str, np.ndarray] | None:
    """Energy, |Gamma|^2 and Pi.Gamma [...] by name; None where columns or parameters of a top are missing."""
    moments, potential, gamma = inertia(result), weight(result), vertical(result, state)
    if result.column_numbers(*PI) is None or moments is None or potential is None or gamma is None:
        return None
    pi = momentum(result, state)
    return {
        "energy": twice_kinetic_energy(pi, moments) / 2 + gamma @ potential,
        "gamma_squared": np.sum(gamma * gamma, axis=-1),
        "pi_dot_gamma": np.sum(pi * gamma, axis=-1),
    }


def twice_kinetic_energy(pi: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """[...], sum Pi_i^2 / I_i."""
    return np.asarray(np.sum(pi * pi / moments, axis=-1))
