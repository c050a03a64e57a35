"""Known differences of how trajectories and runs end."""

import h5py
import numpy

from compare_programs.places import parameter, setting, tables

# The one that the program writes; another one would be a difference.
NAN = numpy.float64(numpy.nan).view("u8")
INVARIANTS_EVERY = 16  # record.invariants_every, where it is not given
# /status/code of trajectories that went on to the end of their run, that failed in a step, that left the domain of their
# system, and that ended on their section.
OK, NOT_CONVERGED, NOT_FINITE, LEFT_DOMAIN, EVENT = range(5)
STEPS_TO_EDGE = 32  # within which a step that fails has left a chart (system/cyclic_coordinate.hpp)


def invariants_every(file):
    return tables(file).get("record", {}).get("invariants_every", INVARIANTS_EVERY)


def unknown(file, name):
    """Of a dataset of an old file: which elements lie after the end that its own /status has, or were never compared."""
    where = False
    steps = file["status/step"][()]
    if name in ("snapshots/state", "snapshots/invariants"):
        times = numpy.arange(file[name].shape[1]) * setting(file, "record", "snapshots")
        where = (times[None, :] > steps[:, None])[:, :, None]
    elif name == "invariants/max_drift":
        # Invariants are compared at every so many steps, and at the last one.
        where = (steps < min(invariants_every(file), file.attrs["steps"]))[:, None]
    return numpy.broadcast_to(where, file[name].shape)


def is_nan_after_end(pair, name, x, y):
    """Which elements of a dataset, x, are NaN in the new one, y, where they mean nothing."""
    meaningless = unknown(pair.old, name)
    if meaningless.shape != y.shape:
        return False  # of starts or points that are others
    return meaningless & (y.view("u8") == NAN) if meaningless.any() else meaningless


def is_at_edge(pair, name, x, y):
    """Which elements of /status/code say that a trajectory left the domain where it only failed, next to an edge of its
    coordinates."""
    file, system = pair.old, pair.old.attrs["system"]
    if name != "status/code" or system not in TIMES_TO_EDGE:
        return False
    with numpy.errstate(divide="ignore", invalid="ignore"):
        times = TIMES_TO_EDGE[system](file, file["final/state"][()].T)
    is_near = times <= STEPS_TO_EDGE * abs(file.attrs["step"])
    return numpy.isin(x, (NOT_CONVERGED, NOT_FINITE)) & (y == LEFT_DOMAIN) & is_near


def time_to_edge_of_satellite(file, x):
    """Distance from the axis over the speed towards it or about it."""
    is_reduced = file.attrs["system"].endswith("reduced")
    r, radial, mu = x[0], x[2 if is_reduced else 3], parameter(file, "mu") if is_reduced else x[5]
    return r / numpy.hypot(radial, mu / r)


def time_to_edge_of_pendulum(file, x):
    """Distance of a rod from the vertical or the horizontal over the largest speed that the energy allows its end: the
    pendulum's bobs have m1 v1^2/2 + m2 v2^2/2 = E - V."""
    (m1, m2), (l1, l2), g = (parameter(file, name) for name in ("m", "l", "g"))
    depths = [numpy.sqrt((l - r) * (l + r)) for l, r in ((l1, x[0]), (l2, x[1]))]
    energy = list(file["invariants/names"].asstr()).index("energy")
    kinetic = (file["invariants/initial"][:, energy] + file["invariants/max_drift"][:, energy]
               + (m1 + m2) * g * depths[0] + m2 * g * depths[1])
    speeds = numpy.sqrt(2 * kinetic / m1), numpy.sqrt(2 * kinetic * (1 / m1 + 1 / m2))
    return numpy.minimum.reduce([numpy.minimum(r, depth) / speed for r, depth, speed in zip(x, depths, speeds)])


TIMES_TO_EDGE = {
    "j2-satellite-cylindrical": time_to_edge_of_satellite,
    "j2-satellite-reduced": time_to_edge_of_satellite,
    "double-spherical-pendulum-cylindrical": time_to_edge_of_pendulum,
    "double-spherical-pendulum-reduced": time_to_edge_of_pendulum,
}
# Systems in which leaving the domain is a result, of any parameters.
OPEN = ("henon-heiles",)
FAILURE = "every trajectory failed"


def codes_of(outcome):
    with h5py.File(outcome.file) as file:
        return file.attrs["system"], file["status/code"][()]


def is_failure_if_all_failed(old, new):
    """Of two outcomes: whether the new program alone fails because every trajectory of the old one's file did."""
    _, codes = codes_of(old)
    all_failed = ((codes != OK) & (codes != EVENT)).all()
    return all_failed and (old.code, new.code) == (0, 1) and FAILURE in new.message


def is_escape(old, new):
    """Of two outcomes: whether the old program alone fails because trajectories left an open system, and none has
    another result."""
    system, codes = codes_of(old)
    only_left = system in OPEN and (codes == LEFT_DOMAIN).any() and not numpy.isin(codes, (OK, EVENT)).any()
    return only_left and (old.code, new.code) == (1, 0) and FAILURE in old.message and not new.message
