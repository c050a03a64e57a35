"""The steps of both problems as one writes them for Numba: functions of numbers, with the fused operations of polhode
in its order, so that the same bits can be expected where a compiler fuses nothing else.

`fma` is Numba's for a device, or for a processor; `compiled` what a function must go through before another may call it.
"""

from __future__ import annotations

import numpy as np

MOST_SWEEPS = 200  # include/polhode/math/bounded_iteration.hpp
TOLERANCE = 32 * np.finfo(float).eps


def cayley(fma, compiled, parameters, h):
    """(Pi, Gamma, sweeps) -> (Pi, Gamma) after a step of RATTLE: include/polhode/method/kicked_rotation.hpp with the
    Cayley solver of discrete_rigid_body.hpp. What diverges there does not end early here."""
    inertia = [float(moment) for moment in parameters["inertia"]]
    inverse = [1 / moment for moment in inertia]
    (k0, k1, k2) = ((inertia[(i + 1) % 3] - inertia[(i + 2) % 3]) * inverse[i] for i in range(3))
    (y0, y1, y2) = (0.5 * h * moment for moment in inverse)
    (b0, b1, b2) = (0.5 * h * float(parameters["c"]) * float(x) for x in parameters["chi"])
    tolerance_squared, smallest = TOLERANCE * TOLERANCE, float(np.finfo(float).tiny)

    @compiled
    def kick(g0, g1, g2, p0, p1, p2):
        return (
            fma(g1, b2, fma(-g2, b1, p0)),
            fma(g2, b0, fma(-g0, b2, p1)),
            fma(g0, b1, fma(-g1, b0, p2)),
        )

    @compiled
    def sweep(l0, l1, l2, u0, u1, u2):
        n = fma(u2, u2, fma(u1, u1, fma(u0, u0, 1.0)))
        u0 = fma(l0, n, (k0 * u1) * u2)
        u1 = fma(k1 * u2, u0, l1 * n)
        return u0, u1, fma(k2 * u0, u1, l2 * n)

    @compiled
    def has_settled(u0, u1, u2, v0, v1, v2):
        c0, c1, c2 = v0 - u0, v1 - u1, v2 - u2
        change = fma(c2, c2, fma(c1, c1, c0 * c0))
        return change < fma(tolerance_squared, fma(v2, v2, fma(v1, v1, v0 * v0)), smallest)

    @compiled
    def turn(u0, u1, u2, q, v0, v1, v2):
        t0, t1, t2 = fma(u1, v2, -(u2 * v1)), fma(u2, v0, -(u0 * v2)), fma(u0, v1, -(u1 * v0))
        return (
            fma(-q, fma(t1, u2, fma(-t2, u1, t0)), v0),
            fma(-q, fma(t2, u0, fma(-t0, u2, t1)), v1),
            fma(-q, fma(t0, u1, fma(-t1, u0, t2)), v2),
        )

    @compiled
    def step(p0, p1, p2, g0, g1, g2, sweeps):
        p0, p1, p2 = kick(g0, g1, g2, p0, p1, p2)
        l0, l1, l2 = y0 * p0, y1 * p1, y2 * p2
        u0, u1, u2 = l0, l1, l2
        for _ in range(sweeps - 1):
            u0, u1, u2 = sweep(l0, l1, l2, u0, u1, u2)
        v0, v1, v2 = sweep(l0, l1, l2, u0, u1, u2)
        swept = sweeps
        while not has_settled(u0, u1, u2, v0, v1, v2) and swept < MOST_SWEEPS:
            u0, u1, u2 = v0, v1, v2
            v0, v1, v2 = sweep(l0, l1, l2, u0, u1, u2)
            swept += 1
        q = 2.0 / fma(v2, v2, fma(v1, v1, fma(v0, v0, 1.0)))
        g0, g1, g2 = turn(v0, v1, v2, q, g0, g1, g2)
        p0, p1, p2 = turn(v0, v1, v2, q, p0, p1, p2)
        p0, p1, p2 = kick(g0, g1, g2, p0, p1, p2)
        return p0, p1, p2, g0, g1, g2

    return step


def lorenz(fma, compiled, real, h):
    """(x, y, z, rho) -> (x, y, z) after a step of RK4, all numbers of the type `real`: lorenz.cu."""
    sigma, beta, two, length = real(10), real(8) / real(3), real(2), real(h)
    half, sixth = length / real(2), length / real(6)

    @compiled
    def flow(x, y, z, rho):
        return sigma * (y - x), fma(x, rho - z, -y), fma(x, y, -(beta * z))

    @compiled
    def step(x, y, z, rho):
        a0, a1, a2 = flow(x, y, z, rho)
        b0, b1, b2 = flow(fma(half, a0, x), fma(half, a1, y), fma(half, a2, z), rho)
        c0, c1, c2 = flow(fma(half, b0, x), fma(half, b1, y), fma(half, b2, z), rho)
        d0, d1, d2 = flow(fma(length, c0, x), fma(length, c1, y), fma(length, c2, z), rho)
        return (
            fma(sixth, fma(two, b0 + c0, a0 + d0), x),
            fma(sixth, fma(two, b1 + c1, a1 + d1), y),
            fma(sixth, fma(two, b2 + c2, a2 + d2), z),
        )

    return step


def multiplied_and_added(a, b, c):
    """For compilers without a fused operation of their own to ask for, which may fuse or not."""
    return a * b + c


def plain(function):
    return function
