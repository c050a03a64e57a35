"""The part of a result that is drawn: two columns, a range of both axes, some of the trajectories.

Needs no packages, so that a bad command line is reported without them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Interval = range


@dataclass(frozen=True)
class Wanted:
    """The options of the command line that choose a part; by default everything is drawn."""

    axes: tuple[str, str] | None = None  # columns, or formulas of them
    range: tuple[tuple[float, float], tuple[float, float]] | None = None  # low and high of x, then of y
    trajectories: tuple[Interval, ...] = ()  # numbers; none: all
    sign: int | None = None  # of the side of a section that is drawn; 0: both sides; None: what suits the plane


WHOLE = Wanted()
CENTIMETRE = 1 / 2.54  # inches
COLUMN = 8.6 * CENTIMETRE  # of a journal's page
LARGEST = 100.0  # inches


SIDES = {"positive": 1, "negative": -1, "both": 0}


def parse_side(text: str) -> int:
    """The sign of a side by its name; raises ValueError with the reason."""
    if text not in SIDES:
        raise ValueError(f"it is none of {', '.join(SIDES)}")
    return SIDES[text]


def parse_axes(text: str) -> tuple[str, str]:
    """Two columns or observables, or formulas of them, from `q1z,p1z`; raises ValueError with the reason."""
    names, depth = [""], 0
    for letter in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            names.append("")
        else:
            names[-1] += letter
    if len(names) != 2:
        raise ValueError("it has to be two columns or observables, or formulas of them")
    return names[0].strip(), names[1].strip()


def parse_range(text: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The bounds of both axes from `LOW,HIGH,LOW,HIGH`; raises ValueError with the reason."""
    parts = text.split(",")
    if len(parts) != 4:
        raise ValueError(f"it has {len(parts)} numbers in place of 4: LOW,HIGH of each axis")
    numbers = [_number(part) for part in parts]
    return interval(*numbers[:2]), interval(*numbers[2:])


def interval(low: float, high: float) -> tuple[float, float]:
    """Finite bounds in their order; raises ValueError with the reason."""
    low, high = _number(low), _number(high)
    if not low < high:
        raise ValueError(f"{low:g} is not less than {high:g}")
    return low, high


def parse_size(text: str) -> tuple[float, float | None]:
    """Width and height in inches of `7`, `7,5`, `8.6cm,7cm` or `column`; raises ValueError with the reason."""
    if text == "column":
        return COLUMN, None
    parts = text.split(",")
    if len(parts) > 2:
        raise ValueError("it has more than a width and a height")
    sizes = [_inches(part.strip()) for part in parts]
    return sizes[0], sizes[1] if len(sizes) > 1 else None


def parse_positive(text: str | float) -> float:
    """A positive number; raises ValueError with the reason."""
    number = _number(text)
    if not number > 0:
        raise ValueError(f"{text} is not positive")
    return number


def parse_labels(text: str) -> tuple[str, str]:
    """The labels of both axes from `x,y`; raises ValueError with the reason."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise ValueError("it has to be two labels")
    return names[0], names[1]


def _inches(text: str) -> float:
    for unit, inches in (("cm", CENTIMETRE), ("mm", CENTIMETRE / 10), ("in", 1.0)):
        if text.endswith(unit):
            text, inch = text.removesuffix(unit), inches
            break
    else:
        inch = 1.0
    size = parse_positive(text) * inch
    if size > LARGEST:
        raise ValueError(f"{size:g} inches are too much")
    return size


def parse_trajectories(text: str) -> tuple[range, ...]:
    """Ranges of numbers from a list such as `0,5,10-20`, ends included; raises ValueError with the reason."""
    return tuple(_interval(part.strip()) for part in text.split(","))


def _number(text: str | float) -> float:
    try:
        number = float(text)
    except (TypeError, ValueError):
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is not finite")
    return number


def _interval(text: str) -> range:
    first, dash, last = text.partition("-")
    if not _is_count(first) or (dash and not _is_count(last)):
        raise ValueError(f"{text!r} is neither a number such as 5 nor an interval such as 10-20")
    low, high = int(first), int(last or first)
    if high < low:
        raise ValueError(f"the interval {text} ends before it begins")
    return range(low, high + 1)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19  # fits into 64 bits
