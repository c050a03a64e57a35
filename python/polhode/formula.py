"""Formulas in the notation that systems of formulas have, on arrays: of columns and of names that have a meaning.

The grammar is that of src/formula/parser.hpp. Operations are kept in postfix order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

NUMBER, ANY = 0, -1  # sizes: of what is no vector, and of vectors of any length that is the same for all


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum(axis=0)


def _cross(a: Any, b: Any) -> Any:
    first, second = np.broadcast_arrays(a, b)
    return np.cross(first, second, axis=0)


def _vector(*numbers: Any) -> np.ndarray:
    vector = np.stack(np.broadcast_arrays(*numbers))
    return vector[:, np.newaxis] if vector.ndim == 1 else vector


# How many arguments a function has, the size of each, and what it does.
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Any]]] = {
    **{name: (1, NUMBER, getattr(np, name)) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "abs")},
    "asin": (1, NUMBER, np.arcsin),
    "acos": (1, NUMBER, np.arccos),
    "atan": (1, NUMBER, np.arctan),
    "atan2": (2, NUMBER, np.arctan2),
    "pow": (2, NUMBER, np.power),
    "min": (2, NUMBER, np.minimum),
    "max": (2, NUMBER, np.maximum),
    "dot": (2, ANY, _dot),
    "cross": (2, 3, _cross),
    "norm": (1, ANY, lambda a: np.sqrt(_dot(a, a))),
}
MOST_LETTERS = 400
WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?P<sign>\*\*|[-+*/^(),\[\]]))", re.ASCII
)

Meanings = Mapping[str, str | float | np.ndarray]
"""Names other than columns: a formula, a number, or the numbers [m] of a vector."""
Operation = tuple[Callable[..., Any], int] | str | np.float64
"""A function of so many of the last values, a name, or a number."""


class Formula:
    """A formula of columns and of names that have a meaning; raises ValueError with the reason for a text that is none."""

    def __init__(self, text: str, meanings: Meanings = MappingProxyType({})):
        if len(text) > MOST_LETTERS:
            raise ValueError(f"it has more than {MOST_LETTERS} characters")
        self.text = text.strip()
        names = _Names(meanings)
        try:
            size, self._operations = names.parse(text)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if size != NUMBER:
            raise ValueError("it is a vector")
        if not names.columns:
            raise ValueError("no column stands in it")
        self.names = tuple(names.columns)  # of the columns that it is made of
        self._parts = names.parts

    def __call__(self, value_of: Callable[[str], np.ndarray]) -> np.ndarray:
        """Its values; value_of(name) are those of a column. What has no value is NaN or infinite."""
        values: dict[str, Any] = {name: value_of(name) for name in self.names}
        with np.errstate(all="ignore"):
            for name, part in self._parts.items():
                values[name] = _value(part, values) if isinstance(part, list) else part
            return np.asarray(_value(self._operations, values))


@dataclass
class _Names:
    """What the names in a formula stand for, found while it is parsed."""

    meanings: Meanings
    columns: dict[str, None] = field(default_factory=dict)
    parts: dict[str, list[Operation] | np.ndarray] = field(default_factory=dict)  # each after those that it is made of
    sizes: dict[str, int] = field(default_factory=dict)  # of parts

    def parse(self, text: str) -> tuple[int, list[Operation]]:
        parser = _Parser(text, self.size_of)
        return parser.formula(), parser.operations

    def size_of(self, name: str) -> int:
        """Numbers of the vector that a name stands for; NUMBER of what is none."""
        if name not in self.meanings:
            self.columns[name] = None
            return NUMBER
        if name not in self.sizes:
            meaning = self.meanings[name]
            if isinstance(meaning, str):
                try:
                    self.sizes[name], part = self.parse(meaning)
                except ValueError as error:
                    raise ValueError(f"in {name}: {error}") from None
                self.parts[name] = part
            else:
                numbers = np.asarray(meaning, dtype=float)
                self.sizes[name] = len(numbers) if numbers.ndim else NUMBER
                self.parts[name] = numbers[:, np.newaxis] if numbers.ndim else numbers
        return self.sizes[name]


class _Parser:
    """The operations of one text. Methods read a part of it, and return its size."""

    def __init__(self, text: str, size_of: Callable[[str], int]):
        self.operations: list[Operation] = []
        self._size_of = size_of
        self._words: list[tuple[str, str]] = []  # kinds and texts, the next one last
        place, text = 0, text.rstrip()
        while place < len(text):
            word = WORD.match(text, place)
            if not word:
                raise ValueError("it is no formula")
            self._words.append((str(word.lastgroup), word[str(word.lastgroup)]))
            place = word.end()
        self._words.reverse()

    def formula(self) -> int:
        size = self._sum()
        if self._words:
            raise ValueError("it is no formula")
        return size

    def _take(self, *texts: str) -> str:
        """The next word, if it is one of these."""
        return self._words.pop()[1] if self._words and self._words[-1][1] in texts else ""

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise ValueError("it is no formula")

    def _sum(self) -> int:
        size = self._product()
        while sign := self._take("+", "-"):
            _require([self._product()], size)
            self.operations.append((np.add if sign == "+" else np.subtract, 2))
        return size

    def _product(self) -> int:
        size = self._signed()
        while sign := self._take("*", "/"):
            other = self._signed()
            if other != NUMBER:
                _require([size], NUMBER)
                _require([other], NUMBER if sign == "/" else other)
            size = max(size, other)
            self.operations.append((np.multiply if sign == "*" else np.divide, 2))
        return size

    def _signed(self) -> int:
        if self._take("+"):
            return self._signed()
        if not self._take("-"):
            return self._power()
        size = self._signed()
        self.operations.append((np.negative, 1))
        return size

    def _power(self) -> int:
        size = self._operand()
        if self._take("^", "**"):
            _require([size, self._signed()], NUMBER)
            self.operations.append((np.power, 2))
        return size

    def _operand(self) -> int:
        if self._take("("):
            size = self._sum()
            self._expect(")")
            return size
        if self._take("["):
            sizes = self._arguments("]")
            _require(sizes, NUMBER)
            self.operations.append((_vector, len(sizes)))
            return len(sizes)
        kind, text = self._words.pop() if self._words else ("", "")
        if kind == "number" and np.isfinite(float(text)):
            self.operations.append(np.float64(text))
            return NUMBER
        if kind != "name":
            raise ValueError("it is no formula")
        if self._take("("):
            return self._call(text)
        self.operations.append(np.float64(np.pi) if text == "pi" else text)
        return NUMBER if text == "pi" else self._size_of(text)

    def _call(self, name: str) -> int:
        if name not in FUNCTIONS:
            raise ValueError(f"there is no function {name}")
        count, size, function = FUNCTIONS[name]
        sizes = self._arguments(")")
        if len(sizes) != count:
            raise ValueError(f"{name} has {count} argument{'s' if count > 1 else ''}")
        if size == ANY and NUMBER in sizes:
            raise ValueError("a number stands where a vector has to be")
        _require(sizes, sizes[0] if size == ANY else size)
        self.operations.append((function, count))
        return 3 if name == "cross" else NUMBER

    def _arguments(self, end: str) -> list[int]:
        sizes = [self._sum()]
        while self._take(","):
            sizes.append(self._sum())
        self._expect(end)
        return sizes


def _require(sizes: Sequence[int], size: int) -> None:
    """Raises ValueError where one of the sizes is another one."""
    for one in sizes:
        if one != size:
            raise ValueError("a vector stands where a number has to be" if size == NUMBER else
                             "a number stands where a vector has to be" if one == NUMBER else "it has vectors of different lengths")


def _value(operations: Sequence[Operation], values: Mapping[str, Any]) -> Any:
    """A number, the numbers [k] of points, or those [m, k] of a vector, where k may be 1. values: those of names."""
    stack: list[Any] = []
    for operation in operations:
        if isinstance(operation, tuple):
            function, count = operation
            stack[-count:] = [function(*stack[-count:])]
        else:
            stack.append(values[operation] if isinstance(operation, str) else operation)
    (value,) = stack
    return value
