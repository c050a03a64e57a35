"""Ellipsoids, points and curves in space, seen from far away, on flat axes.

Points are rows (x, y, z) of arrays [k, 3]. A parallel projection needs no more than two scalar products, and flat axes
leave the order of drawing to the caller: what is hidden is not drawn, or drawn first and pale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patheffects import Normal, Stroke

from polhode import colours, heading
from polhode.paper import Paper

WIDTH_INCHES, PIXELS_PER_INCH = 7.0, 200
LEAST_HEIGHT_INCHES, MOST_HEIGHT_INCHES = 3.0, 7.0  # without title and legend
TITLE_INCHES = 0.2  # around the title
BESIDE = 0.05  # margin about all that is drawn, of its larger side
SHADING_PIXELS = 500  # along a side
LIGHT = np.array([-0.35, 0.5, 0.8])  # right, up, towards the viewer
GRATICULE_DEGREES = 15
AXIS_LENGTH = 1.3  # how far an axis goes, in semi-axes of the ellipsoid that it comes out of
BODY, ON_BODY, IN_FRONT = 2, 3, 5  # order of drawing

Colour = str | tuple[float, ...]


@dataclass(frozen=True)
class Camera:
    """A direction of sight; z points up."""

    azimuth: float  # of the viewer, degrees from x towards y
    elevation: float  # degrees above the plane z = 0

    @property
    def frame(self) -> np.ndarray:
        """[3, 3]: the unit vectors to the right, up, and towards the viewer."""
        a, e = np.radians([self.azimuth, self.elevation])
        return np.array(
            [
                [-np.sin(a), np.cos(a), 0],
                [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)],
                [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)],
            ]
        )

    def project(self, points: np.ndarray) -> np.ndarray:
        """[k, 2]: right, up."""
        return np.asarray(points @ self.frame[:2].T)

    def depth(self, points: np.ndarray) -> np.ndarray:
        """[k], the larger the nearer."""
        return np.asarray(points @ self.frame[2])


@dataclass(frozen=True)
class Ellipsoid:
    """sum (x_i / semi_axes_i)^2 = 1."""

    semi_axes: np.ndarray  # [3]

    def facing(self, points: np.ndarray, camera: Camera) -> np.ndarray:
        """[k] whether the outward normal at the points, which are on the surface, has the viewer on its side."""
        return camera.depth(points / self.semi_axes**2) > 0

    def outline(self, camera: Camera) -> np.ndarray:
        """[k, 2], the closed curve in the picture between the near and the far side."""
        angle = np.linspace(0, 2 * np.pi, 361)
        shape = camera.frame[:2] @ np.diag(self.semi_axes**2) @ camera.frame[:2].T
        return np.stack([np.cos(angle), np.sin(angle)], axis=1) @ np.linalg.cholesky(shape).T

    def shading(self, camera: Camera, right: np.ndarray, up: np.ndarray) -> np.ndarray:
        """[len(up), len(right)], the cosine between the light and the normal; NaN beside the ellipsoid."""
        x, y, towards = camera.frame
        seen = right[None, :, None] * x + up[:, None, None] * y
        a = np.sum((towards / self.semi_axes) ** 2)
        b = np.sum(seen * towards / self.semi_axes**2, axis=2)
        c = np.sum((seen / self.semi_axes) ** 2, axis=2) - 1
        with np.errstate(invalid="ignore"):
            near = (-b + np.sqrt(b * b - a * c)) / a
        normal = (seen + near[..., None] * towards) / self.semi_axes**2
        light = LIGHT @ camera.frame / np.linalg.norm(LIGHT)
        return np.asarray(normal @ light / np.linalg.norm(normal, axis=2))

    def graticule(self) -> list[np.ndarray]:
        """Meridians and parallels about the third axis, each [k, 3]."""
        around, across = np.radians(np.linspace(0, 360, 181)), np.radians(np.linspace(-90, 90, 91))
        meridians = np.radians(np.arange(0, 360, 2 * GRATICULE_DEGREES))
        parallels = np.radians(np.arange(-90, 90, GRATICULE_DEGREES)[1:])
        lines = [_on_sphere(np.full_like(across, longitude), across) for longitude in meridians]
        lines += [_on_sphere(around, np.full_like(around, latitude)) for latitude in parallels]
        return [line * self.semi_axes for line in lines]


def _on_sphere(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    return np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], axis=1
    )


def scene(paper: Paper) -> Axes:
    """Axes of equal scale without a border."""
    if isinstance(paper.on, Axes):
        axes = paper.on
        axes.set_aspect("equal")
    else:
        figure = paper.figure(WIDTH_INCHES, WIDTH_INCHES, PIXELS_PER_INCH, layout=None)
        axes = figure.add_axes((0, 0, 1, 1), aspect="equal")
    axes.set_axis_off()
    return axes


def segments(line: np.ndarray) -> np.ndarray:
    """The [k - 1, 2, 3] pieces of a line [k, 3]."""
    return np.stack([line[:-1], line[1:]], axis=1)


def draw_segments(axes: Axes, camera: Camera, pieces: np.ndarray, colour: Colour, width: float, order: int) -> None:
    """Straight pieces [k, 2, 3]."""
    lines = LineCollection(list(camera.project(pieces)), capstyle="round", color=colour, linewidth=width, zorder=order)
    axes.add_collection(lines, autolim=False)


def draw_body(axes: Axes, camera: Camera, body: Ellipsoid) -> None:
    """A pale shaded ellipsoid with lines on its near side."""
    outline = body.outline(camera)
    width, height = outline.max(axis=0)
    right, up = (np.linspace(-size, size, SHADING_PIXELS) for size in (width, height))
    light = body.shading(camera, right, up)
    grey = np.where(np.isnan(light), 1, 0.86 + 0.13 * np.clip(light, 0, 1))
    image = np.stack([grey, grey, grey, np.where(np.isnan(light), 0.0, 1.0)], axis=2)
    axes.imshow(image, extent=(-width, width, -height, height), origin="lower", zorder=BODY)
    axes.set_aspect("equal")
    axes.plot(*outline.T, color=colours.GREY, linewidth=0.8, zorder=BODY)
    pieces = np.concatenate([segments(line) for line in body.graticule()])
    near = body.facing(pieces.mean(axis=1), camera)
    draw_segments(axes, camera, pieces[near], colours.PALE, 0.4, BODY)


def draw_axes(axes: Axes, camera: Camera, starts: np.ndarray, ends: np.ndarray, names: Sequence[str]) -> None:
    """The halves of the coordinate axes that point to the viewer, from starts [3] to ends [3], with names beyond them.

    A name gets a minus sign where the half is the negative one.
    """
    halo = [Stroke(linewidth=4, foreground="white"), Normal()]
    positions = (camera.project(axis_ends(camera, lengths)) for lengths in (starts, ends, ends + 0.08 * ends.max()))
    for i, (start, end, (right, up)) in enumerate(zip(*positions)):
        arrow = {"arrowstyle": "-|>", "color": colours.INK, "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", end, start, arrowprops=arrow, zorder=IN_FRONT)
        if starts[i] > 0:
            axes.plot(*start, ".", color=colours.INK, markersize=4, path_effects=halo, zorder=IN_FRONT)
        text = names[i] if camera.frame[2, i] >= 0 else "\N{MINUS SIGN}" + names[i]
        axes.text(right, up, text, fontsize=heading.points(1.3), ha="center", va="center", path_effects=halo, zorder=IN_FRONT)


def fit(
    axes: Axes,
    camera: Camera,
    points: np.ndarray,
    title: Sequence[Sequence[str]],
    paper: Paper,
    below_inches: float = 0,
) -> None:
    """Shows the points [k, 3] with labels at them. A new figure is made as high as it has to be for them, the title above
    and what comes below.
    """
    seen = camera.project(points)
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = BESIDE * (high - low).max() or 1.0
    low, high = low - margin, high + margin
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    if paper.on is not None:
        paper.put_title(axes, title)
        return
    width = paper.width(WIDTH_INCHES)
    inches = width / (high - low)[0] * (high - low)[1]
    lines = paper.lines_of_title(title, width)
    above_inches = lines * heading.line_inches() + TITLE_INCHES if lines else 0
    least, most = (bound * width / WIDTH_INCHES for bound in (LEAST_HEIGHT_INCHES, MOST_HEIGHT_INCHES))
    height = paper.height(below_inches + np.clip(inches, least, most) + above_inches)
    axes.figure.figure.set_size_inches(width, height)
    axes.set_position((0, below_inches / height, 1, 1 - (below_inches + above_inches) / height))
    paper.put_title(axes, title, y=1 - TITLE_INCHES / 2 / height)


def axis_ends(camera: Camera, lengths: np.ndarray) -> np.ndarray:
    """[3, 3], the points at these lengths [3] along the halves of the coordinate axes that point to the viewer."""
    return np.diag(lengths * np.where(camera.frame[2] >= 0, 1, -1))
