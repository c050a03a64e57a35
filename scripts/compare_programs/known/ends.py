"""Known differences of how trajectories and runs end."""

import h5py
import numpy

from compare_programs.known import charts
from compare_programs.places import setting, tables

# The one that the program writes; another one would be a difference.
NAN = numpy.float64(numpy.nan).view("u8")
INVARIANTS_EVERY = 16  # record.invariants_every, where it is not given
# /status/code of trajectories that went on to the end of their run, that failed in a step, that left the domain of their
# system, and that ended on their section.
OK, NOT_CONVERGED, NOT_FINITE, LEFT_DOMAIN, EVENT = range(5)


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
    if name != "status/code" or pair.old.attrs["system"] not in charts.EDGES:
        return False
    return numpy.isin(x, (NOT_CONVERGED, NOT_FINITE)) & (y == LEFT_DOMAIN) & charts.are_at_edge(pair.old)


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
