"""diffrax: Tsit5 with steps of constant length, of which it takes as few as keep the energy as well as RATTLE does."""

from __future__ import annotations

import math

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

import systems
from contender import Contender, Unusable
from jax_contender import contender
from top import H, Top

VERSION = f"diffrax {diffrax.__version__}"
SAMPLE = 1024  # orbits from which the step is found
RATIO = 2**0.25  # of a step of the search and the next
LONGEST = 16.0  # step, in units of RATTLE's


def energy_error(energy, starts: np.ndarray, ends: np.ndarray) -> float:
    """Of states [6, n]: root mean square over the orbits, at the end."""
    return float(np.sqrt(np.mean((energy(ends) - energy(starts)) ** 2)))


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


def fewest_steps(problem: Top) -> tuple[int, float, float]:
    """Steps, their energy error, and that of RATTLE."""
    energy = systems.heavy_top(problem.parameters).energy
    starts, ends = problem.starts[:, :SAMPLE], problem.ends[:, :SAMPLE]
    goal = energy_error(energy, starts, ends)
    most = 4 * problem.steps
    solve = jax.jit(jax.vmap(orbit_of(problem, most + 2), in_axes=(1, None), out_axes=1))
    steps = problem.steps / LONGEST
    while steps <= most:
        tried = math.ceil(steps)
        error = energy_error(energy, starts, np.asarray(solve(starts, float(tried))))
        if error <= goal:
            return tried, error, goal
        steps *= RATIO
    raise Unusable(f"no step down to {H / 4:g} keeps the energy to {goal:.1e}")


def top(problem: Top, device: str) -> tuple[Contender, dict]:
    steps, error, goal = fewest_steps(problem)
    # Round-off may leave a last step of nothing.
    orbit = orbit_of(problem, steps + 2)
    function = jax.vmap(lambda x: tuple(orbit(x, float(steps))), in_axes=1)
    setting = f"Tsit5, {steps} steps of {problem.steps * H / steps:.4g}"
    facts = {"energy_error": error, "energy_error_of_rattle": goal, "steps": steps}
    return contender(function, problem.starts, setting, "diffrax"), facts
