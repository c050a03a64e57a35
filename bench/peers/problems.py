"""What is compared: the problems, and with which methods and steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import systems

ROUND_OFF = 4 * np.finfo(float).eps
MOST_SWEEPS = 40

# Kahan & Li 1997, order 8, as in include/polhode/method/compositions.hpp.
_HALF = (0.13020248308889008, 0.56116298177510838, -0.38947496264484729, 0.15884190655515560, -0.39590389413323758,
         0.18453964097831571, 0.25837438768632205, 0.29501172360931030)  # fmt: skip
KAHAN_LI_8 = (*_HALF, -0.60550853383003451, *reversed(_HALF))


@dataclass(frozen=True)
class PeerMethod:
    """RATTLE over fractions of the step, as the peers who bring no method of their own have it."""

    name: str
    fractions: Sequence[float]
    steps: Sequence[float]


@dataclass(frozen=True)
class Problem:
    example: str  # of examples/, whose orbits are integrated
    system: Callable  # of systems.py
    time: float  # a span, at the end of which states are compared
    settings: Mapping[str, str]  # changes of the example
    replaced: Sequence[str]  # tables of the example that are not kept
    methods: Sequence[tuple[str, Mapping[str, str], Sequence[float]]]  # polhode's: name, keys of [method], steps
    fine: tuple[Mapping[str, str], float]  # polhode's method and step of a second reference
    peer_methods: Sequence[PeerMethod]

    def steps(self, h: float) -> int:
        """Steps in a span."""
        steps = round(self.time / h)
        assert abs(steps * h - self.time) < 1e-9 * self.time, f"{h:g} does not divide {self.time:g}"
        return steps


@dataclass(frozen=True)
class Starts:
    states: np.ndarray  # [n, dim]
    parameters: Mapping[str, Any]


PROBLEMS = {
    "heavy-top": Problem(
        example="heavy_top_section.toml",
        system=systems.heavy_top,
        time=100,
        settings={},
        replaced=(),
        methods=(
            ("RATTLE", {"name": "rattle"}, (0.1, 0.05, 0.025, 0.0125)),
            ("RATTLE, Kahan-Li 8", {"name": "rattle", "composition": "kahan-li8"}, (0.5, 0.4, 0.25, 0.2, 0.125)),
            ("RATTLE, Sofroniou-Spaletta 10", {"name": "rattle", "composition": "sofroniou-spaletta10"}, (0.4, 0.25)),
            (
                "splitting, SRKN 6 11b",
                {"name": "splitting", "coefficients": "srkn6-11b"},
                (1.0, 0.625, 0.4, 0.25, 0.125),
            ),
            ("splitting, SRKN 6 14a", {"name": "splitting", "coefficients": "srkn6-14a"}, (0.625, 0.5, 0.4, 0.3125)),
            ("splitting, SRKN 4", {"name": "splitting", "coefficients": "srkn4"}, (0.5, 0.4, 0.25)),
            ("splitting, McLachlan 4", {"name": "splitting", "coefficients": "mclachlan4"}, (0.8, 0.5, 0.4)),
            ("splitting, SRKN 8 19a", {"name": "splitting", "coefficients": "srkn8-19a"}, (0.5, 0.4, 0.3125, 0.25)),
            ("Dormand-Prince 8", {"name": "runge-kutta", "table": "dop853"}, (0.4, 0.25, 0.2, 0.125, 0.1)),
        ),
        fine=({"name": "rattle", "composition": "sofroniou-spaletta10"}, 0.1),
        peer_methods=(
            PeerMethod("RATTLE", (1.0,), (0.1, 0.05, 0.0125)),
            PeerMethod("RATTLE, Kahan-Li 8", KAHAN_LI_8, (0.4, 0.2)),
        ),
    ),
    "free-body": Problem(
        example="free_body.toml",
        system=systems.free_body,
        time=100,
        settings={"ensemble.grid": "[24, 24]", "section.name": "gamma3"},
        replaced=("record",),
        methods=(
            ("Moser-Veselov", {"name": "moser-veselov"}, (0.1, 0.05, 0.025)),
            *(
                (f"Moser-Veselov, order {order}", {"name": "moser-veselov", "order": str(order)}, (0.5, 0.25, 0.1))
                for order in (6, 8, 10)
            ),
        ),
        fine=({"name": "moser-veselov", "order": "10"}, 0.02),
        peer_methods=(
            PeerMethod("RATTLE", (1.0,), (0.1, 0.05, 0.0125)),
            PeerMethod("RATTLE, Kahan-Li 8", KAHAN_LI_8, (0.4, 0.2)),
        ),
    ),
    "double-pendulum": Problem(
        example="double_pendulum_section.toml",
        system=systems.double_pendulum,
        time=10,
        settings={
            "ensemble.from": "random",
            "ensemble.distribution": "microcanonical",
            "ensemble.count": "256",
            "ensemble.energy": "0.0",  # 46.6 above rest, where the chain folds and turns over
            "section.name": "q1x",
        },
        replaced=("ensemble", "section"),
        methods=(
            ("RATTLE", {"name": "rattle"}, (0.01, 0.005, 0.0025, 0.00125)),
            ("RK4, projected", {"name": "rk4-projected"}, (0.02, 0.01, 0.005, 0.0025)),
            *(
                (f"{title}, projected", {"name": "runge-kutta-projected", "table": table}, (0.04, 0.02, 0.01, 0.005))
                for title, table in (
                    ("Dormand-Prince 5", "dopri5"),
                    ("Verner 6", "verner6"),
                    ("Dormand-Prince 8", "dop853"),
                )
            ),
            ("RATTLE, Kahan-Li 8", {"name": "rattle", "composition": "kahan-li8"}, (0.05, 0.025, 0.0125)),
            ("variational, RK4", {"name": "variational"}, (0.02, 0.01)),
            ("variational, Dormand-Prince 8", {"name": "variational", "layer": "dop853"}, (0.04, 0.02)),
        ),
        fine=({"name": "rattle", "composition": "sofroniou-spaletta10"}, 0.01),
        peer_methods=(
            PeerMethod("RATTLE", (1.0,), (0.01, 0.005, 0.00125)),
            PeerMethod("RATTLE, Kahan-Li 8", KAHAN_LI_8, (0.05, 0.025)),
        ),
    ),
}
# As long as a top, with an energy at which errors do not grow out of every measure.
PROBLEMS["double-pendulum-long"] = replace(
    PROBLEMS["double-pendulum"],
    time=100,
    settings={**PROBLEMS["double-pendulum"].settings, "ensemble.energy": "-40.0"},  # 6.6 above rest
)


def sweeps_needed(problem: Problem, starts: Starts, fractions: Sequence[float], h: float) -> int:
    """Sweeps that settle the longest of the fractions of a step from every start, and one to spare for other states."""
    step = problem.system(starts.parameters).step
    x, longest = tuple(starts.states.T), np.max(np.abs(fractions)) * h
    last = np.array(step(x, longest, 1))
    for sweeps in range(2, MOST_SWEEPS):
        before, last = last, np.array(step(x, longest, sweeps))
        if np.all(np.abs(last - before) <= ROUND_OFF * np.max(np.abs(last))):
            return sweeps
    raise ValueError(f"a step of {h:g} does not converge")
