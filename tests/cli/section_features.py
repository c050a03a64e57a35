"""Features of a section, counted from the returns of orbits: fixed points from first returns, chains of islands."""

import numpy


def fixed_points(starts, returns):
    """(places [k, 2], indices [k]) of the fixed points of a map, from a grid of points [n, 2] and what they are mapped to.
    The index is how often the displacement turns as one goes around a cell: 1 about a centre, -1 about a saddle."""
    axes, places = zip(*(numpy.unique(column.round(12), return_inverse=True) for column in starts.T))
    displacement = numpy.full([len(axis) for axis in axes], numpy.nan, complex)
    displacement[places] = (returns - starts) @ [1, 1j]
    corners = displacement[:-1, :-1], displacement[1:, :-1], displacement[1:, 1:], displacement[:-1, 1:]
    turns = sum(numpy.angle(after * before.conj()) for before, after in zip(corners, corners[1:] + corners[:1]))
    index = numpy.nan_to_num(turns / (2 * numpy.pi)).round().astype(int)
    middles = [(axis[1:] + axis[:-1]) / 2 for axis in axes]
    i, j = numpy.nonzero(index)
    return numpy.stack([middles[0][i], middles[1][j]], axis=1), index[i, j]


def islands(points, most=12):
    """[n]: over how many islands the points [n, m, 2] of each of n orbits are spread, which it visits in turn. Boxes
    about all islands are disjoint."""
    count = numpy.ones(len(points), int)
    for k in range(most, 1, -1):
        turns = points[:, : points.shape[1] // k * k].reshape(len(points), -1, k, 2)
        low, high = turns.min(axis=1), turns.max(axis=1)
        beside = (low[:, :, None] > high[:, None]).any(axis=3)
        count[(beside | beside.swapaxes(1, 2) | numpy.eye(k, dtype=bool)).all(axis=(1, 2))] = k
    return count


def surround(points, centre, widest=1.0):
    """[n]: whether the points [n, m, 2] of each of n orbits lie on all sides of a centre, with no gap wider than an angle."""
    angle = numpy.sort(numpy.arctan2(*(points - centre).T[::-1]).T, axis=1)
    gaps = numpy.diff(angle, axis=1, append=angle[:, :1] + 2 * numpy.pi)
    return gaps.max(axis=1) < widest
