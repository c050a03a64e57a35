"""Formulas in the notation that systems of formulas have, on arrays: of columns and of names that have a meaning."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    **{name: (1, getattr(np, name)) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "abs")},
    "asin": (1, np.arcsin),
    "acos": (1, np.arccos),
    "atan": (1, np.arctan),
    "atan2": (2, np.arctan2),
    "pow": (2, np.power),
    "min": (2, np.minimum),
    "max": (2, np.maximum),
}
OF_VECTORS: dict[str, tuple[int, Callable[..., Any]]] = {
    "dot": (2, lambda a, b: (a * b).sum(axis=0)),
    "cross": (2, lambda a, b: np.cross(*np.broadcast_arrays(a, b), axis=0)),
    "norm": (1, lambda a: np.sqrt((a * a).sum(axis=0))),
}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
MOST_LETTERS = 400
LETTERS = re.compile(r"[A-Za-z0-9_\s.+\-*/^(),\[\]]*")
OTHER_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[0-9.]+(_|[xXoObBjJ])")  # of Python

Meanings = Mapping[str, str | float | np.ndarray]
"""Names other than columns: a formula, a number, or the numbers [m] of a vector."""


class Formula:
    """A formula of columns and of names that have a meaning; raises ValueError with the reason for a text that is none."""

    def __init__(self, text: str, meanings: Meanings = MappingProxyType({})):
        if len(text) > MOST_LETTERS:
            raise ValueError(f"it has more than {MOST_LETTERS} characters")
        self.text = text.strip()
        self._meanings = meanings
        self._parts: dict[str, ast.AST] = {}  # formulas of names in it
        self._sizes: dict[str, int] = {}  # of their values
        self._columns: dict[str, None] = {}  # in the order in which they stand
        try:
            self._tree = _parsed(text)
            size = self._size(self._tree)
        except (SyntaxError, RecursionError, MemoryError, OverflowError):
            raise ValueError("it is no formula") from None
        if size != 1:
            raise ValueError("it is a vector")
        if not self._columns:
            raise ValueError("no column stands in it")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it is made of."""
        return tuple(self._columns)

    @property
    def is_name(self) -> bool:
        return isinstance(self._tree, ast.Name)

    def __call__(self, value_of: Callable[[str], np.ndarray]) -> np.ndarray:
        """Its values; value_of(name) are those of a column."""
        values: dict[str, Any] = {}  # of names
        with np.errstate(all="ignore"):  # what has no value is NaN
            return np.asarray(self._value(self._tree, value_of, values))

    def _size(self, node: ast.AST) -> int:
        """How many numbers a part is, 1 or those of a vector. Notes its columns and the formulas of its names."""
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return 1 if np.isfinite(float(number)) else self._size(ast.Pass())
            case ast.Name(id="pi"):
                return 1
            case ast.Name(id=name) if name in self._meanings:
                if name not in self._sizes:
                    meaning = self._meanings[name]
                    if isinstance(meaning, str):
                        self._parts[name] = _parsed(meaning)
                    self._sizes[name] = self._size(self._parts[name]) if name in self._parts else np.size(meaning)
                return self._sizes[name]
            case ast.Name(id=name):
                self._columns[name] = None
                return 1
            case ast.List(elts=elements):
                self._require([self._size(element) for element in elements], 1)
                return len(elements)
            case ast.UnaryOp(op=op, operand=one) if type(op) in OPERATORS:
                return self._size(one)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                sizes = self._size(left), self._size(right)
                if isinstance(op, (ast.Add, ast.Sub)):
                    self._require(sizes, sizes[0])
                elif min(sizes) > 1 or (sizes[1] > 1 and not isinstance(op, ast.Mult)) or (sizes[0] > 1 and isinstance(op, ast.Pow)):
                    raise ValueError("a vector stands where a number has to be")
                return max(sizes)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS or name in OF_VECTORS:
                count = FUNCTIONS[name][0] if name in FUNCTIONS else OF_VECTORS[name][0]
                if len(arguments) != count:
                    raise ValueError(f"{name} has {count} argument{'s' if count > 1 else ''}")
                sizes = tuple(self._size(argument) for argument in arguments)
                self._require(sizes, 1 if name in FUNCTIONS else 3 if name == "cross" else max(sizes[0], 2))
                return 3 if name == "cross" else 1
            case ast.Call(func=ast.Name(id=name)):
                raise ValueError(f"there is no function {name}")
        raise ValueError("it is no formula of columns")

    def _require(self, sizes: Sequence[int], size: int) -> None:
        if size > 1 and 1 in sizes:
            raise ValueError("a number stands where a vector has to be")
        if any(one != size for one in sizes):
            raise ValueError("a vector stands where a number has to be" if size == 1 else "it has vectors of different lengths")

    def _value(self, node: ast.AST, value_of: Callable[[str], np.ndarray], values: dict[str, Any]) -> Any:
        """Values of a part: a number, those [k] of points, or those [m, k] of a vector, where k may be 1."""
        def of(part: ast.AST) -> Any:
            return self._value(part, value_of, values)

        match node:
            case ast.Constant(value=number):
                return float(number)  # type: ignore[arg-type]
            case ast.Name(id="pi"):
                return np.pi
            case ast.Name(id=name) if name in self._sizes:
                if name not in values:
                    values[name] = of(self._parts[name]) if name in self._parts else _numbers(self._meanings[name])
                return values[name]
            case ast.Name(id=name):
                return value_of(name)
            case ast.List(elts=elements):
                return _numbers(np.broadcast_arrays(*map(of, elements)))
            case ast.UnaryOp(op=op, operand=one):
                return OPERATORS[type(op)](of(one))
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](of(left), of(right))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return {**FUNCTIONS, **OF_VECTORS}[name][1](*map(of, arguments))
        raise AssertionError(node)


def _parsed(text: str) -> ast.AST:
    if not LETTERS.fullmatch(text) or OTHER_NUMBER.search(text):
        raise ValueError("it is no formula")
    return ast.parse(text.strip().replace("^", "**"), mode="eval").body


def _numbers(values: Any) -> Any:
    """A number, or a vector as an array [m, k]."""
    array = np.asarray(values, dtype=float)
    return array[:, np.newaxis] if array.ndim == 1 else array
