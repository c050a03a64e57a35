"""Draws a top's Poincare section in space, (m23, m13, m12) = (-Pi1, Pi2, -Pi3), on its ellipsoid.

Where the kinetic energy is the same at all points (on Gamma3 = 0 with chi = +-e3 it is the energy), they lie on the
ellipsoid sum Pi_i^2 / I_i = 2 E; it is drawn with the points of its near side. Elsewhere all points are drawn, the
farther the paler. Of very many points those of orbits chosen at random are drawn, or, where the orbits are few, points
chosen at random: every so many would pick single islands of a chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode import colours, heading, labels, space, tops, trajectories
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result, section_of
from polhode.section_plot import dot_style
from polhode.section_points import BLOCK_ROWS, require_columns
from polhode.wanted import WHOLE, Wanted

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


def choose_rows(result: Result, wanted: Wanted = WHOLE) -> np.ndarray:
    """Which points of the section are drawn, in their order; of many, some chosen at random but always the same."""
    trajectory, random = section_of(result).trajectory, np.random.default_rng(0)
    is_wanted = trajectories.mask(result, wanted)
    if is_wanted is None:
        is_wanted = np.ones(len(result.final_time), bool)

    def rows_of(is_shown: np.ndarray) -> np.ndarray:
        blocks = range(0, len(trajectory), BLOCK_ROWS)
        return np.concatenate([b + np.flatnonzero(is_shown[trajectory[b : b + BLOCK_ROWS]]) for b in blocks])

    points = np.zeros(len(is_wanted), int)  # of each trajectory
    for first in range(0, len(trajectory), BLOCK_ROWS):
        points += np.bincount(trajectory[first : first + BLOCK_ROWS], minlength=len(points))
    points[~is_wanted] = 0
    total, crossing = int(points.sum()), np.flatnonzero(points)
    if total == 0:
        raise InputError(
            f"cannot draw {result.source} (the trajectories asked for have no section points). Choose others."
        )
    if total <= MOST_POINTS:
        return rows_of(is_wanted)
    orbits = len(crossing) * MOST_POINTS // total
    if orbits < FEWEST_ORBITS:
        return rows_of(is_wanted)[np.sort(random.choice(total, MOST_POINTS, replace=False))]
    is_shown = np.zeros(len(is_wanted), bool)
    is_shown[random.choice(crossing, orbits, replace=False)] = True
    return rows_of(is_shown)


def read_points(result: Result, wanted: Wanted = WHOLE) -> Points:
    """All points of the section or about MOST_POINTS of them."""
    section, chosen = section_of(result), choose_rows(result, wanted)
    position, trajectory = [], []
    for first in range(0, len(section), BLOCK_ROWS):
        rows = chosen[np.searchsorted(chosen, first) : np.searchsorted(chosen, first + BLOCK_ROWS)] - first
        block = slice(first, first + BLOCK_ROWS)
        position.append(SIGNS * tops.momentum(result, section.states(block)[rows]))
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


def draw_section3d(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture in space of the result's section; raises InputError if there is nothing to draw."""
    section = section_of(result)
    tops.require_body(result, "section3d")
    require_columns(result, tops.PI)
    points = read_points(result, wanted)
    if not np.isfinite(points.position).all():
        raise InputError(f"cannot draw {result.source} (its section has numbers that are not finite). Run it again.")
    body = ellipsoid_of(result, points)
    camera = POSITIVE_SIDE if np.mean(points.position[:, 0] > 0) > 0.5 else NEGATIVE_SIDE

    shade = colours.orbit_colours(points.trajectory)
    depth = camera.depth(points.position)
    drawn = np.argsort(depth) if body is None else np.flatnonzero(body.facing(points.position, camera))
    axes = space.scene(paper)
    if body is None:
        reach = np.abs(points.position).max(axis=0)
        away = (depth.max() - depth) / (np.ptp(depth) or 1.0)
        shade = shade + 0.75 * away[:, None] * (1 - shade)
        starts = np.zeros(3)
    else:
        space.draw_body(axes, camera, body)
        starts = reach = body.semi_axes
    x, y = camera.project(points.position[drawn]).T
    axes.scatter(x, y, c=shade[drawn], zorder=space.ON_BODY, **dot_style(len(drawn), paper))
    ends = (space.AXIS_LENGTH if body else 1.1) * np.maximum(reach, 0.2 * (reach.max() or 1.0))
    space.draw_axes(axes, camera, starts, ends, [labels.symbol(name) for name in AXES])
    all_drawn = [points.position, space.axis_ends(camera, 1.1 * ends)]
    if body is not None:
        all_drawn.append(np.concatenate(body.graticule()))
    space.fit(axes, camera, np.concatenate(all_drawn), title(result, points, body, len(drawn), wanted), paper)
    total = labels.counted(len(section), "point")
    partly = "" if len(drawn) == len(section) else f", {len(drawn)} of them drawn"
    return Picture(axes, f"section in space of {total}{partly}")


def title(result: Result, points: Points, body: space.Ellipsoid | None, drawn: int, wanted: Wanted) -> list[list[str]]:
    """System, section and method on one line, what is shown on the next."""
    total, chosen = len(section_of(result)), len(points.trajectory)
    count = labels.part_of(chosen, total, "point")
    if body is None:
        shown = [f"both signs of {tops.PI[0]}", f"{count}, the farther the paler"]
    else:
        semi_axes = ", ".join(f"{a:#.3g}" for a in body.semi_axes)
        shown = [f"{drawn:,} on the near side of {count}", f"semi-axes {semi_axes}"]
    known = heading.constants(result, trajectories.chosen(result, wanted) if wanted.trajectories else None)
    return [heading.origin(result, "system", "section", "method", "step"), known + shown]
