"""Names that are not known, and the nearest that are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from polhode.errors import KeywordError


def nearest(name: str, known: Iterable[str]) -> str:
    """The nearest of the known names, or all of them where none is near, as the end of a reason."""
    names = list(known)
    near = get_close_matches(name, names, 1)
    return f"nearest known: {near[0]}" if near else f"there are {', '.join(names)}"


def check_keywords(given: Iterable[str], known: Sequence[str], of: str) -> None:
    """Raises KeywordError for the first keyword that is not among those known."""
    for name in given:
        if name not in known:
            raise KeywordError(f"unknown keyword {name} ({of} has no such keyword; {nearest(name, known)}). Correct or remove it.")
