"""Known differences of terminal sections: first passages of methods whose steps may cross a section twice."""

import numpy

from compare_programs.known.ends import EVENT, invariants_every
from compare_programs.known.points import OF_POINTS, of_points
from compare_programs.places import setting

OF_TRAJECTORIES = ("final/state", "final/time", "status/step", "status/code", "section/count", "invariants/max_drift",
                   "snapshots/state", "snapshots/invariants")


def first_passages(pair):
    """Arrays that are expected of a new file in place of the old one's: trajectories end at the first point that the old
    program finds where the section is not terminal. Empty where these are the ends of the old file."""
    old = pair.old
    if not setting(old, "section", "terminal", False) or "statistics" in old or "section/density" in old:
        return {}
    with pair.again("--set", "section.terminal=false", "--set", "record.snapshots=1") as whole:
        trajectories, steps = whole["section/trajectory"][()], whole["section/step"][()]
        passed, rows = numpy.unique(trajectories, return_index=True)  # the first ones
        earlier = steps[rows] < old["status/step"][()][passed]
        passed, rows = passed[earlier], rows[earlier]
        return ended_at(old, whole, passed, rows) if passed.size else {}


def ended_at(old, whole, passed, rows):
    """Arrays of the old file, with ends of some trajectories at these points of a file with each step."""
    ends = whole["section/step"][()][rows]
    arrays = {name: old[name][()] for name in OF_TRAJECTORIES if name in old}
    arrays["final/state"][passed] = whole["snapshots/state"][()][passed, ends]
    arrays["final/time"][passed] = whole["snapshots/time"][()][ends]
    arrays["status/step"][passed], arrays["status/code"][passed], arrays["section/count"][passed] = ends, EVENT, 1
    every, shown = invariants_every(old), setting(old, "record", "snapshots", 0)
    for k, end in zip(passed, ends):
        if "invariants/max_drift" in arrays:
            changes = abs(whole["snapshots/invariants"][k, every:end + 1:every] - whole["invariants/initial"][k])
            arrays["invariants/max_drift"][k] = changes.max(axis=0) if len(changes) else numpy.nan
        for name in arrays.keys() & {"snapshots/state", "snapshots/invariants"}:
            arrays[name][k, end // shown + 1:] = numpy.nan
    others = numpy.flatnonzero(~numpy.isin(old["section/trajectory"][()], passed))
    order = numpy.argsort(numpy.concatenate([old["section/trajectory"][()][others], passed]), kind="stable")
    for name in OF_POINTS:
        arrays[name] = numpy.concatenate([old[name][()][others], whole[name][()][rows]])[order]
    arrays["section/point"] = of_points(old, len(order))
    return arrays
