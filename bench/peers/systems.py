"""The equations of the problems on plain numbers, for those who bring none of their own: floats, NumPy columns, Numba's
tuples, JAX's tracers and heyoka's expressions alike. Columns and conventions are polhode's (docs/systems.md).

`compiled` is what a function must go through before another may call it, numba.njit for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class System:
    """Functions of a state x, a sequence of columns."""

    energy: Callable  # x -> H
    section: Callable  # x -> what crosses 0 upwards
    equations: Callable  # x -> derivatives with respect to time
    step: Callable  # (x, h, sweeps) -> the state after a step of RATTLE whose equation is swept so many times


def plain(function: Callable) -> Callable:
    return function


def heavy_top(parameters: Mapping[str, Any], compiled: Callable = plain) -> System:
    """Pi' = Pi x Omega + c Gamma x e3, Gamma' = Gamma x Omega; columns Pi, Gamma."""
    i1, i2, i3 = (float(moment) for moment in parameters["inertia"])
    c = float(parameters["c"])
    assert tuple(parameters["chi"]) == (0, 0, 1)
    turn = compiled(free_turn(i1, i2, i3, compiled))
    rotate = compiled(cayley_rotation)

    def energy(x):
        return (x[0] * x[0] / i1 + x[1] * x[1] / i2 + x[2] * x[2] / i3) / 2 + c * x[5]

    def section(x):
        return x[5]

    def equations(x):
        p1, p2, p3, g1, g2, g3 = x
        w1, w2, w3 = p1 / i1, p2 / i2, p3 / i3
        return [
            (1 / i3 - 1 / i2) * p2 * p3 + c * g2,
            (1 / i1 - 1 / i3) * p3 * p1 - c * g1,
            (1 / i2 - 1 / i1) * p1 * p2,
            g2 * w3 - g3 * w2,
            g3 * w1 - g1 * w3,
            g1 * w2 - g2 * w1,
        ]

    def step(x, h, sweeps):
        p1, p2, p3, g1, g2, g3 = x
        kick = h / 2 * c
        p1, p2 = p1 + kick * g2, p2 - kick * g1
        u = turn((p1, p2, p3), h, sweeps)
        g1, g2, g3 = rotate(u, (g1, g2, g3))
        p1, p2, p3 = rotate(u, (p1, p2, p3))
        return p1 + kick * g2, p2 - kick * g1, p3, g1, g2, g3

    return System(energy, section, equations, step)


def free_body(parameters: Mapping[str, Any], compiled: Callable = plain) -> System:
    """Pi' = Pi x Omega, q' = 1/2 q (0, Omega); columns Pi and the quaternion (w, x, y, z), body to space."""
    i1, i2, i3 = (float(moment) for moment in parameters["inertia"])
    assert parameters["c"] == 0
    turn = compiled(free_turn(i1, i2, i3, compiled))
    rotate, turned = compiled(cayley_rotation), compiled(turned_quaternion)

    def energy(x):
        return (x[0] * x[0] / i1 + x[1] * x[1] / i2 + x[2] * x[2] / i3) / 2

    def section(x):
        return x[3] * x[3] - x[4] * x[4] - x[5] * x[5] + x[6] * x[6]  # gamma3

    def equations(x):
        p1, p2, p3 = x[:3]
        return [
            (1 / i3 - 1 / i2) * p2 * p3,
            (1 / i1 - 1 / i3) * p3 * p1,
            (1 / i2 - 1 / i1) * p1 * p2,
            *turned_quaternion(x[3:], (0, p1 / (2 * i1), p2 / (2 * i2), p3 / (2 * i3))),
        ]

    def step(x, h, sweeps):
        pi, attitude = x[:3], x[3:]
        u1, u2, u3 = turn(pi, h, sweeps)
        s = 1 / (1 + u1 * u1 + u2 * u2 + u3 * u3) ** 0.5
        return rotate((u1, u2, u3), pi) + turned(attitude, (s, s * u1, s * u2, s * u3))

    return System(energy, section, equations, step)


def free_turn(i1: float, i2: float, i3: float, compiled: Callable) -> Callable:
    """(Pi, h, sweeps) -> u of the rotation by which the discrete free body turns (docs/theory/rattle.md, Solvers)."""
    k1, k2, k3 = (i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3

    def turn(pi, h, sweeps):
        y1, y2, y3 = h / 2 / i1 * pi[0], h / 2 / i2 * pi[1], h / 2 / i3 * pi[2]
        u1, u2, u3 = y1, y2, y3
        for _ in range(sweeps):
            n = 1 + u1 * u1 + u2 * u2 + u3 * u3
            u1 = y1 * n + k1 * u2 * u3
            u2 = y2 * n + k2 * u3 * u1
            u3 = y3 * n + k3 * u1 * u2
        return u1, u2, u3

    return turn


def cayley_rotation(u, v):
    """w v with w^T = (1 - hat(u))^-1 (1 + hat(u))."""
    u1, u2, u3 = u
    v1, v2, v3 = v
    scale = 2 / (1 + u1 * u1 + u2 * u2 + u3 * u3)
    t1, t2, t3 = u2 * v3 - u3 * v2, u3 * v1 - u1 * v3, u1 * v2 - u2 * v1
    return (
        v1 - scale * (t1 - u2 * t3 + u3 * t2),
        v2 - scale * (t2 - u3 * t1 + u1 * t3),
        v3 - scale * (t3 - u1 * t2 + u2 * t1),
    )


def turned_quaternion(q, r):
    """The product q r."""
    a, b, c, d = q
    w, x, y, z = r
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y + c * w + d * x - b * z,
        a * z + d * w + b * y - c * x,
    )


def double_pendulum(parameters: Mapping[str, Any], compiled: Callable = plain) -> System:
    """q' = W p, p' = -V_q - G^T lambda with the multipliers eliminated; columns q1, q2, p1, p2."""
    m1, m2 = (float(mass) for mass in parameters["m"])
    half1, half2 = (float(length) ** 2 / 2 for length in parameters["l"])
    g = float(parameters["g"])
    a, b, d = 1 / m1, -1 / m1, 1 / m1 + 1 / m2  # W = [a, b; b, d]
    weight1, weight2 = g * (m1 + m2), g * m2
    # W V_q is (g, 0), but of a rounded W it is not, and the lower rod would grow with t^2, to 1e-10 at t = 100.
    fall1, fall2 = (float(sum(map(product_of, row, (weight1, weight2)))) for row in ((a, b), (b, d)))
    scalar, combined, solved = compiled(scalar_product), compiled(linear_combination), compiled(solution)

    def energy(x):
        p1, p2 = x[6:9], x[9:]
        kinetic = (a * scalar(p1, p1) + 2 * b * scalar(p1, p2) + d * scalar(p2, p2)) / 2
        return kinetic + weight1 * x[2] + weight2 * x[5]

    def section(x):
        return x[0]

    def equations(x):
        q1, q2, p1, p2 = x[:3], x[3:6], x[6:9], x[9:]
        v1, v2 = combined(a, p1, b, p2), combined(b, p1, d, p2)
        rate1, rate2 = scalar(v1, v1) - fall1 * q1[2], scalar(v2, v2) - fall2 * q2[2]
        off = b * scalar(q1, q2)
        l1, l2 = solved(a * scalar(q1, q1), off, off, d * scalar(q2, q2), rate1, rate2)
        force1, force2 = [-l1 * q for q in q1], [-l2 * q for q in q2]
        return [*v1, *v2, *force1[:2], force1[2] - weight1, *force2[:2], force2[2] - weight2]

    def step(x, h, sweeps):
        q1, q2, p1, p2 = x[:3], x[3:6], x[6:9], x[9:]
        kick1, kick2 = h / 2 * weight1, h / 2 * weight2
        p1, p2 = (p1[0], p1[1], p1[2] - kick1), (p2[0], p2[1], p2[2] - kick2)
        r1 = combined(1.0, q1, h, combined(a, p1, b, p2))
        r2 = combined(1.0, q2, h, combined(b, p1, d, p2))
        for _ in range(sweeps):  # Newton's method for h lambda
            l1, l2 = solved(
                a * scalar(r1, q1),
                b * scalar(r1, q2),
                b * scalar(r2, q1),
                d * scalar(r2, q2),
                scalar(r1, r1) / 2 - half1,
                scalar(r2, r2) / 2 - half2,
            )
            r1 = combined(1.0, r1, -1.0, combined(a * l1, q1, b * l2, q2))
            r2 = combined(1.0, r2, -1.0, combined(b * l1, q1, d * l2, q2))
            p1, p2 = combined(1.0, p1, -l1 / h, q1), combined(1.0, p2, -l2 / h, q2)
        p1, p2 = (p1[0], p1[1], p1[2] - kick1), (p2[0], p2[1], p2[2] - kick2)
        off = b * scalar(r1, r2)
        v1, v2 = combined(a, p1, b, p2), combined(b, p1, d, p2)
        l1, l2 = solved(a * scalar(r1, r1), off, off, d * scalar(r2, r2), scalar(r1, v1), scalar(r2, v2))
        return r1 + r2 + combined(1.0, p1, -l1, r1) + combined(1.0, p2, -l2, r2)

    return System(energy, section, equations, step)


def product_of(u: float, v: float) -> Fraction:
    """The product without round-off."""
    return Fraction(u) * Fraction(v)


def scalar_product(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def linear_combination(a, u, b, v):
    return a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]


def solution(a, b, c, d, u, v):
    """x with [a, b; c, d] x = (u, v)."""
    determinant = a * d - b * c
    return (d * u - b * v) / determinant, (a * v - c * u) / determinant
