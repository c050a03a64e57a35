"""The reference of two programs, to the bound of round-off. It promises no bits: where another compiler or another order
of operations makes others, the trajectories of both programs may part, but no faster than by what single steps may
differ by, times what the motion makes of a small distance. Both bounds are those of `polhode crosscheck`
(src/crosscheck), where the reference is compared with the other backends."""

import typing

import h5py
import numpy

from compare_programs.known.ends import unknown
from compare_programs.places import place, setting

# Of the length of a state, what a step may differ by (reference_bound in crosscheck.cpp); and roundings of a position,
# over what the step moves it by, which is how momenta follow from positions (check_step in checks.cpp).
STEP_BOUND, ROUNDINGS = 1e-13, 32
EPSILON = numpy.finfo(float).eps
DIRECTIONS = 10  # allowed for directions in which a distance grows faster than in the one that is tried
TOO_FAR = 0.01  # of the length; what may be further apart than that is not judged
NEARBY = 1e-9  # the distance that is tried, of a component's largest value
SAME_POINT = 1e-3  # of a step, between crossings that are one (check_section in checks.cpp)

# What follows from the states with their round-off, and is judged with them. All else must be the same.
STATES = "snapshots/state"
OF_STATES = (STATES, "final/state", "section/state", "section/time", "snapshots/invariants", "invariants/initial",
             "invariants/max_drift")


class Verdict(typing.NamedTuple):
    differences: list
    of_allowed: float  # the largest distance, over what is allowed there


def nearby(states, generator):
    """States near others, to see how distances grow; polhode moves them back to the constraints."""
    return states + NEARBY * abs(states).max(axis=0) * generator.standard_normal(states.shape)


def is_of_round_off(comparison):
    """Whether only numbers differ that follow from the states, which do so themselves."""
    return STATES in comparison.numbers and len(comparison.differences) == len(comparison.numbers.intersection(OF_STATES))


class Motion:
    """Trajectories with every step, and what others may be apart from them: `allowed` [trajectory, time]."""

    def __init__(self, states, beside, steps, of_halves):
        self.states = states
        self.parts = 2 if of_halves else 1  # positions and momenta
        known = numpy.arange(states.shape[1]) <= steps[:, None]
        self.scale = self.lengths(states).max(axis=1, where=known[:, :, None], initial=0)
        self.scale[self.scale == 0] = 1  # what has no length has no distance
        apart = self.distances(states - beside, self.scale[:, None])
        growth = numpy.maximum.accumulate(apart / apart[:, :1], axis=1)
        moved = self.lengths(numpy.diff(states, axis=1))[:, :, 0]
        with numpy.errstate(divide="ignore"):
            single = STEP_BOUND + numpy.where(moved > 0, ROUNDINGS * EPSILON * self.scale[:, :1] / moved, 0)
        # At the start, which is moved to the constraints, as after a step.
        sum_of_steps = numpy.insert(numpy.cumsum(single, axis=1), 0, single[:, 0], axis=1)
        self.allowed = numpy.where(known, DIRECTIONS * growth * sum_of_steps, numpy.inf)

    def lengths(self, states):
        """Of the parts of states [..., dim]."""
        return numpy.stack([numpy.linalg.norm(part, axis=-1) for part in numpy.split(states, self.parts, axis=-1)], axis=-1)

    def distances(self, differences, scale):
        return (self.lengths(differences) / scale).max(axis=-1)

    def allowed_on_section(self, trajectory, step, column):
        """Points lie on the section, so that they are apart by the states' distance and by what the crossing's time is
        off: the observable's distance over its speed, times that of the motion. Speeds are those of the step's secant."""
        moved = self.states[trajectory, step + 1] - self.states[trajectory, step]
        scale = self.scale[trajectory]
        crossed = abs(moved[:, column]) / scale[:, column * self.parts // moved.shape[1]]
        with numpy.errstate(divide="ignore", invalid="ignore"):  # nothing is judged where it does not cross, or rests
            return self.allowed[trajectory, step + 1] * (1 + self.distances(moved, scale) / crossed)


def judge(old_path, new_path, nearby_path, of_halves):
    """Files of runs with a snapshot of every step. nearby: the old program's, from states near those of the others."""
    with h5py.File(old_path) as old, h5py.File(new_path) as new, h5py.File(nearby_path) as beside:
        steps = old["status/step"][()]
        motion = Motion(old[STATES][()], beside[STATES][()], steps, of_halves)
        if not (motion.allowed[:, 1:] < TOO_FAR).any():
            return Verdict([f"/{STATES}: nothing can be compared on the reference"], numpy.inf)
        verdicts = [verdict(old, name, distance, allowed)
                    for name, distance, allowed in distances(old, new, motion, steps)]
    return Verdict([words for found in verdicts for words in found.differences],
                   max(found.of_allowed for found in verdicts))


def distances(old, new, motion, steps):
    """(dataset, distances, what is allowed) of each one in OF_STATES."""
    def off(name):
        return numpy.where(unknown(old, name), 0, new[name][()] - old[name][()])

    at_end = motion.allowed[numpy.arange(len(steps)), steps]
    yield STATES, motion.distances(off(STATES), motion.scale[:, None]), motion.allowed
    yield "final/state", motion.distances(off("final/state"), motion.scale), at_end

    trajectory, step = old["section/trajectory"][()], old["section/step"][()]
    column = list(old["final/state"].attrs["columns"]).index(setting(old, "section", "name"))
    allowed = motion.allowed_on_section(trajectory, step, column)
    yield "section/state", motion.distances(off("section/state"), motion.scale[trajectory]), allowed
    yield ("section/time", abs(off("section/time") / old.attrs["step"]),
           numpy.where(allowed < TOO_FAR, SAME_POINT, numpy.inf))

    # An invariant's terms are as large as its largest value, since they do not cancel on every trajectory; but for
    # constraints and momenta that vanish on all, which are of second and first degree in the states.
    length = motion.scale.sum(axis=1)[:, None]
    size = numpy.nanmax(abs(old["snapshots/invariants"][()]), axis=(0, 1)) + length + length**2
    yield "snapshots/invariants", (abs(off("snapshots/invariants")) / size[:, None]).max(axis=-1), motion.allowed
    yield "invariants/initial", (abs(off("invariants/initial")) / size).max(axis=-1), motion.allowed[:, 0]
    yield "invariants/max_drift", (abs(off("invariants/max_drift")) / size).max(axis=-1), at_end


def verdict(file, name, distance, allowed):
    of_allowed = numpy.where(allowed < TOO_FAR, distance / allowed, 0)
    if of_allowed.size == 0:
        return Verdict([], 0)
    at = numpy.unravel_index(of_allowed.argmax(), of_allowed.shape)
    if of_allowed[at] <= 1:
        return Verdict([], of_allowed[at])
    return Verdict([f"/{name}: {place(file, name, at)}: {distance[at]:.1e} apart, {allowed[at]:.1e} allowed"],
                   of_allowed[at])
