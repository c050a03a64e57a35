"""A second computation of the chaotic sea of Henon and Heiles, and the islands in a section of it."""

import numpy


def growth(starts, step=0.1, steps=8000):
    """ln of how much a small distance from each start [n, 4] grows, by the classical Runge-Kutta method on the equations
    of motion and of variation: some 60 times the Lyapunov exponent in the sea, the logarithm of the time on a torus."""

    def rate(x):
        q1, q2, p1, p2, a, b, c, d = x
        force = [-q1 - 2 * q1 * q2, -q2 - q1 * q1 + q2 * q2]
        return numpy.array([p1, p2, *force, c, d, -(1 + 2 * q2) * a - 2 * q1 * b, -2 * q1 * a - (1 - 2 * q2) * b])

    tangent = numpy.random.default_rng(1).normal(size=(4, len(starts)))
    x = numpy.concatenate([starts.T, tangent / numpy.linalg.norm(tangent, axis=0)])
    total = numpy.zeros(len(starts))
    for k in range(1, steps + 1):
        a = rate(x)
        b = rate(x + step / 2 * a)
        c = rate(x + step / 2 * b)
        d = rate(x + step * c)
        x = x + step / 6 * (a + 2 * b + 2 * c + d)
        if k % 100 == 0:
            size = numpy.linalg.norm(x[4:], axis=0)
            total += numpy.log(size)
            x[4:] /= size
    return total


def occupied(section, trajectory, n, size=1 / 40):
    """In how many square cells of a size the points (q2, p2) of each of n orbits lie: a curve meets few, the sea many."""
    cells = numpy.floor(section[:, [1, 3]] / size).astype(int) @ [1000, 1]
    return numpy.array([len(numpy.unique(cells[trajectory == k])) for k in range(n)])


def sea(section, is_chaotic, energy, cells=80):
    """(the share of the section's plane that chaotic points [k, 4] fill, centres of the islands of 14 cells and more), in
    square cells where the energy allows a point."""
    u, v = numpy.linspace(-0.7, 0.7, cells + 1), numpy.linspace(-0.5, 0.5, cells + 1)
    points = section[is_chaotic]
    filled = numpy.histogram2d(points[:, 1], points[:, 3], bins=(u, v))[0] > 0
    q2, p2 = numpy.meshgrid((u[1:] + u[:-1]) / 2, (v[1:] + v[:-1]) / 2, indexing="ij")
    allowed = q2**2 / 2 - q2**3 / 3 + p2**2 / 2 < energy
    land, islands = allowed & ~filled, []
    while land.any():
        reached, (first, *_) = [], numpy.argwhere(land)
        land[tuple(first)], todo = False, [tuple(first)]
        while todo:
            i, j = todo.pop()
            reached.append((q2[i, j], p2[i, j]))
            for beside in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if min(beside) >= 0 and max(beside) < cells and land[beside]:
                    land[beside] = False
                    todo.append(beside)
        if len(reached) >= 14:
            islands.append(numpy.mean(reached, axis=0))
    return filled[allowed].mean(), numpy.array(sorted(islands, key=tuple))
