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

    def panels(self):
        """What is drawn inside of each of the frames that stand one below the other, with their sides in line."""
        dark = self.pixels.max(axis=2) < DARK
        sides = numpy.flatnonzero(dark.sum(axis=0) > len(dark) / 3)
        assert sides.size, "the picture has no axes"
        edges = numpy.flatnonzero(numpy.diff(dark[:, sides[0]].astype(int), prepend=0, append=0))
        return [self.drawn[top + FRAME:bottom - FRAME, sides[0] + FRAME:sides[-1] - FRAME]
                for top, bottom in edges.reshape(-1, 2) if bottom - top > TEXT]

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
    """Least and most pixels that dots take. The smallest are half a point wide, and pale, so that half of the pixels that
    they touch, five each, may be too pale to be seen as drawn; the largest are two points wide, a radius of three."""
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
    """Of the band [trajectory][time] from the smallest to the largest value, to a tenth of it: a line in its middle is
    black, and the panel is not filled quite as assumed."""
    low, high = numpy.nanmin(values, axis=0), numpy.nanmax(values, axis=0)
    share = numpy.nanmean(high - low) / (numpy.nanmax(high) - numpy.nanmin(low)) / (1 + 2 * MARGIN)
    return 0.9 * share * shape[0] * shape[1], 1.1 * share * shape[0] * shape[1]


def logarithm(values):
    """Of sizes, unknown where they are 0."""
    return numpy.log10(numpy.where(values == 0, numpy.nan, abs(values)))
