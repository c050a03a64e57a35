"""Every file of examples/ but those with headers of their own."""

import re
import typing

from compare_programs.run import Run
from verification import examples


class Cut(typing.NamedTuple):
    setting: str  # of --set
    leaves: str  # what there still is to compare


# Whole, the examples take several times as long as all other runs, mostly on plain scalar code, whose fma is a call of
# the C library. Ensembles, records and methods stay as they are, but for the molecules' number.
CUTS = {
    "butane": Cut("run.steps=5000", "the dihedral angles of some have passed the section"),
    "double_pendulum_section": Cut("run.steps=1000", "some points of each start"),
    "goryachev_chaplygin": Cut("run.steps=100000", "hundreds of points of each curve"),
    "heavy_top_density": Cut("run.steps=2500", "cells are counted from one up"),
    "heavy_top_mixing": Cut("run.steps=500", "the cloud has grown to many times its width"),
    "heavy_top_section": Cut("run.steps=15000", "a hundred points of each start"),
    "henon_heiles_energies": Cut("run.steps=300", "ten returns of each start"),
    "kowalevski_section": Cut("run.steps=60000", "hundreds of points of each curve"),
    "magnetic_pendulum": Cut("run.steps=40000", "hundreds of points of each curve"),
    "vehicle_section": Cut("run.steps=15000", "a hundred points of each start"),
    "water": Cut("run.steps=5000", "molecules have turned some times"),
}
MOLECULES, MOLECULES_IN_FULL = 60, 1000


def is_known(example, systems):
    """Whether an example is of one of these systems, or of a family of them."""
    name = re.search(r'^\[system\]\s+name = "(.+?)"', example.read_text(), re.MULTILINE)[1]
    return any(system == name or system.startswith(f"{name}-") for system in systems)


def runs(program, folder, full):
    systems = [system["name"] for system in program.list("systems")]
    for example in examples.files():
        if not is_known(example, systems):
            continue  # its system is named among what is new
        options = examples.write_states(example, folder, MOLECULES_IN_FULL if full else MOLECULES)
        if example.stem in CUTS and not full:
            options += ["--set", CUTS[example.stem].setting]
        yield from Run(f"examples/{example.name}", example.read_text(), tuple(options)).on_each(program.isas)
