"""diffrax: Tsit5 with steps of constant length, of which it takes as few as keep the energy as well as RATTLE does."""

from __future__ import annotations

import math
from collections.abc import Callable

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

import systems
from agreement import energy_error, energy_report
from contender import Contender, Unusable
from jax_contender import contender
from top import H, Top

VERSION = f"diffrax {diffrax.__version__}"
SAMPLE = 1024  # orbits from which the step is found
RATIO = 2**0.25  # of a step of the search and the next
LONGEST = 16.0  # step, in units of RATTLE's


def orbit_of(problem: Top, most_steps: int):
    """(start [6], steps) -> end [6]."""
    equations, time = systems.heavy_top(problem.parameters).equations, problem.steps * H
    term = diffrax.ODETerm(lambda t, x, _: jnp.stack(equations(x)))

    def orbit(x, steps):
        solution = diffrax.diffeqsolve(
            term,
            diffrax.Tsit5(),
            t0=0.0,
            t1=time,
            dt0=time / steps,
            y0=x,
            stepsize_controller=diffrax.ConstantStepSize(),
            saveat=diffrax.SaveAt(t1=True),
            max_steps=most_steps,
        )
        return solution.ys[0]

    return orbit


def fewest_steps(problem: Top, energy: Callable) -> int:
    """Those that keep the energy of the sample as well as RATTLE does."""
    starts, ends = problem.starts[:, :SAMPLE], problem.ends[:, :SAMPLE]
    goal = energy_error(energy, starts, ends)
    most = 4 * problem.steps
    solve = jax.jit(jax.vmap(orbit_of(problem, most + 2), in_axes=(1, None), out_axes=1))
    steps = problem.steps / LONGEST
    while steps <= most:
        tried = math.ceil(steps)
        error = energy_error(energy, starts, np.asarray(solve(starts, float(tried))))
        if error <= goal:
            return tried
        steps *= RATIO
    raise Unusable(f"no step down to {H / 4:g} keeps the energy to {goal:.1e}")


def top(problem: Top, device: str) -> tuple[Contender, Callable[[np.ndarray], dict]]:
    """With what is said of its states."""
    energy = systems.heavy_top(problem.parameters).energy
    steps = fewest_steps(problem, energy)
    # Round-off may leave a last step of nothing.
    orbit = orbit_of(problem, steps + 2)
    function = jax.vmap(lambda x: tuple(orbit(x, float(steps))), in_axes=1)
    setting = f"Tsit5, {steps} steps of {problem.steps * H / steps:.4g}"

    def judge(states: np.ndarray) -> dict:
        found = energy_report(energy, problem.starts, problem.ends, states, SAMPLE)
        return {**found, "steps_of_contender": steps}

    return contender(function, problem.starts, setting, "diffrax"), judge
