"""Differences that are known and allowed with --expect: each is judged by what the old program says of the run."""

import typing

import h5py
import numpy

from compare_programs.known import ends, moments, passages, points, words
from compare_programs.known.grids import more_starts, old_window

NAN_AFTER_END = "nan-after-end"
FAILURE_IF_ALL_FAILED = "failure-if-all-failed"
UNITS_AND_MEANINGS = "units-and-meanings"
STATUS_MEANINGS = "status-meanings"
CIRCULAR_MOMENTS = "circular-moments"
ROUND_OFF_POINTS = "round-off-points"
POINTS_AT_JUMPS = "points-at-jumps"
ROUNDED_ANGLES = "rounded-angles"
FIRST_PASSAGES = "first-passages"
EDGES_OF_CHARTS = "edges-of-charts"
ESCAPES = "escapes"
PENDULUM_GRIDS = "pendulum-grids"
MEANINGS = {
    NAN_AFTER_END: "NaN in /snapshots after a trajectory's end, and in /invariants/max_drift of what was never compared",
    FAILURE_IF_ALL_FAILED: "exit code 1 and a message, instead of 0, where every trajectory failed",
    UNITS_AND_MEANINGS: "units that are products of mass, length and time, and words for what columns are",
    STATUS_MEANINGS: "status 8, and words of a system for how its domain is left",
    CIRCULAR_MOMENTS: "mean and variance of wrapped angles, which are those on the circle",
    ROUND_OFF_POINTS: "no section points between two states that are both on the section, to round-off",
    POINTS_AT_JUMPS: "no section points of an azimuth of a motion in a vertical plane, which jumps",
    ROUNDED_ANGLES: "section points of wrapped angles differ by round-off",
    FIRST_PASSAGES: "a terminal section ends at the first of two crossings in one step",
    EDGES_OF_CHARTS: "status 3 instead of 1 or 2 next to the edge of a chart",
    ESCAPES: "exit code 0 instead of 1 where trajectories left an open system",
    PENDULUM_GRIDS: "more starts of a grid over the section of a pendulum, whose old ones are compared",
}


class Pair(typing.NamedTuple):
    """Two open files of one run."""

    old: h5py.File
    new: h5py.File
    again: typing.Callable  # opens the file of another run by the old program, with these options


# Of a text of an attribute: of an old dataset, by its key and number there, the old and the new one.
TEXTS = {UNITS_AND_MEANINGS: words.is_unit_or_meaning, CIRCULAR_MOMENTS: words.is_circular}
# Which elements of a dataset: of a pair, by its name, the old and the new array.
ELEMENTS = {
    NAN_AFTER_END: ends.is_nan_after_end,
    CIRCULAR_MOMENTS: moments.is_circular_moment,
    ROUNDED_ANGLES: points.is_rounded_angle,
    EDGES_OF_CHARTS: ends.is_at_edge,
}
# Arrays that take the place of the old file's: of a pair whose section points are different ones.
ARRAYS = {
    ROUND_OFF_POINTS: points.without_round_off,
    POINTS_AT_JUMPS: points.without_jumps,
    FIRST_PASSAGES: passages.first_passages,
}
# Whether exit codes and messages are known: of two outcomes.
ENDS = {FAILURE_IF_ALL_FAILED: ends.is_failure_if_all_failed, ESCAPES: ends.is_escape}


def of_expected(rules, expect):
    return [rule for name, rule in rules.items() if name in expect]


def are_known_texts(expect, old, key, a, b):
    """Of an attribute of an old dataset, whose lists of texts differ."""
    if len(a) != len(b):
        return STATUS_MEANINGS in expect and words.have_one_more_status(old, key, a, b)
    rules = of_expected(TEXTS, expect)
    return all(x == y or any(rule(old, key, i, x, y) for rule in rules) for i, (x, y) in enumerate(zip(a, b)))


def known_elements(expect, pair, name, x, y):
    """Of a dataset with these arrays, of one shape."""
    known = numpy.zeros(x.shape, bool)
    for rule in of_expected(ELEMENTS, expect):
        known |= rule(pair, name, x, y)
    return known


def expected_arrays(expect, pair):
    """By the names of the datasets that they take the place of."""
    if have_same_points(pair):
        return {}
    return next(filter(None, (rule(pair) for rule in of_expected(ARRAYS, expect))), {})


def have_same_points(pair):
    """Also where one of them has none, which is no matter of points."""
    names = ("section/trajectory", "section/step")
    if not all(name in file for name in names for file in (pair.old, pair.new)):
        return True
    return all(numpy.array_equal(pair.old[name][()], pair.new[name][()]) for name in names)


def is_known_end(expect, old, new):
    return any(rule(old, new) for rule in of_expected(ENDS, expect))
