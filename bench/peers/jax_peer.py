"""JAX: RATTLE by lax.fori_loop over steps, jax.vmap over orbits, jitted, in double precision."""

from __future__ import annotations

import os

# Before JAX reads them. A core, not the threads of a machine, is compared.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from contender import POINTS_PER_SPAN, Contender, Outcome, clocked, kept_points
from problems import Problem, Starts, sweeps_needed

GUESSES = 6
VERSION = jax.__version__

jax.config.update("jax_enable_x64", True)


def contenders(problem: Problem, starts: Starts) -> list[Contender]:
    return [
        Contender("jax", method.name, f"h = {h:g}", runner(problem, starts, method.fractions, h))
        for method in problem.peer_methods
        for h in method.steps
    ]


def advance_of(problem: Problem, starts: Starts, fractions, sweeps: int):
    system = problem.system(starts.parameters)
    fractions = jnp.array(fractions)

    def step(x, h):
        return lax.fori_loop(0, len(fractions), lambda k, x: system.step(x, fractions[k] * h, sweeps), x)

    def orbit(x, h, steps):
        """The state at the end, how often it crosses, and time and state before each crossing."""

        def body(k, carry):
            x, count, rows = carry
            y = step(x, h)
            crosses = (system.section(x) < 0) & (system.section(y) >= 0)
            row = jnp.stack((k * h, *x))
            rows = rows.at[jnp.where(crosses, count, POINTS_PER_SPAN)].set(row, mode="drop")
            return y, count + crosses, rows

        return lax.fori_loop(0, steps, body, (x, 0, jnp.zeros((POINTS_PER_SPAN, 1 + len(x)))))

    def crossing(row, h):
        """Time and state of the crossing after a row, by the secant method on the length of the step."""
        x = tuple(row[1:])

        def body(_, carry):
            before, f_before, now, f_now = carry
            change = f_now - f_before
            guess = now - jnp.where(change == 0, 0, f_now * (now - before) / change)
            return now, f_now, guess, system.section(step(x, guess))

        first = (jnp.zeros_like(h), system.section(x), h, system.section(step(x, h)))
        _, _, time, _ = lax.fori_loop(0, GUESSES, body, first)
        return jnp.stack((row[0] + time, *step(x, time)))

    @jax.jit
    def advance(x, h, steps):
        x, counts, rows = jax.vmap(orbit, in_axes=(0, None, None))(x, h, steps)

        def refine(k, rows):  # the k-th point of all orbits: in a loop over orbits a carried array would be copied
            return rows.at[:, k].set(jax.vmap(crossing, in_axes=(0, None))(rows[:, k], h))

        return x, counts, lax.fori_loop(0, jnp.minimum(counts.max(), POINTS_PER_SPAN), refine, rows)

    return advance


def runner(problem: Problem, starts: Starts, fractions, h: float):
    advance = advance_of(problem, starts, fractions, sweeps_needed(problem, starts, fractions, h))
    steps = problem.steps(h)
    first = tuple(jnp.asarray(column) for column in starts.states.T)

    def integrate(spans: int) -> tuple[np.ndarray, int]:
        x, points = first, []
        for _ in range(spans):
            x, counts, rows = advance(x, h, steps)
            points.append(kept_points(np.asarray(rows), np.asarray(counts)))
        return np.stack(x, axis=1), sum(map(len, points))

    def run(spans: int) -> Outcome:
        (states, points), seconds = clocked(lambda: integrate(spans))
        return Outcome(states, points, seconds)

    return run
