"""Colours that people with any colour vision can tell apart (Okabe & Ito 2008; Tol 2021), on white paper."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import LinearSegmentedColormap, ListedColormap, to_rgb

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
COMPONENTS = (BLUE, ORANGE, GREEN)  # of a vector
INK, GREY, PALE = "#1A1A1A", "#7A7A7A", "#C8C8C8"

MANY_ORBITS = (0.05, 0.1, 0.3)
MOST_COLOURED_ORBITS = 200

FEW = np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN, PURPLE, "#000000", "#E69F00", "#56B4E9", "#999933",
                                              "#882255", "#332288", "#BBBBBB", "#B5A000")])  # fmt: skip
SEQUENCE = ListedColormap(colormaps["viridis"](np.arange(218)))  # dark to light, all visible on white
DENSITY = ListedColormap(colormaps["magma_r"](np.linspace(0.2, 1.0, 256)))  # the palest look white

# Shades of each branch of a section, from dark to light.
BRANCHES = [
    LinearSegmentedColormap.from_list(name, ends)
    for name, ends in {
        "blue": ("#08264D", "#3F8FD2"),
        "orange": ("#8A2B00", "#FF9A2E"),
        "green": ("#00441B", "#4FB36A"),
        "purple": ("#3F007D", "#B184D0"),
        "red": ("#67000D", "#EF6548"),
        "grey": ("#252525", "#969696"),
    }.items()
]
BRANCH_SHADE = 0.45  # where all orbits have the same
LIGHT = "#3DE0FF"  # seen on white and on all colours of DENSITY, with a dark border


def ordered(count: int) -> np.ndarray:
    """[count, 3] colours for things in an order, from dark to light."""
    return SEQUENCE(np.linspace(0, 1, max(count, 2)))[:count, :3]


def orbit_colours(trajectory: np.ndarray) -> np.ndarray:
    """[k, 3] colours that tell orbits apart, for trajectory numbers [k]: unlike ones, or shades, or all the same."""
    numbers, orbit = np.unique(trajectory, return_inverse=True)
    if len(numbers) <= len(FEW):
        palette = FEW
    elif len(numbers) <= MOST_COLOURED_ORBITS:
        palette = ordered(len(numbers))[_unlike_neighbours(len(numbers))]
    else:
        palette = np.tile(MANY_ORBITS, (len(numbers), 1))
    return palette[orbit]


def branch_colours(trajectory: np.ndarray, branch: np.ndarray, present: np.ndarray) -> np.ndarray:
    """[k, 3] colours that tell branches apart by hue, those present having numbers in that order, and, as long as there
    are not too many, orbits by shade; for trajectory numbers [k] and branch numbers [k].
    """
    numbers, orbit = np.unique(trajectory, return_inverse=True)
    few = len(numbers) <= MOST_COLOURED_ORBITS
    shade = _unlike_neighbours(len(numbers)) / max(len(numbers) - 1, 1) if few else np.full(len(numbers), BRANCH_SHADE)
    colour = np.zeros((len(trajectory), 3))
    for place, number in enumerate(present):
        mine = branch == number
        colour[mine] = BRANCHES[place](shade[orbit[mine]])[:, :3]
    return colour


def branch_colour(place: int) -> tuple[float, float, float]:
    """The colour that stands for the branch at a place among those present."""
    return BRANCHES[place](BRANCH_SHADE)[:3]


def _unlike_neighbours(count: int) -> np.ndarray:
    """[count] ranks that differ much for numbers that follow each other and are often neighbours in the picture."""
    golden = (np.sqrt(5) - 1) / 2
    return np.argsort(np.argsort(np.arange(count) * golden % 1))
