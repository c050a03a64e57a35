"""Numba: RATTLE as a scalar loop over steps, orbits by prange, on one thread."""

from __future__ import annotations

import numba
import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from contender import POINTS_PER_SPAN, Contender, Outcome, clocked, kept_points
from problems import Problem, Starts, sweeps_needed

MOST_GUESSES = 8
ROUND_OFF = 1e-15
VERSION = numba.__version__

compiled = numba.njit(fastmath=True)


def contenders(problem: Problem, starts: Starts) -> list[Contender]:
    numba.set_num_threads(1)
    advance = advance_of(problem, starts)
    return [
        Contender("numba", method.name, f"h = {h:g}", runner(problem, starts, advance, method.fractions, h))
        for method in problem.peer_methods
        for h in method.steps
    ]


def advance_of(problem: Problem, starts: Starts):
    dim = starts.states.shape[1]
    system = problem.system(starts.parameters, compiled)
    single, section = compiled(system.step), compiled(system.section)

    @compiled
    def step(x, h, fractions, sweeps):
        for fraction in fractions:
            x = single(x, fraction * h, sweeps)
        return x

    @compiled
    def crossing(x, h, fractions, sweeps):
        """Time into the step from x, and state, by the secant method on the length of the step."""
        before, f_before = 0.0, section(x)
        now = h
        y = step(x, now, fractions, sweeps)
        for _ in range(MOST_GUESSES):
            f_now = section(y)
            if abs(f_now) <= ROUND_OFF or f_now == f_before:
                break
            guess = now - f_now * (now - before) / (f_now - f_before)
            before, f_before, now = now, f_now, guess
            y = step(x, now, fractions, sweeps)
        return now, y

    @numba.njit(fastmath=True, parallel=True)
    def advance(states, h, steps, fractions, sweeps, rows, counts):
        for orbit in numba.prange(len(states)):
            x = to_fixed_tuple(states[orbit], dim)
            f, count = section(x), 0
            for k in range(steps):
                y = step(x, h, fractions, sweeps)
                f_last, f = f, section(y)
                if f_last < 0 and f >= 0:
                    if count < rows.shape[1]:
                        time, point = crossing(x, h, fractions, sweeps)
                        rows[orbit, count, 0] = k * h + time
                        for i in range(dim):
                            rows[orbit, count, 1 + i] = point[i]
                    count += 1
                x = y
            counts[orbit] = count
            for i in range(dim):
                states[orbit, i] = x[i]

    return advance


def runner(problem: Problem, starts: Starts, advance, fractions, h: float):
    fractions = np.array(fractions)
    steps, sweeps = problem.steps(h), sweeps_needed(problem, starts, fractions, h)
    n, dim = starts.states.shape

    def integrate(spans: int) -> tuple[np.ndarray, int]:
        states, points = starts.states.copy(), []
        for _ in range(spans):
            rows, counts = np.empty((n, POINTS_PER_SPAN, 1 + dim)), np.empty(n, dtype=np.int64)
            advance(states, h, steps, fractions, sweeps, rows, counts)
            points.append(kept_points(rows, counts))
        return states, sum(map(len, points))

    def run(spans: int) -> Outcome:
        (states, points), seconds = clocked(lambda: integrate(spans))
        return Outcome(states, points, seconds)

    return run
