"""Differences that are known and allowed with --expect: each is judged by what the old program says of the run."""

import numpy

from compare_programs.places import every

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
    """Of a dataset of an old file: which elements lie after the end that its own /status has, or were never compared;
    None where there are no such elements. It broadcasts to the dataset's shape."""
    steps = file["status/step"][()]
    if name in ("snapshots/state", "snapshots/invariants"):
        times = numpy.arange(file[name].shape[1]) * every(file, "record", "snapshots")
        return (times[None, :] > steps[:, None])[:, :, None]
    if name == "invariants/max_drift":
        # Invariants are compared at every so many steps, and at the last one.
        try:
            first = every(file, "record", "invariants_every")
        except KeyError:
            first = INVARIANTS_EVERY
        return (steps < min(first, file.attrs["steps"]))[:, None]
    return None


def nan_after_end(old_file, name, new):
    """Which elements of a new dataset are NaN where the old file's value means nothing; flat."""
    where = unknown(old_file, name)
    if where is None:
        return numpy.zeros(new.size, bool)
    return (numpy.broadcast_to(where, new.shape) & (new.view("u8") == NAN)).ravel()


def all_failed(file):
    codes = file["status/code"][()]
    return bool(((codes != 0) & (codes != EVENT)).all())
