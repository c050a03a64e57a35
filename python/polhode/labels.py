"""Names of the file as labels of a picture: pi2 as a subscripted Pi, units in brackets."""

from __future__ import annotations

import re

from polhode.arrays import Array

GREEK = {"pi": r"\Pi", "gamma": r"\Gamma", "theta": r"\theta", "phi": r"\varphi", "omega": r"\Omega"}
INVARIANTS = {
    "gamma_squared": r"$|\Gamma|^2$",
    "pi_dot_gamma": r"$\Pi\cdot\Gamma$",
    "pi_squared": r"$|\Pi|^2$",
    "q_squared": r"$|q|^2$",
}


def symbol(name: str) -> str:
    """A column's name in mathematical type: m13, q1x and gamma3 with their indices lowered; other names as they are."""
    parts = re.fullmatch(r"(pi|gamma|theta|phi|omega|[a-z])(\d*[a-z]?)", name)
    if not parts:
        return plain(name)
    letter, index = parts.groups()
    return f"${GREEK.get(letter, letter)}_{{{index}}}$" if index else f"${GREEK.get(letter, letter)}$"


def plain(text: str) -> str:
    """Text that shall be shown as it is, also where it has dollar signs."""
    return text.replace("$", r"\$")


def unit(text: str, quantity: str = "") -> str:
    """A unit such as 'c^1/2 I^1/2' in brackets; nothing where it is none, 1 or just the name of the quantity, as the
    time's is, or where several quantities have theirs, such as 'of g'.
    """
    if text in ("", "1", quantity) or text.startswith("of "):
        return ""
    return " [" + re.sub(r"\^(-?\d+(?:\.\d+)?(?:/\d+)?)", r"$^{\1}$", plain(text)) + "]"


def invariant(name: str) -> str:
    """An invariant's name in mathematical type where there is one."""
    return INVARIANTS.get(name) or symbol(name)


def time(data: Array) -> str:
    """The label of an axis of these times."""
    return "time" + unit(data.attributes.get("unit", ""), "time")


def counted(count: int, thing: str, things: str = "") -> str:
    """A number of things in words, e.g. '1 point' or '252984 points'."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def part_of(drawn: int, total: int, thing: str, things: str = "") -> str:
    """A number of things of all of them, in a title, e.g. '1 point' or '3,000 of 252,984 points'."""
    words = thing if total == 1 else things or thing + "s"
    return f"{total:,} {words}" if drawn == total else f"{drawn:,} of {total:,} {words}"
