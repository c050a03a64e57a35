"""What a picture is drawn on: a new figure, or axes or a figure of the caller's, with its size, title, labels and dots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fsdecode
from typing import Any

import numpy as np
from matplotlib import RcParams, cbook, rc_params_from_file
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure, FigureBase
from matplotlib.mathtext import MathTextParser
from matplotlib.style import library

from polhode import heading
from polhode.errors import InputError
from polhode.picture import Page
from polhode.wanted import parse_size

NARROW = 4.5  # inches; what is not wider has the letters of a journal's column, and as many pixels as print needs
PRINTED = 300  # pixels per inch
FEWEST_PIXELS, MOST_PIXELS = 10, 20_000  # along a side
COLUMN_STYLE = {
    "font.size": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.0,
}


@dataclass(frozen=True)
class Paper:
    """Where a picture is drawn and how it looks; by default a new figure that fits it."""

    on: Axes | FigureBase | None = None  # of the caller's
    new_figure: Callable[..., Figure] = Page
    size: tuple[float, float | None] | None = None  # inches; a height of None: what goes with the width
    dpi: float | None = None
    title: str | None = None  # "": none; None: what the picture is of, in a new figure
    labels: tuple[str, str] | None = None  # of the axes
    dots: float | None = None  # diameter of dots, points
    cmap: Colormap | None = None  # of a quantity
    label: str | None = None  # of its bar

    def __post_init__(self) -> None:
        for text in (self.title, self.label, *(self.labels or ())):
            if text is not None:
                check_text(text)

    @property
    def fits(self) -> bool:
        """Whether the figure is made as high as the picture needs."""
        return self.on is None and (self.size is None or self.size[1] is None)

    @property
    def is_untitled(self) -> bool:
        """Whether nobody is told what the picture is of."""
        return self.on is not None or self.title is not None

    def width(self, default: float) -> float:
        """Inches."""
        return self.size[0] if self.size else default

    def height(self, default: float) -> float:
        """Inches, of what is so high by default."""
        return self.size[1] if self.size and self.size[1] else default

    def figure(self, width: float, height: float, dpi: float, **layout: Any) -> FigureBase:
        """The caller's figure, or a new one, of the size given where no other is wanted, and as high for its width."""
        if isinstance(self.on, Axes):
            raise InputError("cannot draw this view on axes (it has several). Give a figure.")
        if self.on is not None:
            return self.on
        wide = self.width(width)
        size = wide, self.height(height * wide / width)
        per_inch = self.dpi or (PRINTED if wide < NARROW else dpi)
        if not FEWEST_PIXELS <= min(size) * per_inch <= max(size) * per_inch <= MOST_PIXELS:
            raise InputError(
                f"cannot draw {size[0] * per_inch:.3g} x {size[1] * per_inch:.3g} pixels (a picture has {FEWEST_PIXELS} to "
                f"{MOST_PIXELS} along a side). Choose another size or dpi."
            )
        return self.new_figure(figsize=size, dpi=per_inch, **(layout or {"layout": "constrained"}))

    def axes(self, width: float, height: float, dpi: float) -> Axes:
        """The caller's axes, or those of a new figure."""
        return self.on if isinstance(self.on, Axes) else self.figure(width, height, dpi).add_subplot()

    def name_axes(self, axes: Axes, horizontal: str, vertical: str) -> None:
        """Writes the labels of the axes."""
        axes.set_xlabel(self.labels[0] if self.labels else horizontal)
        axes.set_ylabel(self.labels[1] if self.labels else vertical)

    def put_title(self, axes: Axes | FigureBase, lines: Iterable[Sequence[str]], **place: float) -> None:
        """Writes the title over a picture."""
        if isinstance(self.on, Axes):
            if self.title:
                self.on.set_title(self.title)
        elif self.title or (self.title is None and self.on is None):
            figure = axes if isinstance(axes, FigureBase) else axes.figure
            heading.put(figure, [[self.title]] if self.title else lines, parse_math=bool(self.title), **place)

    def lines_of_title(self, lines: Iterable[Sequence[str]], width: float) -> int:
        """How many lines the title of a new figure takes."""
        if self.title == "":
            return 0
        shown = [[self.title]] if self.title else lines
        return heading.wrapped(shown, width - 2 * heading.MARGIN_INCHES).count("\n") + 1


NEW = Paper()


def check_text(text: Any) -> None:
    """Raises InputError for what is no text, or has mathematics between dollars that cannot be read."""
    if not isinstance(text, str):
        raise InputError(f"cannot write {text!r} (it is no text). Give one.")
    if not cbook.is_math_text(text):
        return
    try:
        MathTextParser("path").parse(text)
    except ValueError as error:
        reason = str(error).strip().splitlines()[-1]
        raise InputError(f"cannot write '{text}' (its mathematics: {reason}). Correct it, or write \\$ for a dollar.") from None


def parameters_of(size: tuple[float, float | None] | None, style: str | PathLike[str] | None = None) -> RcParams:
    """Parameters of matplotlib for a new figure of a size, and those of a style, by its name or in a file; raises
    InputError."""
    letters = RcParams(COLUMN_STYLE if size and size[0] < NARROW else {})
    if style is None:
        return letters
    name = fsdecode(style)
    try:
        of_style = library[name] if name in library else rc_params_from_file(name, use_default_template=False)
        if not of_style:
            raise ValueError("it sets nothing")
        return RcParams({**letters, **of_style})
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot use the style '{name}' ({reason}). Give a style of matplotlib's, or its file."
        ) from None


def size_of(size: str | float | tuple[float, float] | None) -> tuple[float, float | None] | None:
    """Width and height in inches; raises InputError."""
    if size is None:
        return None
    text = size if isinstance(size, str) else ",".join(map(str, np.atleast_1d(size)))
    try:
        return parse_size(text)
    except ValueError as error:
        raise InputError(
            f"cannot use the size {size!r} ({error}). Give inches, a text such as 8.6cm, or 'column'."
        ) from None
