"""heyoka: Taylor's method of adaptive order and step, a batch of orbits in the lanes of a register, the section as an
event. F. Biscani and D. Izzo, Mon. Not. R. Astron. Soc. 504 (2021) 2614.
"""

from __future__ import annotations

import heyoka
import numpy as np

from contender import AT_START, Contender, Outcome, Unusable, clocked
from problems import Problem, Starts

TOLERANCES = (1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-15)
WIDTH = heyoka.recommended_simd_size()  # twice as many lanes were no faster (top, pendulum), half as many slower (top)
VERSION = heyoka.__version__


def contenders(problem: Problem, starts: Starts) -> list[Contender]:
    return [
        Contender("heyoka", method, f"tolerance {tolerance:g}", runner(problem, starts, tolerance, section), section)
        for method, section in (("Taylor", True), ("Taylor, no section", False))
        for tolerance in TOLERANCES
    ]


def equations_of(problem: Problem, starts: Starts) -> tuple[list, object]:
    """Pairs of variable and derivative, and the section."""
    system = problem.system(starts.parameters)
    variables = heyoka.make_vars(*(f"x{k}" for k in range(starts.states.shape[1])))
    return list(zip(variables, system.equations(variables))), system.section(variables)


def runner(problem: Problem, starts: Starts, tolerance: float, section: bool):
    equations, surface = equations_of(problem, starts)
    points, first = [], 0

    def keep(_, time, __, lane):  # not the state, for which Python asks in another microsecond
        points.append((time, first + lane))

    events = [heyoka.nt_event_batch(surface, keep, direction=heyoka.event_direction.positive)] if section else []
    start = np.zeros((len(equations), WIDTH))
    integrator = heyoka.taylor_adaptive_batch(equations, start, tol=tolerance, nt_events=events, compact_mode=False)

    def integrate() -> np.ndarray:
        nonlocal first
        points.clear()
        states = np.empty_like(starts.states)
        for first in range(0, len(states), WIDTH):
            batch = slice(first, first + WIDTH)
            integrator.set_time(0.0)
            integrator.state[:] = starts.states[batch].T
            integrator.propagate_until(problem.time)
            if any(result[0] != heyoka.taylor_outcome.time_limit for result in integrator.propagate_res):
                raise Unusable("an orbit did not reach the end")
            states[batch] = integrator.state.T
        return states

    def repeat(spans: int) -> np.ndarray:
        """The same span again and again: with loose tolerances the pendulum leaves its constraints in longer times."""
        for _ in range(spans):
            states = integrate()
        return states

    def run(spans: int) -> Outcome:
        states, seconds = clocked(lambda: repeat(spans))
        return Outcome(states, sum(1 for time, _ in points if time > AT_START), seconds)

    return run


def reference(problem: Problem, starts: Starts) -> tuple[np.ndarray, int]:
    """States [n, dim] after a span, and the number of section points, in extended precision."""
    equations, surface = equations_of(problem, starts)
    real = np.longdouble
    points = []
    event = heyoka.nt_event(
        surface, lambda _, time, __: points.append(time), direction=heyoka.event_direction.positive, fp_type=real
    )
    integrator = heyoka.taylor_adaptive(
        equations, np.zeros(len(equations), dtype=real), tol=real("1e-18"), nt_events=[event], fp_type=real
    )
    states = np.empty(starts.states.shape, dtype=real)
    for orbit, start in enumerate(starts.states):
        integrator.time = real(0)
        integrator.state[:] = start
        integrator.propagate_until(real(problem.time))
        states[orbit] = integrator.state
    return states, sum(1 for time in points if time > AT_START)
