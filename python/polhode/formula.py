"""Formulas of columns with the operators and the functions of numbers that systems of formulas have, on arrays."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
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
LETTERS = re.compile(r"[A-Za-z0-9_\s.+\-*/^(),]*")
OTHER_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[0-9.]+(_|[xXoObBjJ])")  # of Python


class Formula:
    """A formula of columns; raises ValueError with the reason for a text that is none."""

    def __init__(self, text: str):
        if len(text) > MOST_LETTERS:
            raise ValueError(f"it has more than {MOST_LETTERS} characters")
        if not LETTERS.fullmatch(text) or OTHER_NUMBER.search(text):
            raise ValueError("it is no formula")
        try:
            self._tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
            self.names = tuple(dict.fromkeys(self._check(self._tree)))  # of columns
        except (SyntaxError, RecursionError, MemoryError, OverflowError):
            raise ValueError("it is no formula") from None
        if not self.names:
            raise ValueError("no column stands in it")
        self.text = text.strip()

    @property
    def is_name(self) -> bool:
        return isinstance(self._tree, ast.Name)

    def __call__(self, value_of: Callable[[str], np.ndarray]) -> np.ndarray:
        """Its values; value_of(name) are those of a column."""
        with np.errstate(all="ignore"):  # what has no value is NaN
            return np.asarray(self._value(self._tree, value_of))

    def _check(self, node: ast.AST) -> list[str]:
        """Names of columns in a part."""
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return [] if np.isfinite(float(number)) else self._check(ast.Pass())
            case ast.Name(id="pi"):
                return []
            case ast.Name(id=name):
                return [name]
            case ast.UnaryOp(op=op, operand=one) if type(op) in OPERATORS:
                return self._check(one)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return self._check(left) + self._check(right)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                if len(arguments) != FUNCTIONS[name][0]:
                    raise ValueError(f"{name} has {FUNCTIONS[name][0]} argument{'s' if FUNCTIONS[name][0] > 1 else ''}")
                return [one for argument in arguments for one in self._check(argument)]
            case ast.Call(func=ast.Name(id=name)):
                raise ValueError(f"there is no function {name}")
        raise ValueError("it is no formula of columns")

    def _value(self, node: ast.AST, value_of: Callable[[str], np.ndarray]) -> Any:
        match node:
            case ast.Constant(value=number):
                return float(number)  # type: ignore[arg-type]
            case ast.Name(id="pi"):
                return np.pi
            case ast.Name(id=name):
                return value_of(name)
            case ast.UnaryOp(op=op, operand=one):
                return OPERATORS[type(op)](self._value(one, value_of))
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](self._value(left, value_of), self._value(right, value_of))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return FUNCTIONS[name][1](*(self._value(argument, value_of) for argument in arguments))
        raise AssertionError(node)
