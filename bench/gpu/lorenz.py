"""The Lorenz ensemble by which solvers on GPUs have been compared (README.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Lorenz:
    rho: np.ndarray  # [n], of the precision
    steps: int = 1000
    h: float = 0.001

    @property
    def precision(self) -> str:
        return "double" if self.rho.dtype == np.float64 else "single"


def ensemble(n: int, dtype: type) -> Lorenz:
    return Lorenz(np.linspace(0, 21, n).astype(dtype))
