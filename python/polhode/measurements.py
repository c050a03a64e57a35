"""What `polhode order` and `polhode workprec` have written: JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polhode.errors import InputError

Contents = dict[str, "type | tuple[type, ...] | Contents"]  # by the name of a key

CURVE: Contents = {"label": str, "method": {"name": str}, "rows": list}
CONTENTS: dict[str, Contents] = {  # what the pictures need, by the kind of the measurement
    "order": {
        "system": str,
        "label": str,
        "trajectories": int,
        "time": (int, float),
        "declared": int,
        "measured": (int, float, type(None)),
        "rows": list,
    },
    "work-precision": {
        "system": str,
        "trajectories": int,
        "time": (int, float),
        "isa": str,
        "references": {"independent": bool},
        "curves": list,
    },
}
NUMBER = (int, float)
PERHAPS_NUMBER = (int, float, type(None))
ROWS: dict[str, Contents] = {
    "order": {"step": NUMBER, "difference": PERHAPS_NUMBER, "in_range": bool},
    "work-precision": {
        "nanoseconds_per_time": NUMBER,
        "stages_per_time": NUMBER,
        "state_error": PERHAPS_NUMBER,
        "point_error": PERHAPS_NUMBER,
        "energy_error": PERHAPS_NUMBER,
    },
}


def open_measurement(path: Path) -> dict[str, Any]:
    """Its content, with the kind under the key `polhode`; raises InputError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read '{path}' ({error.strerror or error}). Check its name.") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"cannot read '{path}' (it is no JSON: {error}). Write it again with -o.") from error
    measured: dict[str, Any] = content if isinstance(content, dict) else {}
    kind = measured.get("polhode")
    if not isinstance(kind, str) or kind not in CONTENTS:
        raise InputError(
            f"cannot draw '{path}' (it is not from polhode order or workprec). Give a file that one of them wrote."
        )
    for missing in _missing(measured, kind):
        raise InputError(f"cannot draw '{path}' (it has no {missing}). Measure again.")
    return measured


def _missing(content: dict[str, Any], kind: str) -> Iterator[str]:
    """What a measurement of the kind should have and does not."""
    yield from _unlike(content, CONTENTS[kind], "")
    curves = content["curves"] if kind == "work-precision" else [content]
    for curve in curves:
        if kind == "work-precision":
            yield from _unlike(curve, CURVE, "curve: ")
        for row in curve["rows"]:
            yield from _unlike(row, ROWS[kind], "row: ")


def _unlike(content: Any, expected: Contents, where: str) -> Iterator[str]:
    for name, kind in expected.items():
        if not isinstance(content, dict) or name not in content:
            yield where + name
        elif isinstance(kind, dict):
            yield from _unlike(content[name], kind, f"{where}{name}: ")
        elif not isinstance(content[name], kind):
            yield where + name


def rows_with(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Those in which the numbers are known and positive, as logarithmic axes need them."""
    return [row for row in rows if all(row[name] is not None and 0 < row[name] < math.inf for name in names)]
