"""Names of the file as labels of a picture: pi2 as a subscripted Pi, units in brackets."""

from __future__ import annotations

import re

import h5py

from polhode.results import Result

GREEK = {"pi": r"\Pi", "gamma": r"\Gamma", "theta": r"\theta", "phi": r"\varphi", "omega": r"\Omega"}


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


def unit(text: str) -> str:
    """A unit such as 'c^1/2 I^1/2' in brackets; nothing where there is none or it is 1."""
    if text in ("", "1"):
        return ""
    return " [" + re.sub(r"\^(-?[\d./]+)", r"$^{\1}$", plain(text)) + "]"


def origin(result: Result, *wanted: str) -> str:
    """What the picture is of, e.g. 'heavy-top  |  rattle  |  step 0.05', from the attributes wanted and present."""
    wording = {"system": "{}", "section": "section {}", "method": "{}", "step": "step {}"}
    known = dict(result.attributes)
    composition = known.get("composition", "none")
    if not isinstance(composition, str):
        composition = f"{len(composition)} stages"
    if "method" in known and composition != "none":
        known["method"] += f" ({composition})"
    return "  |  ".join(wording[name].format(known[name]) for name in wanted if name in known)


def invariant(name: str) -> str:
    """An invariant's name in mathematical type where there is one."""
    known = {"gamma_squared": r"$|\Gamma|^2$", "pi_dot_gamma": r"$\Pi\cdot\Gamma$", "pi_squared": r"$|\Pi|^2$"}
    return known.get(name) or symbol(name)


def unit_of(data: h5py.Dataset) -> str:
    """The unit that a dataset says it has, or an empty string."""
    value = data.attrs.get("unit", "")
    return value.decode() if isinstance(value, bytes) else str(value)
