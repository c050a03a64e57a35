"""Known differences of statistics: means and variances of wrapped angles, which are those on the circle."""

import numpy

from compare_programs.known.words import ON_CIRCLE, is_wrapped
from compare_programs.places import setting

ROUNDINGS = 64  # of a sum of unit vectors, over its length (resultant and has_direction in moment_tree.hpp)
EPSILON = numpy.finfo(float).eps


def azimuth(vector):
    return numpy.arctan2(vector[..., 1], vector[..., 0])


# Wrapped angles as functions of states [..., dim], of all systems that have an observable of that name and vectors.
ANGLES = {
    "azimuth": azimuth,
    "azimuth_difference": lambda states: azimuth(states[..., 3:]) - azimuth(states),
}


def is_circular_moment(pair, name, x, y):
    """Which elements of a new dataset, y, are the circular moments of the old program's states at these times."""
    old = pair.old
    if name not in ON_CIRCLE or not is_wrapped(old[name]).any():
        return False
    known, every = numpy.zeros(y.shape, bool), setting(old, "statistics", "every")
    with pair.again("--set", f"record.snapshots={every}") as file:
        states, last = file["snapshots/state"][()], file["status/step"][()]
        steps = numpy.rint(old["statistics/time"][()] / old.attrs["step"])
        states = states[:, numpy.rint(steps / every).astype(int)]
    alive = steps <= last[:, None]
    for i in numpy.flatnonzero(is_wrapped(old[name])):
        angle = ANGLES.get(old["statistics/observables"].asstr()[i])
        if angle is None:
            continue
        with numpy.errstate(divide="ignore", invalid="ignore"):
            resultant = numpy.where(alive, numpy.exp(1j * angle(states)), 0).sum(axis=0) / alive.sum(axis=0)
            value = numpy.angle(resultant) if name == "statistics/mean" else -2 * numpy.log(abs(resultant))
            off = y[:, i] - value
            if name == "statistics/mean":
                off = numpy.angle(numpy.exp(1j * off))
            known[:, i] = abs(off) <= ROUNDINGS * EPSILON / abs(resultant)
    return known
