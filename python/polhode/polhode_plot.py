"""Draws polhodes: the curves of the angular velocity of a free body on its inertia ellipsoid.

Omega_i = Pi_i / I_i runs on sum I_i Omega_i^2 = 2 E about the axis of the smallest or of the largest moment, as |Pi|^2
is smaller or larger than 2 E I_mid; they meet in the separatrix, two plane curves. Orbits of different energies
are drawn on one ellipsoid, as Omega / sqrt(2 E): a free body that turns faster draws the same curves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from polhode import colours, heading, labels, space, tops, trajectories
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result, snapshots_of
from polhode.wanted import WHOLE, Wanted

MOST_ORBITS, MOST_PLACES = 200, 200_000
SAME_ENERGY = 0.01  # largest relative spread of the energies on one ellipsoid
NEAR_SEPARATRIX = 1e-3  # relative distance of |Pi|^2 from 2 E I_mid
WIDEST_GAP = 0.8  # of neighbouring places on a curve, seen from the centre, radians; dots beyond
SUBDIVISION = 6  # pieces of a curve between two snapshots
CAMERA = space.Camera(32, 22)
LEGEND_INCHES = 0.3
SMALLEST, LARGEST, SEPARATRIX = 0, 1, 2
COLOURS = {SMALLEST: colours.BLUE, LARGEST: colours.ORANGE, SEPARATRIX: colours.INK}


@dataclass(frozen=True)
class Orbit:
    """The places of one polhode on the ellipsoid of the picture."""

    curve: np.ndarray  # [k, 3], close enough to be joined, or else the snapshots themselves
    joined: bool
    family: int  # SMALLEST, LARGEST, SEPARATRIX


@dataclass(frozen=True)
class Polhodes:
    """What is drawn."""

    orbits: list[Orbit]
    moments: np.ndarray  # [3], of inertia
    body: space.Ellipsoid
    scaled: bool  # by 1 / sqrt(2 E)


def family(ratio: float, moments: np.ndarray) -> int:
    """Which axis a polhode goes around, from ratio = |Pi|^2 / (2 E)."""
    middle = np.sort(moments)[1]
    if abs(ratio - middle) <= NEAR_SEPARATRIX * middle:
        return SEPARATRIX
    return SMALLEST if ratio < middle else LARGEST


def subdivided(time: np.ndarray, place: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Places [k, 3] at times [k] with places between them, by cubic Hermite interpolation."""
    s = np.arange(SUBDIVISION)[None, :, None] / SUBDIVISION
    interval = np.diff(time)[:, None, None]
    start, end = place[:-1, None], place[1:, None]
    between = (
        (1 + 2 * s) * (1 - s) ** 2 * start
        + s * s * (3 - 2 * s) * end
        + interval * s * (1 - s) * ((1 - s) * velocity[:-1, None] - s * velocity[1:, None])
    )
    return np.concatenate([between.reshape(-1, 3), place[-1:]])


def polhodes_of(result: Result, wanted: Wanted = WHOLE) -> Polhodes:
    """The polhodes of the result's snapshots; raises InputError where it has none."""
    snapshots = snapshots_of(result)
    tops.require_body(result, "polhodes")
    moments = tops.inertia(result)
    if moments is None:
        raise InputError(f"cannot draw {result.source} as polhodes (it has no parameter inertia). Write it again.")
    if np.any(result.parameters.get("c", 0.0)):
        raise InputError(
            f"cannot draw {result.source} as polhodes (with c = {float(result.parameters['c']):g} gravity turns the "
            "body away from its inertia ellipsoid). Run a free body, c = 0."
        )
    rows = trajectories.thinned(trajectories.chosen(result, wanted), MOST_ORBITS)
    latest = min(len(snapshots.time), max(1000, MOST_PLACES // len(rows)))
    time = snapshots.time[:latest]
    momenta = tops.momentum(result, np.stack([snapshots.state[row, :latest] for row in rows]))
    reached = np.abs(time) <= np.abs(result.final_time[:][rows, None]) * (1 + 1e-12)  # [n, t]
    if not np.isfinite(momenta[reached]).all():
        raise InputError(
            f"cannot draw {result.source} (its snapshots have numbers that are not finite). Run it again."
        )
    energy = tops.twice_kinetic_energy(momenta[:, 0], moments)
    moving = energy > 0
    if not moving.any():
        raise InputError(f"cannot draw {result.source} as polhodes (its bodies are at rest). Give them some momentum.")
    scaled = np.ptp(energy[moving]) > SAME_ENERGY * energy[moving].max()
    orbits = []
    for i in np.flatnonzero(moving):
        pi = momenta[i][reached[i]]
        if len(pi) == 0:
            continue
        factor = np.sqrt(1 / energy[i]) if scaled else 1.0
        place, velocity = factor * pi / moments, factor * np.cross(pi, pi / moments) / moments
        along = place / np.linalg.norm(place, axis=1)[:, None]
        joined = bool(np.all(np.sum(along[:-1] * along[1:], axis=1) > np.cos(WIDEST_GAP)))
        curve = subdivided(time[: len(pi)], place, velocity) if joined else place
        orbits.append(Orbit(curve, joined, family(np.sum(pi[0] ** 2) / energy[i], moments)))
    size = 1.0 if scaled else np.sqrt(np.median(energy[moving]))
    return Polhodes(orbits, moments, space.Ellipsoid(size / np.sqrt(moments)), scaled)


def separatrix(moments: np.ndarray, body: space.Ellipsoid) -> list[np.ndarray]:
    """Its two plane curves [k, 3]; none for a body with two equal moments.

    |Pi|^2 = 2 E I2 with I1 < I2 < I3 means sqrt(I1 (I2 - I1)) Omega1 = +- sqrt(I3 (I3 - I2)) Omega3.
    """
    low, middle, high = np.argsort(moments)
    i1, i2, i3 = moments[[low, middle, high]]
    if min(i2 - i1, i3 - i2) < 1e-9 * i3:
        return []
    angle = np.linspace(0, 2 * np.pi, 361)
    curves = []
    for sign in (1, -1):
        across = np.zeros(3)
        across[low], across[high] = np.sqrt(i3 * (i3 - i2)), sign * np.sqrt(i1 * (i2 - i1))
        across /= np.linalg.norm(across / body.semi_axes)
        along = np.zeros(3)
        along[middle] = body.semi_axes[middle]
        curves.append(np.cos(angle)[:, None] * along + np.sin(angle)[:, None] * across)
    return curves


def draw_polhodes(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture of the result's polhodes."""
    polhodes = polhodes_of(result, wanted)
    axes = space.scene(paper)
    space.draw_body(axes, CAMERA, polhodes.body)
    for curve in separatrix(polhodes.moments, polhodes.body):
        draw_curve(axes, curve, polhodes.body, colours.INK, 0.7)
    for orbit in polhodes.orbits:
        (draw_curve if orbit.joined and len(orbit.curve) > 1 else draw_places)(
            axes, orbit.curve, polhodes.body, COLOURS[orbit.family], 1.3
        )
    names = [rf"$\Omega_{i}$" for i in (1, 2, 3)]
    semi_axes = polhodes.body.semi_axes
    ends = space.AXIS_LENGTH * semi_axes
    space.draw_axes(axes, CAMERA, semi_axes, ends, names)
    graticule = np.concatenate(polhodes.body.graticule())
    drawn = np.concatenate([graticule, space.axis_ends(CAMERA, 1.1 * ends)])
    space.fit(axes, CAMERA, drawn, title(result, polhodes, wanted), paper, LEGEND_INCHES)
    draw_legend(axes, polhodes.moments, {orbit.family for orbit in polhodes.orbits}, paper)
    return Picture(axes, labels.counted(len(polhodes.orbits), "polhode"))


def draw_curve(axes: Axes, curve: np.ndarray, body: space.Ellipsoid, colour: str, width: float) -> None:
    """A curve on the ellipsoid, pale on the far side."""
    pieces = space.segments(curve)
    near = body.facing(pieces.mean(axis=1), CAMERA)
    dim = paler(colour)
    space.draw_segments(axes, CAMERA, pieces[~near], dim, 0.6 * width, space.BODY)
    space.draw_segments(axes, CAMERA, pieces[near], colour, width, space.ON_BODY)


def draw_places(axes: Axes, places: np.ndarray, body: space.Ellipsoid, colour: str, width: float) -> None:
    """Dots on the ellipsoid, pale on the far side."""
    near = body.facing(places, CAMERA)
    for chosen, shade, order in ((~near, paler(colour), space.BODY), (near, colour, space.ON_BODY)):
        x, y = CAMERA.project(places[chosen]).T
        axes.scatter(x, y, s=2 * width, color=shade, linewidths=0, zorder=order)


def paler(colour: str) -> tuple[float, ...]:
    """The colour as seen through the ellipsoid."""
    return tuple(0.3 * np.array(to_rgb(colour)) + 0.7 * 0.9)


def draw_legend(axes: Axes, moments: np.ndarray, families: set[int], paper: Paper) -> None:
    """Which family has which colour."""
    low, middle, high = np.argsort(moments) + 1
    text = {
        SMALLEST: f"about axis {low} (smallest moment)",
        LARGEST: f"about axis {high} (largest moment)",
        SEPARATRIX: f"separatrix, through axis {middle}",
    }
    if len(separatrix(moments, space.Ellipsoid(np.ones(3)))) > 0:
        families = families | {SEPARATRIX}
    entries = [Line2D([], [], color=COLOURS[name], label=text[name]) for name in sorted(families)]
    is_wide = paper.on is None and paper.width(space.WIDTH_INCHES) > 5
    (axes.figure if paper.on is None else axes).legend(
        handles=entries, loc="lower center", ncol=len(entries) if is_wide else 1, frameon=False, fontsize="small", handlelength=1.5
    )


def title(result: Result, polhodes: Polhodes, wanted: Wanted) -> list[list[str]]:
    """System and method on one line, the body and the number of polhodes on the next."""
    moments = ", ".join(f"{value:.4g}" for value in polhodes.moments)
    n, drawn = len(result.final_time), len(polhodes.orbits)
    count = labels.part_of(drawn, n, "polhode")
    energy = [
        text for text in heading.constants(result, trajectories.chosen(result, wanted)) if text.startswith("energy")
    ]
    shown = [f"moments of inertia {moments}", *energy, count]
    if polhodes.scaled:
        shown.append("each scaled to 2E = 1")
    return [heading.origin(result, "system", "method", "step"), shown]
