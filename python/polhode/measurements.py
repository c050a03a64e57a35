"""What `polhode order` and `polhode workprec` have written: JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from polhode.results import ResultError

KINDS = "order", "work-precision"


def open_measurement(path: Path) -> dict[str, Any]:
    """Its content, with the kind under the key `polhode`; raises ResultError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"cannot read '{path}' ({error.strerror or error}). Check its name.") from error
    except ValueError as error:
        raise ResultError(f"cannot read '{path}' (it is no JSON: {error}). Write it again with -o.") from error
    if not isinstance(content, dict) or content.get("polhode") not in KINDS:
        raise ResultError(
            f"cannot draw '{path}' (it is not from polhode order or workprec). Give a file that one of them wrote."
        )
    return content


def rows_with(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Those in which the numbers are known and positive, as logarithmic axes need them."""
    return [row for row in rows if all(row[name] is not None and row[name] > 0 for name in names)]
