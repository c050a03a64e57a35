"""Known differences of section points: those that are none, and those of angles, which are found to round-off."""

import numpy

from compare_programs.places import setting

EPSILON = numpy.finfo(float).eps
ACCURACY = 4 * EPSILON  # of an observable, of its terms (accuracy_of in section_function.hpp)
WRAPPED = ("azimuth", "azimuth_difference", "node")  # angles that jump from pi to -pi
OF_POINTS = ("section/state", "section/time", "section/step", "section/trajectory")


def keys(file):
    """(trajectory, step, number within it) of the points of a file, which has a row for each."""
    seen, found = {}, []
    for pair in zip(file["section/trajectory"][()].tolist(), file["section/step"][()].tolist()):
        seen[pair] = seen.get(pair, -1) + 1
        found.append((*pair, seen[pair]))
    return found


def of_points(file, count):
    """/section/point of so many: the name of a dimension, whose numbers are all zero."""
    return numpy.zeros(count, file["section/point"].dtype)


def without(old, new, are_known):
    """Arrays that are expected of a new file in place of the old one's, if its points are the old ones without some that
    are known: are_known(rows) of the old file. Else empty."""
    before, after = keys(old), keys(new)
    left = set(after)
    rows = numpy.flatnonzero([key not in left for key in before])
    if rows.size == 0 or len(before) - rows.size != len(after) or not are_known(rows):
        return {}
    kept = numpy.delete(numpy.arange(len(before)), rows)
    trajectories = old["section/trajectory"][()]
    gone = numpy.bincount(trajectories[rows], minlength=len(old["section/count"]))
    return {"section/count": old["section/count"][()] - gone.astype(old["section/count"].dtype),
            "section/point": of_points(old, len(kept)),
            **{name: old[name][()][kept] for name in OF_POINTS}}


def without_round_off(pair):
    """Without points between two states that are both on the section, to the accuracy of its column; as many as the new
    file says."""
    old, new = pair.old, pair.new
    name, value = setting(old, "section", "name"), setting(old, "section", "value", 0)

    def are_known(rows):
        columns = list(old["final/state"].attrs["columns"])
        if name not in columns:
            return False
        with pair.again("--set", "record.snapshots=1") as file:
            states = file["snapshots/state"][()]
        trajectories, steps = (old[f"section/{key}"][()][rows] for key in ("trajectory", "step"))
        ends = states[trajectories, steps], states[trajectories, steps + 1]
        bound = ACCURACY * (abs(value) + abs(ends[0]).sum(axis=1))
        gone = numpy.bincount(trajectories, minlength=len(states))
        return (all((abs(end[:, columns.index(name)] - value) <= bound).all() for end in ends)
                and numpy.array_equal(gone, new["section/round_off"][()]))

    return without(old, new, are_known)


def without_jumps(pair):
    """Without points of trajectories that stay in a plane with the vertical axis, all of them: their azimuth has two
    values, and jumps."""
    old, new = pair.old, pair.new

    def are_known(rows):
        states = old["initial/state"][()]
        vectors = states.reshape(len(states), -1, 3)[:, :, :2]
        stretch = numpy.linalg.svd(vectors, compute_uv=False)
        in_plane = stretch[:, 1] <= ACCURACY * stretch[:, 0]
        trajectories = old["section/trajectory"][()][rows]
        return in_plane[trajectories].all() and not numpy.isin(trajectories, new["section/trajectory"][()]).any()

    is_azimuth = setting(old, "section", "name") in WRAPPED[:2]
    return without(old, new, are_known) if is_azimuth else {}


def is_rounded_angle(pair, name, x, y):
    """Which numbers of a section of a wrapped angle differ by round-off, of a state's length or of the time."""
    if name not in OF_POINTS[:2] or setting(pair.old, "section", "name") not in WRAPPED:
        return False
    size = abs(x) + abs(pair.old.attrs["step"]) if x.ndim == 1 else numpy.linalg.norm(x, axis=1)[:, None]
    return abs(y - x) <= 2 * ACCURACY * size  # both programs are as close to the section as its accuracy
