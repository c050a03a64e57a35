"""The plane in which a section or a density is drawn: its axes, their scale, and the side of the section."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from polhode import labels
from polhode.errors import InputError
from polhode.formula import Formula
from polhode.observables import meanings_of, observables_of, turns
from polhode.results import Density, Result, section_of
from polhode.wanted import Wanted


@dataclass(frozen=True)
class Axis:
    """A column, an observable, or a formula of these, as a coordinate of the picture."""

    label: str
    column: str
    sign: float = 1
    turns: bool = False  # an angle without bound, drawn modulo 2 pi
    formula: Formula | None = None  # whose text is the column; None: it is one

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is made of."""
        return self.formula.names if self.formula else (self.column,)

    def at(self, value_of: Callable[[str], np.ndarray], low: float | None = None) -> np.ndarray:
        """The coordinates [k] of points; value_of(name) are their values [k] of a column."""
        return self.of(self.formula(value_of) if self.formula else value_of(self.column), low)

    def of(self, values: np.ndarray, low: float | None = None) -> np.ndarray:
        """The coordinates [k] of values of the column; of an angle without bound from low on, -pi if that is not given."""
        if not self.turns:
            return self.sign * values
        low = -np.pi if low is None else low
        return low + np.mod(self.sign * values - low, 2 * np.pi)


@dataclass(frozen=True)
class Chart:
    """Two axes, and which half of the section is drawn over them."""

    horizontal: Axis
    vertical: Axis
    same_scale: bool = False  # for both axes
    side: str | None = None  # the column whose sign tells the halves of the section apart
    sign: int = 0  # of the side's column at the points that are drawn; 0: both

    @property
    def condition(self) -> str:
        """Which side is drawn, in words; nothing where the section has no sides."""
        if not self.side:
            return ""
        return f"{self.side} {'>' if self.sign > 0 else '<'} 0" if self.sign else f"both signs of {self.side}"


def chart_of_section(result: Result, wanted: Wanted) -> Chart:
    """The plane of two columns that are wanted, for all points; else the one that the file names for its section, for
    the points on the positive side; else the plane of the first two columns other than the section's. Points of another
    side, or of both, where it is wanted.
    """
    given = result.section_chart
    side = given.side if given else None
    if wanted.sign is not None and side is None:
        raise InputError(f"cannot draw one side of {result.source} (its section has no sides). Leave the side out.")
    if wanted.axes:
        horizontal, vertical = (_wanted_axis(result, name) for name in wanted.axes)
        return Chart(horizontal, vertical, are_components(horizontal.column, vertical.column), side, wanted.sign or 0)
    if given:
        horizontal, vertical = (_given_axis(result, column) for column in given.columns)
        sign = 1 if wanted.sign is None else wanted.sign
        return Chart(horizontal, vertical, are_components(*given.columns), side, sign if side else 0)
    section_column = str(result.attributes.get("section", "")).split("=")[0].strip()
    free = [name for name in section_of(result).columns if name != section_column]
    if len(free) < 2:
        raise InputError(f"cannot draw {result.source} (its points have too few columns). Give a file with more.")
    return Chart(_axis(result, free[0]), _axis(result, free[1]))


def chart_of_density(result: Result, density: Density) -> Chart:
    """The plane of the counts, with signs and scale as in the picture of the section; both sides are in the counts."""
    horizontal, vertical = (_given_axis(result, name) for name in density.axes)
    given = result.section_chart
    side = given.side if given else None
    condition = re.search(r"\bwhere (.*)", str(result.attributes.get("section", "")))
    if side and condition and re.search(rf"\b{re.escape(side)}\b", condition[1]):
        side = None  # the title says by itself which points were counted
    return Chart(horizontal, vertical, are_components(*density.axes), side)


def are_components(first: str, second: str) -> bool:
    """Whether two columns are components of one vector, such as pi2 and pi3 or q1x and q1y. The heights q1z and q2z of
    two bodies are not, nor are generalised coordinates q1 and q2, which may be a length and an angle.
    """
    for pattern in (r"(pi|gamma|omega)[123]", r"([a-z]+\d*)[xyz]"):
        one, other = re.fullmatch(pattern, first), re.fullmatch(pattern, second)
        if one and other and one[1] == other[1] and first != second:
            return True
    return False


def _wanted_axis(result: Result, text: str) -> Axis:
    """The axis that the section's chart calls so, or the column of that name, or a formula of columns and observables."""
    given = result.section_chart
    if given and text in given.names:
        return _given_axis(result, given.columns[given.names.index(text)])
    if text in result.columns:
        return _axis(result, text)
    try:
        formula = Formula(text, meanings_of(result))
    except ValueError as error:
        raise InputError(f"cannot draw {result.source} over {text!r} ({error}). Give two columns or observables, or formulas of them.") from None
    for name in formula.names:
        if name not in result.columns:
            observables = observables_of(result)
            raise InputError(
                f"cannot draw {result.source} over {text!r} ({'' if name == formula.text else f'there is no {name}; '}its columns are "
                f"{', '.join(result.columns)}{'; observables are ' if observables else ''}{', '.join(observables)}). Choose two of them."
            )
    return Axis(text, text, turns=turns(result, formula.text), formula=formula)


def _given_axis(result: Result, column: str) -> Axis:
    """A column as the axis that the section's chart makes of it, or as it is."""
    given = result.section_chart
    if not given or column not in given.columns:
        return _axis(result, column)
    i = given.columns.index(column)
    return _axis(result, column, given.names[i], given.signs[i])


def _axis(result: Result, column: str, name: str = "", sign: float = 1) -> Axis:
    return Axis(_label(result, column, name, sign), column, sign, column in result.turning)


def _label(result: Result, column: str, name: str = "", sign: float = 1) -> str:
    """The column's symbol and unit, as in 'm12 = -pi3 [unit]' where the axis has a name or sign of its own."""
    text = labels.symbol(column)
    if name not in ("", column) or sign != 1:
        factor = {1.0: "", -1.0: "\N{MINUS SIGN}"}.get(sign, f"{sign:g} ")
        text = f"{labels.symbol(name or column)} = {factor}{text}"
    unit = result.units[result.columns.index(column)] if column in result.columns else ""
    return text + labels.unit(unit)
