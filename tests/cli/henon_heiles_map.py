"""A second computation of the section map of Henon and Heiles, q1 = 0 upwards, and of its periodic points."""

import numpy


def advanced(x, step):
    """States [4, n] after a step of the classical Runge-Kutta method."""

    def rate(x):
        q1, q2, p1, p2 = x
        return numpy.array([p1, p2, -q1 - 2 * q1 * q2, -q2 - q1**2 + q2**2])

    a = rate(x)
    b = rate(x + step / 2 * a)
    c = rate(x + step / 2 * b)
    return x + step / 6 * (a + 2 * b + 2 * c + rate(x + step * c))


def states(points, energy):
    """States [n, 4] over points (q2, p2) [n, 2]; not a number where the energy allows none."""
    q2, p2 = points.T
    with numpy.errstate(invalid="ignore"):
        return numpy.stack([0 * q2, q2, numpy.sqrt(2 * energy - q2**2 + 2 / 3 * q2**3 - p2**2), p2], axis=1)


def returned(points, energy, times=1, step=0.02):
    """Where points [n, 2] come back for the nth time; not a number where they do not in 12 units of time each."""
    x, left = states(points, energy).T, numpy.full(len(points), times)
    result = numpy.full(points.shape, numpy.nan)
    for _ in range(int(12 * times / step)):
        with numpy.errstate(over="ignore", invalid="ignore"):  # of orbits that escape
            before, x = x, advanced(x, step)
        crosses = (before[0] < 0) & (x[0] >= 0)
        left -= crosses
        (last,) = numpy.nonzero(crosses & (left == 0))
        if last.size:
            t = -before[0, last] / before[2, last]
            for _ in range(4):
                at = advanced(before[:, last], t)
                t -= at[0] / at[2]
            result[last] = at[[1, 3]].T
        if (left <= 0).all():
            break
    return result


def jacobians(mapped, points, distance=1e-5):
    """Jacobians [n, 2, 2] of a map at points [n, 2], from differences."""
    steps = distance * numpy.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    ahead, behind, above, below = mapped((points + steps[:, None]).reshape(-1, 2)).reshape(4, -1, 2)
    return numpy.stack([ahead - behind, above - below], axis=2) / (2 * distance)


def periodic_points(guesses, energy, times=1):
    """(points [k, 2], traces [k]) of the different points that Newton's method finds and that return after some times;
    a point is stable where the trace of the linearised map is between -2 and 2."""
    mapped = lambda points: returned(points, energy, times)
    points = numpy.array(guesses, float)
    for _ in range(12):
        slopes = jacobians(mapped, points) - numpy.eye(2)
        known = numpy.isfinite(slopes).all(axis=(1, 2))
        points, slopes = points[known], slopes[known]
        change = numpy.linalg.solve(slopes, (points - mapped(points))[:, :, None])[:, :, 0]
        points = points + change * (0.1 / numpy.maximum(numpy.linalg.norm(change, axis=1), 0.1))[:, None]
    points = points[numpy.linalg.norm(mapped(points) - points, axis=1) < 1e-9]
    distance = numpy.linalg.norm(points[:, None] - points, axis=2)
    points = points[(distance < 1e-6).argmax(axis=1) == numpy.arange(len(points))]
    return points, numpy.trace(jacobians(mapped, points), axis1=1, axis2=2)


def fixed_points(energy):
    """(points, traces) of all fixed points, as far as they are found from guesses over the whole section."""
    q2, p2 = numpy.meshgrid(numpy.linspace(-0.45, 0.65, 12), numpy.linspace(-0.45, 0.45, 10))
    return periodic_points(numpy.stack([q2.ravel(), p2.ravel()], axis=1), energy)
