"""The title of a picture: what it is of, which quantities all its trajectories have in common, what of it is drawn."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from polhode.arrays import Array
from polhode.results import Result

SEPARATOR = "  |  "
BLOCK_ROWS = 1 << 20
SMALL = 0.83  # share of the letters of a legend and of a scale
MARGIN_INCHES = 0.2  # on each side
SHORT = 0.45  # of a vertical label, as a share of its panel with all that is about that
LEAST_POINTS = 5.0  # of its letters
SAME = 1e-9  # largest spread of a quantity that is told, relative where it is larger than 1
WRITTEN = {"pi_dot_gamma": "\N{GREEK CAPITAL LETTER PI}\N{MIDDLE DOT}\N{GREEK CAPITAL LETTER GAMMA}"}


def points(share: float = 1) -> float:
    """The size of letters, as a share of that of a title's."""
    return float(share * rcParams["font.size"])


def line_inches() -> float:
    """The height of a line of the title."""
    return 1.2 * points() / 72


def origin(result: Result, *wanted: str) -> list[str]:
    """What the picture is of, e.g. heavy-top, rattle, step 0.05, from the attributes wanted and present."""
    wording = {"system": "{}", "section": "section {}", "method": "{}", "step": "step {}", "solver": "{}", "precision": "{}"}
    known = dict(result.attributes)
    composition = known.get("composition", "none")
    if not isinstance(composition, str):
        composition = f"{len(composition)} stages"
    if "method" in known and composition != "none":
        known["method"] += f" ({composition})"
    elif "method" in known and ("table" in known or "layer" in known):
        table = known.get("table", known.get("layer"))
        known["method"] += f" ({table if isinstance(table, str) else 'own table'})"
    if isinstance(known.get("step"), float):
        known["step"] = f"{known['step']:.6g}"
    return [wording[name].format(known[name]) for name in wanted if name in known]


def metadata_of(results: Iterable[Result]) -> str:
    """What a picture is of, for its file: program, system, method and its options, and parameters."""
    texts = []
    for result in results:
        known = [f"{name} = {value}" for name, value in result.attributes.items() if name not in ("config", "identity")]
        parameters = [f"{name} = {np.asarray(value).tolist()}" for name, value in result.parameters.items()]
        texts.append("; ".join([*known, *parameters]))
    return "\n".join(texts)


def constants(result: Result, rows: np.ndarray | None = None) -> list[str]:
    """Energy and momenta that are the same for all trajectories, or for some rows of them, e.g. `energy = 1`."""
    invariants = result.invariants
    if invariants is None or invariants.initial.shape[0] == 0:
        return []
    low, high = _bounds(invariants.initial, rows)
    common = {
        name: low[i]
        for i, name in enumerate(invariants.names)
        if _is_told(name) and high[i] - low[i] <= SAME * max(1.0, abs(low[i]))
    }
    told = []
    for name in common:
        vector = re.sub("_[xyz]$", "", name)
        components = [f"{vector}_{axis}" for axis in "xyz"]
        if name == components[0] and set(components) <= set(common):
            values = [_written(common[part]) for part in components]
            told.append(f"{vector} = {values[0] if set(values) == {'0'} else '(' + ', '.join(values) + ')'}")
        elif not set(components) <= set(common):
            told.append(f"{WRITTEN.get(name, name)} = {_written(common[name])}")
    return told


def _bounds(values: Array, rows: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest of each column, over all rows or some; NaN where a value is."""
    low, high = np.full(values.shape[1], np.inf), np.full(values.shape[1], -np.inf)
    for first in range(0, len(values), BLOCK_ROWS):
        block = values[first : first + BLOCK_ROWS]
        if rows is not None:
            block = block[rows[(rows >= first) & (rows < first + BLOCK_ROWS)] - first]
        if len(block) > 0:
            low, high = np.minimum(low, block.min(axis=0)), np.maximum(high, block.max(axis=0))
    return low, high


def _is_told(name: str) -> bool:
    return name in ("energy", "pi_dot_gamma") or "momentum" in name


def _written(value: float) -> str:
    return "0" if abs(value) <= SAME else f"{value:.6g}"


def wrapped(lines: Iterable[Sequence[str]], inches: float) -> str:
    """The parts of each line beside each other, on as many lines as they need at this width."""
    text = []
    for parts in lines:
        pieces = [piece for part in parts for piece in broken(part, inches)]
        line = ""
        for piece in pieces:
            longer = f"{line}{SEPARATOR}{piece}" if line else piece
            if line and width_of(longer) > inches:
                text.append(line)
                line = piece
            else:
                line = longer
        text.append(line)
    return "\n".join(line for line in text if line)


def broken(part: str, inches: float, share: float = 1) -> list[str]:
    """A part that is longer than a line, such as a section with a long `where`, in pieces that are not."""
    if width_of(part, share) <= inches:
        return [part]
    pieces = [part]
    letters = int(len(part) * inches / width_of(part, share))
    while letters > 1:
        pieces = textwrap.wrap(part, letters, break_on_hyphens=False)
        if max(width_of(piece, share) for piece in pieces) <= inches:
            break
        letters -= 1
    return pieces


def width_of(text: str, share: float = 1) -> float:
    """Inches, in letters of a share of a title's size."""
    return text_to_path.get_text_width_height_descent(text, FontProperties(size=points(share)), ismath=False)[0] / 72


def fit_labels(figure: Figure, panels: int = 1) -> None:
    """Breaks labels of vertical axes that are longer than these before their units, and makes the letters of those that
    still are smaller. panels: one below the other, which are not measured where all labels are short."""
    beside = [axes for axes in figure.axes if axes.get_ylabel()]
    if all(axes.yaxis.label.get_window_extent().height < SHORT * figure.bbox.height / panels for axes in beside):
        return
    places = {axes: axes.get_position(original=True) for axes in figure.axes}
    long = too_long(figure, beside)
    for axes in long:
        axes.set_ylabel(axes.get_ylabel().replace(" [", "\n["))
    for axes in too_long(figure, long) if long else []:
        label = axes.yaxis.label
        share = axes.get_window_extent().height / label.get_window_extent().height
        label.set_fontsize(max(LEAST_POINTS, share * float(label.get_fontsize())))
    for axes, place in places.items():  # from which the arrangement begins
        axes.set_position(place)
        axes.set_in_layout(True)


def too_long(figure: Figure, beside: Sequence[Axes]) -> list[Axes]:
    """Those of the axes whose labels are longer than they are, once the figure is arranged."""
    figure.draw_without_rendering()
    return [axes for axes in beside if axes.yaxis.label.get_window_extent().height > axes.get_window_extent().height]


def put(figure: FigureBase, lines: Iterable[Sequence[str]], parse_math: bool, **place: float) -> None:
    """Writes the title over a picture."""
    text = wrapped(lines, figure.get_window_extent().width / figure.figure.dpi - 2 * MARGIN_INCHES)
    figure.suptitle(text, fontsize=points(), parse_math=parse_math, **place)
