"""The reference of two programs, to the bound of round-off. It promises no bits: where another compiler or another order
of operations makes others, the trajectories of both programs may part, but no faster than by what single steps may
differ by, times what the motion makes of a small distance. Both bounds are those of `polhode crosscheck`
(src/crosscheck), where the reference is compared with the other backends."""

import typing

import h5py
import numpy

# Of the length of a state, what a step may differ by (reference_bound in crosscheck.cpp); and roundings of a position,
# over what the step moves it by, which is how momenta follow from positions (check_step in checks.cpp).
STEP_BOUND, ROUNDINGS = 1e-13, 32
EPSILON = numpy.finfo(float).eps
DIRECTIONS = 10  # allowed for directions in which a distance grows faster than in the one that is tried
TOO_FAR = 0.01  # of the length; what may be further apart than that is not judged
NEARBY = 1e-9  # the distance that is tried, of a component's largest value

# What follows from the states with their round-off, and is judged with them. All else must be the same.
OF_STATES = ("/final/state: ", "/snapshots/state: ", "/snapshots/invariants: ", "/invariants/initial: ",
             "/invariants/max_drift: ", "/section/state: ", "/section/time: ")


class Verdict(typing.NamedTuple):
    differences: list
    of_allowed: float  # the largest distance, over what is allowed there


def nearby(states, generator):
    """States near others, to see how distances grow; polhode moves them back to the constraints."""
    return states + NEARBY * abs(states).max(axis=0) * generator.standard_normal(states.shape)


def halves(states, of_halves):
    """Lengths [trajectory, time, part] of states [trajectory, time, dim]; positions and momenta are two parts."""
    parts = numpy.split(states, 2, axis=2) if of_halves else [states]
    return numpy.stack([numpy.linalg.norm(part, axis=2) for part in parts], axis=2)


def judge(old_path, new_path, nearby_path, of_halves):
    """Files of runs with a snapshot of every step. nearby: the old program's, from states near those of the others."""
    with h5py.File(old_path) as old, h5py.File(new_path) as new, h5py.File(nearby_path) as beside:
        x, y, z = (file["snapshots/state"][()] for file in (old, new, beside))
        steps = old["status/step"][()]
    scale = halves(x, of_halves).max(axis=1)[:, None, :]
    scale[scale == 0] = 1  # what has no length has no distance
    distance = (halves(x - y, of_halves) / scale).max(axis=2)
    apart = (halves(x - z, of_halves) / scale).max(axis=2)
    growth = numpy.maximum.accumulate(apart / apart[:, :1], axis=1)
    moved = halves(numpy.diff(x, axis=1), of_halves)[:, :, 0]
    with numpy.errstate(divide="ignore"):
        single = STEP_BOUND + numpy.where(moved > 0, ROUNDINGS * EPSILON * scale[:, :, 0] / moved, 0)
    allowed = DIRECTIONS * growth[:, 1:] * numpy.cumsum(single, axis=1)
    judged = (allowed < TOO_FAR) & (numpy.arange(1, x.shape[1]) <= steps[:, None])
    if not judged.any():
        return Verdict(["/snapshots/state: nothing can be compared on the reference"], numpy.inf)
    of_allowed = numpy.where(judged, distance[:, 1:] / allowed, 0)
    k, t = numpy.unravel_index(of_allowed.argmax(), of_allowed.shape)
    if of_allowed[k, t] <= 1:
        return Verdict([], of_allowed[k, t])
    return Verdict([f"/snapshots/state: trajectory {k}, step {t + 1}: {distance[k, t + 1]:.1e} apart, "
                    f"{allowed[k, t]:.1e} allowed"], of_allowed[k, t])
