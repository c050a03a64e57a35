"""Draws a top's Poincare section in space, (m23, m13, m12) = (-Pi1, Pi2, -Pi3), on its ellipsoid.

Where the kinetic energy is the same at all points (on Gamma3 = 0 with chi = +-e3 it is the energy), they lie on the
ellipsoid sum Pi_i^2 / I_i = 2 E; it is drawn with the points of its near side. Elsewhere all points are drawn, the
farther the paler. Of very many points those of orbits chosen at random are drawn, or, where the orbits are few, points
chosen at random: every so many would pick single islands of a chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from polhode import colours, labels, space, tops
from polhode.results import Result, ResultError
from polhode.section_plot import BLOCK_ROWS, dot_style, require_points

MOST_POINTS = 400_000
FEWEST_ORBITS = 200  # to which orbits are thinned; points are from there on
SAME_ENERGY = 0.05  # largest relative spread of the kinetic energy on one ellipsoid
SIGNS = np.array([-1, 1, -1])  # of Pi in m23, m13, m12
AXES = ("m23", "m13", "m12")
# From the side m23 < 0, which the plane picture shows too, or from the other.
NEGATIVE_SIDE, POSITIVE_SIDE = space.Camera(155, 24), space.Camera(25, 24)


@dataclass(frozen=True)
class Points:
    """k points in space."""

    position: np.ndarray  # [k, 3]: m23, m13, m12
    trajectory: np.ndarray  # [k]


def choose_rows(result: Result) -> np.ndarray:
    """Which points of the section are drawn, in their order; chosen at random but always the same."""
    total, random = len(result.section), np.random.default_rng(0)
    if total <= MOST_POINTS:
        return np.arange(total)
    blocks, trajectory = range(0, total, BLOCK_ROWS), result.section.trajectory
    crossing = np.unique(np.concatenate([np.unique(trajectory[b : b + BLOCK_ROWS]) for b in blocks]))
    orbits = len(crossing) * MOST_POINTS // total
    if orbits < FEWEST_ORBITS:
        return np.sort(random.choice(total, MOST_POINTS, replace=False))
    shown = random.choice(crossing, orbits, replace=False)
    return np.concatenate([b + np.flatnonzero(np.isin(trajectory[b : b + BLOCK_ROWS], shown)) for b in blocks])


def read_points(result: Result) -> Points:
    """All points of the section or about MOST_POINTS of them."""
    section, total, chosen = result.section, len(result.section), choose_rows(result)
    position, trajectory = [], []
    for first in range(0, total, BLOCK_ROWS):
        rows = chosen[np.searchsorted(chosen, first) : np.searchsorted(chosen, first + BLOCK_ROWS)] - first
        block = slice(first, first + BLOCK_ROWS)
        position.append(SIGNS * tops.momentum(result, section.state[block][rows]))
        trajectory.append(section.trajectory[block][rows])
    return Points(np.concatenate(position), np.concatenate(trajectory))


def ellipsoid_of(result: Result, points: Points) -> space.Ellipsoid | None:
    """The ellipsoid that all points lie on, if there is one."""
    moments = tops.inertia(result)
    if moments is None:
        return None
    energy = tops.twice_kinetic_energy(points.position, moments)
    middle = np.median(energy)
    if not middle > 0 or np.ptp(energy) > SAME_ENERGY * middle:
        return None
    return space.Ellipsoid(np.sqrt(middle * moments))


def draw_section3d(result: Result) -> Figure:
    """The picture in space of the result's section; raises ResultError if there is nothing to draw."""
    require_points(result)
    tops.require_body(result, "section3d")
    points = read_points(result)
    if not np.isfinite(points.position).all():
        raise ResultError(f"cannot draw '{result.path}' (its section has numbers that are not finite). Run it again.")
    body = ellipsoid_of(result, points)
    camera = POSITIVE_SIDE if np.mean(points.position[:, 0] > 0) > 0.5 else NEGATIVE_SIDE

    shade = colours.orbit_colours(points.trajectory)
    depth = camera.depth(points.position)
    drawn = np.argsort(depth) if body is None else np.flatnonzero(body.facing(points.position, camera))
    figure, axes = space.scene(title(result, points, body, len(drawn)))
    if body is None:
        reach = np.abs(points.position).max(axis=0)
        away = (depth.max() - depth) / (np.ptp(depth) or 1.0)
        shade = shade + 0.75 * away[:, None] * (1 - shade)
        starts = np.zeros(3)
    else:
        space.draw_body(axes, camera, body)
        starts = reach = body.semi_axes
    x, y = camera.project(points.position[drawn]).T
    axes.scatter(x, y, c=shade[drawn], zorder=space.ON_BODY, **dot_style(len(drawn)))
    ends = (space.AXIS_LENGTH if body else 1.1) * np.maximum(reach, 0.2 * (reach.max() or 1.0))
    space.draw_axes(axes, camera, starts, ends, [labels.symbol(name) for name in AXES])
    space.fit(axes, camera, np.concatenate([points.position, space.axis_ends(camera, 1.1 * ends)]))
    return figure


def title(result: Result, points: Points, body: space.Ellipsoid | None, drawn: int) -> str:
    """System, section and method on one line, what is shown on the next."""
    total, chosen = len(result.section), len(points.trajectory)
    count = f"{total:,} points" if chosen == total else f"{chosen:,} of {total:,} points"
    if body is None:
        shown = f"{count}, the farther the paler"
    else:
        shown = f"{drawn:,} on the near side of {count}  |  semi-axes {', '.join(f'{a:#.3g}' for a in body.semi_axes)}"
    return f"{labels.origin(result, 'system', 'section', 'method', 'step')}\n{shown}"
