"""Tables of a configuration as TOML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from polhode.errors import InputError


def value_text(value: Any) -> str:
    """The value of a key: a bool, number, text, array, or a list or tuple of these. Raises InputError for others."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return repr(number) if math.isfinite(number) else str(number)  # TOML has nan, inf and -inf, too
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, np.ndarray):
        return value_text(value.tolist())
    if isinstance(value, Sequence):
        return f"[{', '.join(map(value_text, value))}]"
    raise InputError(f"cannot use a {type(value).__name__} ({value!r} has no place in a configuration). Give numbers, "
                     "texts or lists.")


def tables_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The tables one after the other, each with its keys."""
    text = ""
    for name, table in tables.items():
        text += f"[{name}]\n" + "".join(f"{json.dumps(key)} = {value_text(value)}\n" for key, value in table.items())
    return text
