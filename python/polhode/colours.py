"""Colours that people with any colour vision can tell apart (Okabe & Ito 2008; Tol 2021), on white paper."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap, to_rgb

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
INK, GREY, PALE = "#1A1A1A", "#7A7A7A", "#C8C8C8"

MANY_ORBITS = (0.05, 0.1, 0.3)
MOST_COLOURED_ORBITS = 200

FEW = np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN, PURPLE, "#000000", "#E69F00", "#56B4E9", "#999933",
                                              "#882255", "#332288", "#BBBBBB", "#B5A000")])  # fmt: skip
SEQUENCE = ListedColormap(colormaps["viridis"].colors[:218])  # dark to light, all visible on white
DENSITY = ListedColormap(colormaps["magma_r"](np.linspace(0.2, 1.0, 256)))  # the palest look white


def ordered(count: int) -> np.ndarray:
    """[count, 3] colours for things in an order, from dark to light."""
    return SEQUENCE(np.linspace(0, 1, max(count, 2)))[:count, :3]


def orbit_colours(trajectory: np.ndarray) -> np.ndarray:
    """[k, 3] colours that tell orbits apart, for trajectory numbers [k]: unlike ones, or shades, or all the same."""
    numbers, orbit = np.unique(trajectory, return_inverse=True)
    if len(numbers) <= len(FEW):
        palette = FEW
    elif len(numbers) <= MOST_COLOURED_ORBITS:
        golden = (np.sqrt(5) - 1) / 2  # neighbours in number, which are often neighbours in the picture, differ much
        rank = np.argsort(np.argsort(np.arange(len(numbers)) * golden % 1))
        palette = ordered(len(numbers))[rank]
    else:
        palette = np.tile(MANY_ORBITS, (len(numbers), 1))
    return palette[orbit]
