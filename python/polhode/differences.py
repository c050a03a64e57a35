"""What tells several results of one picture apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polhode import heading
from polhode.results import Result

TOLD = "system", "section", "method", "composition", "solver", "step", "precision"  # as heading.origin tells them


def shared(results: Sequence[Result]) -> list[str]:
    """Which of TOLD all results have in common."""
    common = [name for name in TOLD if len({str(result.attributes.get(name)) for result in results}) == 1]
    if "composition" not in common:  # it is told with the method
        return [name for name in common if name != "method"]
    return common


def names_of(results: Sequence[Result], sides: Sequence[str]) -> list[str]:
    """A name for each, no two alike: how it differs from the others, else its file or its number. sides: of the section
    that is drawn of each, in words."""
    common = shared(results)
    told = [
        heading.origin(result, *(name for name in TOLD if name not in common and name != "composition")) + differing
        for result, differing in zip(results, unlike([facts_of(result, side) for result, side in zip(results, sides)]))
    ]
    names = [", ".join(parts) for parts in told]
    stems = [Path(result.source.strip("'")).stem if result.is_stored else "" for result in results]
    for k, name in enumerate(names):
        if not name or names.count(name) > 1:
            told[k] = [*told[k], stems[k] if stems[k] and stems.count(stems[k]) == 1 else f"run {k + 1}"]
    return [", ".join(parts) for parts in told]


def facts_of(result: Result, side: str) -> list[str]:
    """Parameters, conserved quantities, length and side of a result, in words."""
    parameters = [f"{name} = {written(value)}" for name, value in result.parameters.items()]
    steps = [f"{result.attributes['steps']:,} steps"] if "steps" in result.attributes else []
    return [*parameters, *heading.constants(result), *steps, *([side] if side else [])]


def unlike(facts: Sequence[list[str]]) -> list[list[str]]:
    """Of the facts of each those that not all have."""
    common = set.intersection(*map(set, facts))
    return [[fact for fact in of_one if fact not in common] for of_one in facts]


def written(value: np.ndarray) -> str:
    """A parameter: a number, or those of a vector."""
    numbers = [f"{number:.6g}" for number in np.ravel(value)]
    return numbers[0] if np.ndim(value) == 0 else f"({', '.join(numbers)})"
