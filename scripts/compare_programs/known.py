"""Differences that are known and allowed with --expect: each is judged by what the old program says of the run."""

import h5py
import numpy

from compare_programs.places import setting

NAN_AFTER_END = "nan-after-end"
FAILURE_IF_ALL_FAILED = "failure-if-all-failed"
MEANINGS = {
    NAN_AFTER_END: "NaN in /snapshots after a trajectory's end, and in /invariants/max_drift of what was never compared",
    FAILURE_IF_ALL_FAILED: "exit code 1 and a message, instead of 0, where every trajectory failed",
}
# The one that the program writes; another one would be a difference.
NAN = numpy.float64(numpy.nan).view("u8")
INVARIANTS_EVERY = 16  # record.invariants_every, where it is not given
EVENT = 4  # /status/code of a trajectory that ended on its section, which is a result


def unknown(file, name):
    """Of a dataset of an old file: which elements lie after the end that its own /status has, or were never compared."""
    where = False
    steps = file["status/step"][()]
    if name in ("snapshots/state", "snapshots/invariants"):
        times = numpy.arange(file[name].shape[1]) * setting(file, "record", "snapshots")
        where = (times[None, :] > steps[:, None])[:, :, None]
    elif name == "invariants/max_drift":
        # Invariants are compared at every so many steps, and at the last one.
        try:
            first = setting(file, "record", "invariants_every")
        except KeyError:
            first = INVARIANTS_EVERY
        where = (steps < min(first, file.attrs["steps"]))[:, None]
    return numpy.broadcast_to(where, file[name].shape)


def nan_after_end(new, unknown):
    """Which elements of a new dataset are NaN where the old file's value means nothing."""
    return unknown & (new.view("u8") == NAN) if unknown.any() else unknown


def is_failure_if_all_failed(old, new):
    """Of two outcomes: whether the new program alone fails because every trajectory of the old one's file did."""
    with h5py.File(old.file) as file:
        codes = file["status/code"][()]
    all_failed = ((codes != 0) & (codes != EVENT)).all()
    return all_failed and (old.code, new.code) == (0, 1) and "every trajectory failed" in new.message
