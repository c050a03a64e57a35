"""Known differences of texts: of units, of meanings, and of what a status means."""

import re

from compare_programs.known.ends import LEFT_DOMAIN

# Units that are products of mass, length and time, in place of names of constants.
UNITS = {
    "energy": {"mass length^2/time^2", "length^2/time^2", "1"},
    "energy/length": {"mass length/time^2"},
    "of g": {"length^2", "1"},
    "c": {"mass length^2/time^2"},
    "c^1/2 I^1/2": {"mass length^2/time"},
    "c^3/2 I^3/2": {"mass^3 length^6/time^3"},
    "c I": {"mass^2 length^4/time^2"},
    "c^2 I^-2": {"1/time^4"},
    "I": {"mass length^2"},
    "I/time": {"mass length^2/time"},
    "I^2/time^2": {"mass^2 length^4/time^2"},
    "alpha": {"mass length^2"},
    "alpha/time": {"mass length^2/time"},
    "alpha/time^2": {"mass length^2/time^2"},
    "alpha^(k+j)/time^(k-j)": {"(mass length^2)^(k+j)/time^(k-j)"},
    "radius of the planet": {"length"},
    "radius/time": {"length/time"},
    "radius^2/time": {"length^2/time"},
}
# Momenta of a satellite are per mass, which its units did not say.
UNITS_OF_SATELLITES = {"mass length/time": {"length/time"}}
# What a column is, in place of what columns like it are.
MEANINGS = {
    "position": r"position of the (bob|atom)|rod \d+, from (the origin|bob \d+) to bob \d+",
    "rod 1": "rod 1, from the origin to bob 1",
    "rod 2": "rod 2, from bob 1 to bob 2",
    "conjugate momentum": r"momentum of the (bob|atom)|momentum per mass"
                          r"|conjugate momentum, mass times velocity plus a\(q\)"
                          r"|conjugate to rod (\d+): momentum of (all bobs|bob \2( and those below)?)",
    "kinetic energy + c Gamma.chi": "H",
    "h_mu, that of the whole system": "H, that of the whole system",
}
OF_CELLS = "centres of the cells: "
ENERGY_CHANGED = "the energy changed by more than run.energy_limit"
ON_CIRCLE = {
    "statistics/mean": "; the circular mean, the direction of R = mean of e^(i angle)",
    "statistics/variance": "; the square of the circular standard deviation, -2 log |R|",
}


def is_unit_or_meaning(old, key, i, a, b):
    """Text i of an attribute of an old dataset, a, and the new one's, b."""
    if key == "unit":
        if squared := re.fullmatch(r"\((.+)\)\^2", a):
            a, b = squared[1], b.removeprefix("(").removesuffix(")^2")
        of_satellites = UNITS_OF_SATELLITES if old.file.attrs["system"] == "j2-satellite" else {}
        return b in {**UNITS, **of_satellites}.get(a, ())
    if key != "meaning" or a.startswith(OF_CELLS) != b.startswith(OF_CELLS):
        return False
    a, b = (text.removeprefix(OF_CELLS) for text in (a, b))
    return b == a.replace(", per mass", " per mass") or (a in MEANINGS and bool(re.fullmatch(MEANINGS[a], b)))


def is_circular(old, key, i, a, b):
    """The same of a moment of a wrapped angle."""
    name = old.name.removeprefix("/")
    return key == "meaning" and name in ON_CIRCLE and is_wrapped(old)[i] and b == a + ON_CIRCLE[name]


def is_wrapped(dataset):
    """Which of its columns the old file says to be wrapped angles."""
    columns = dataset.attrs["columns"]
    return dataset.attrs.get("angle", [""] * len(columns)) == "wrapped"


def have_one_more_status(old, key, a, b):
    """Whether two lists are of what a status means, the new one with one more and its own words for leaving a domain."""
    return ((old.name, key) == ("/status/code", "meaning") and b[len(a):] == [ENERGY_CHANGED] and
            all(x == y or i == LEFT_DOMAIN for i, (x, y) in enumerate(zip(a, b))))
