"""Known differences of starts: grids over the section of a pendulum, whose box is that around the section."""

import math

import h5py

from compare_programs.places import parameter, tables


def old_window(old_path, new_path):
    """The setting with which both programs have the old one's grid, where the new one has more starts; else none."""
    with h5py.File(old_path) as old:
        ensemble = tables(old)["ensemble"]
        box = BOXES.get(old.attrs["system"])
        is_grid = ensemble["from"] == "section" and "grid" in ensemble and not ensemble.keys() & {"window", "axes"}
        if not (box and is_grid) or more_starts(old_path, new_path) <= 0:
            return None
        return "ensemble.window=" + str([[-half, half] for half in map(float, box(old, ensemble["energy"]))])


def more_starts(old_path, new_path):
    """How many more than the old file the new one has."""
    with h5py.File(old_path) as old, h5py.File(new_path) as new:
        return len(new["trajectory"]) - len(old["trajectory"])


def box_of_pendulum(file, energy):
    """All heights, and the momenta of the deepest one (pendulum_chart.cpp at 8ef04a5)."""
    m, l, g = (parameter(file, name) for name in ("m", "l", "g"))
    return l, math.sqrt(2 * m * max(energy + m * abs(g) * l, 0.0))


def box_of_two(file, energy):
    return parameter(file, "l")


BOXES = {"spherical-pendulum": box_of_pendulum, "double-spherical-pendulum": box_of_two}
