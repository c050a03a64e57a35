"""Tables of a configuration as TOML."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from os import PathLike, fsdecode
from typing import Any

import numpy as np

from polhode.errors import InputError


def formula_of(expression: Any) -> str:
    """An expression of SymPy in the notation of formulas."""
    from sympy.printing.str import StrPrinter

    def of_pairs(name: str) -> Callable[[Any, Any], str]:
        return lambda printer, of: reduce(lambda first, second: f"{name}({first}, {second})", map(printer._print, of.args))

    differences = {
        "_print_Exp1": lambda printer, of: "exp(1)",
        "_print_Abs": lambda printer, of: f"abs({printer._print(of.args[0])})",
        "_print_Max": of_pairs("max"),
        "_print_Min": of_pairs("min"),
    }
    text: str = type("Printer", (StrPrinter,), differences)().doprint(expression)
    return text


def value_text(value: Any) -> str:
    """The value of a key: a bool, number, text, path, array, an expression of SymPy, or a list, tuple or dictionary of these.
    Raises InputError for others."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value)) if -(2**63) <= value < 2**63 else repr(float(value))  # which TOML's integers cannot hold
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return repr(number) if math.isfinite(number) else str(number)  # TOML has nan, inf and -inf, too
    if isinstance(value, PathLike):
        return value_text(fsdecode(value))
    if isinstance(value, str):
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise InputError(f"cannot use the text {value!r} (it is no Unicode). Correct it.")
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, np.ndarray):
        return value_text(value.tolist())
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{value_text(str(key))} = {value_text(one)}' for key, one in value.items())}}}"
    if hasattr(value, "free_symbols"):
        return value_text(formula_of(value))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return f"[{', '.join(map(value_text, value))}]"
    raise InputError(f"cannot use a {type(value).__name__} ({value!r} has no place in a configuration). Give numbers, "
                     "texts or lists.")


def tables_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The tables one after the other, each with its keys."""
    text = ""
    for name, table in tables.items():
        text += f"[{value_text(name)}]\n" + "".join(f"{value_text(key)} = {value_text(value)}\n" for key, value in table.items())
    return text
