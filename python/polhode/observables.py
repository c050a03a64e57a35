"""What the names in formulas of a result stand for, other than those of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.formula import Meanings
from polhode.results import Result


def observables_of(result: Result) -> tuple[str, ...]:
    """Names of the observables that the configuration gives by formulas; none where it cannot be read."""
    system = _system(result)
    return tuple(name for key in ("observables", "conserved") for name in system.get(key, {}))


def meanings_of(result: Result) -> Meanings:
    """Parameters, and formulas with names, of a result's system."""
    system, meanings = _system(result), {}
    for name, value in result.parameters.items():
        meanings[name] = np.asarray(value, dtype=float)
        if meanings[name].ndim == 1:
            meanings.update({f"{name}{i + 1}": number for i, number in enumerate(meanings[name])})
    for key in ("let", "observables", "conserved"):
        meanings.update(system.get(key, {}))
    return {name: meaning for name, meaning in meanings.items() if name not in result.columns}


def turns(result: Result, name: str) -> bool:
    """Whether an observable is an angle that the configuration calls unbounded."""
    return name in _system(result).get("unbounded_angles", ())


def _system(result: Result) -> dict[str, Any]:
    """The [system] of the configuration; empty before Python 3.11, which has no reader of TOML."""
    try:
        import tomllib

        return dict(tomllib.loads(result.attributes.get("config", "")).get("system", {}))
    except (ImportError, ValueError):
        return {}
