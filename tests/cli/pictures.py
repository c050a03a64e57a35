"""How much of a picture is drawn, in its pixels, and how much has to be, from the data that it shows."""

import matplotlib.image
import numpy

DARK = 0.2  # of a frame, whose lines need not fill a pixel
FRAME = 4  # pixels, more than the width of its lines
TEXT = 60  # pixels, more than the height of a letter
CHROMA = 0.06  # of what is drawn of data: frames, grids, text and the bodies under curves are grey
MARGIN = 0.05  # matplotlib's, on each side of the data


class Picture:
    def __init__(self, path):
        self.pixels = matplotlib.image.imread(path, format="png")[:, :, :3]  # [down][right]
        self.drawn = numpy.ptp(self.pixels, axis=2) > CHROMA

    def frames(self):
        """Where the frames are that stand one below the other, with their sides in line: slices of rows and columns."""
        dark = self.pixels.max(axis=2) < DARK
        sides = numpy.flatnonzero(dark.sum(axis=0) > len(dark) / 3)
        assert sides.size, "the picture has no axes"
        edges = numpy.flatnonzero(numpy.diff(dark[:, sides[0]].astype(int), prepend=0, append=0))
        return [(slice(top + FRAME, bottom - FRAME), slice(sides[0] + FRAME, sides[-1] - FRAME))
                for top, bottom in edges.reshape(-1, 2) if bottom - top > TEXT]

    def panels(self):
        """What is drawn inside of each of the frames."""
        return [self.drawn[frame] for frame in self.frames()]

    def shades(self):
        """The spread of brightness in each of the frames, from the fifth percentile to the ninety-fifth, of what is
        drawn or nearly black: 0 where all of it has one colour."""
        spreads = []
        for frame in self.frames():
            pixels, drawn = self.pixels[frame], self.drawn[frame]
            brightness = pixels.mean(axis=2)[drawn | (pixels.max(axis=2) < DARK)]
            spreads.append(float(numpy.ptp(numpy.percentile(brightness, [5, 95]))) if brightness.size else 0.0)
        return spreads

    def hue(self, colour, tolerance=0.05):
        """How many pixels in the frames have the hue of a colour, also pale ones, which thin lines make with white."""
        wanted = numpy.array(colour) - max(colour)
        chroma = self.pixels - self.pixels.max(axis=2, keepdims=True)
        strength = numpy.linalg.norm(chroma, axis=2)
        alike = (chroma @ wanted) > (1 - tolerance) * strength * numpy.linalg.norm(wanted)
        return sum(int((alike & self.drawn)[frame].sum()) for frame in self.frames())

    def near(self, colour, distance=0.15):
        """How many pixels in the frames have almost the colour."""
        alike = (abs(self.pixels - numpy.array(colour)) < distance).all(axis=2)
        return sum(int(alike[frame].sum()) for frame in self.frames())

    def scene(self, legend=0.08):
        """What is drawn of a picture without axes, as far as it reaches, but for a part at the bottom."""
        drawn = self.drawn[:int((1 - legend) * len(self.drawn))]
        rows, columns = numpy.flatnonzero(drawn.any(axis=1)), numpy.flatnonzero(drawn.any(axis=0))
        assert rows.size, "the picture is empty"
        return drawn[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]


def covered(x, y, shape, radius, margin=MARGIN, equal=False):
    """How many pixels of a panel dots at the points cover, if those fill it up to the margin on each side.
    equal: one scale for both directions."""
    height, width = shape
    spans = numpy.array([numpy.ptp(x) or 1, numpy.ptp(y) or 1])
    scales = numpy.array([width, height]) * (1 - 2 * margin / (1 + 2 * margin)) / spans
    if equal:
        scales[:] = scales.min()
    offset = margin / (1 + 2 * margin)
    column = numpy.round((x - x.min()) * scales[0] + offset * width).astype(int)
    row = numpy.round((y - y.min()) * scales[1] + offset * height).astype(int)
    canvas = numpy.zeros((height + 2 * radius + 1, width + 2 * radius + 1), bool)
    for down in range(-radius, radius + 1):
        for right in range(-radius, radius + 1):
            if down**2 + right**2 <= radius**2:
                canvas[row + down + radius, column + right + radius] = True
    return int(canvas.sum())


def of_points(x, y, shape, most_radius=3, **scales):
    """Least and most pixels that dots take. The smallest are half a point wide, and pale, so that half of the pixels
    that they touch, five each, may be too pale to be seen as drawn; the largest are two points wide, a radius of
    three."""
    return covered(x, y, shape, 1, **scales) / 2, covered(x, y, shape, most_radius, **scales)


def of_curves(curves, shape, most_radius=6, places=20_000):
    """The same of lines through (times [t], values [t]); the thickest are four points wide."""
    parts = [numpy.linspace(0, len(time) - 1, places) for time, _ in curves]
    x, y = (numpy.concatenate([numpy.interp(part, numpy.arange(len(curve[i])), curve[i])
                               for part, curve in zip(parts, curves)]) for i in (0, 1))
    return of_points(x, y, shape, most_radius)


def of_cells(counts, shape):
    """Of an image [right][up] of counts that fills its panel, white where there are none: to 3 percent of the panel,
    which is what a line across it or a border of the cells may be."""
    share, pixels = (counts > 0).mean(), shape[0] * shape[1]
    return (share - 0.03) * pixels, (share + 0.03) * pixels


def of_band(values, shape):
    """Of the band [trajectory][time] from the smallest to the largest value, to a seventh of it: a line in its middle,
    which may be jagged, is black, and the panel is not filled quite as assumed."""
    low, high = numpy.nanmin(values, axis=0), numpy.nanmax(values, axis=0)
    share = numpy.nanmean(high - low) / (numpy.nanmax(high) - numpy.nanmin(low)) / (1 + 2 * MARGIN)
    return 0.86 * share * shape[0] * shape[1], 1.1 * share * shape[0] * shape[1]


def groups_of(names):
    """The panels of invariants with these names: numbers of the invariants in each, the energy's first, the components
    of a vector together."""
    groups = []
    for i in sorted(range(len(names)), key=lambda i: names[i] != "energy"):
        vector = names[i][:-2] if names[i][-2:] in ("_x", "_y", "_z") else None
        parts = [names.index(f"{vector}_{axis}") for axis in "xyz" if f"{vector}_{axis}" in names] or [i]
        if parts not in groups:
            groups.append(parts)
    return groups


def of_components(values, time, shape):
    """The same of the components of a vector of many trajectories, values [trajectory][time][component]: from the lines
    about all to the whole band between them."""
    bounds = [bound(values[:, :, i], axis=0) for i in range(values.shape[2]) for bound in (numpy.nanmin, numpy.nanmax)]
    lines = [(time, bound) for bound in bounds]
    band = of_band(values.swapaxes(1, 2).reshape(-1, values.shape[1]), shape)
    return of_curves(lines, shape)[0], band[1]


def logarithm(values):
    """The logarithms of sizes, unknown where they are 0."""
    return numpy.log10(numpy.where(values == 0, numpy.nan, abs(values)))
