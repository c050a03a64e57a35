"""A run for each system, method, solver and precision that the program lists, from its example state and others near
it, with all that can be recorded; and one of the reference."""

import functools
import threading

import h5py
import numpy

from compare_programs.reference import nearby
from compare_programs.run import Reference, Run
from verification import ensembles

# Trajectories: no multiple of the lanes of a pack. Some are too fast for the step and fail. With fewer steps no free
# body on SO(4) would come to its section.
N, STEPS = 70, 160
# The reference makes dense matrices for each step.
N_OF_REFERENCE, STEPS_OF_REFERENCE = 6, 16


def names(program):
    return [f"{entry['name']} {method} {solver}" for entry, method, solver in ensembles.pairs(program)]


def runs(program, folder, newer=None):
    """States and configurations are made with the first run that needs them: most are not asked for in a test. An older
    program's systems are described by a newer one."""
    for entry, method, solver in ensembles.pairs(program, described_by=newer):
        name = f"{entry['name']} {method} {solver}"
        states = functools.partial(write_states, folder, entry)
        configuration = functools.partial(of_many, states, entry, method, solver)
        for precision in ("double", "single"):
            # Tiny runs, side by side.
            yield from Run(f"{name} {precision}", configuration,
                           ("--precision", precision, "--threads", "1"), filled=True).on_each(program.isas)
        few, beside = (functools.partial(of_reference, states, which, entry, method, solver) for which in ("few", "beside"))
        yield Run(f"{name}, reference", few, ("--backend", "reference"),
                  reference=Reference(beside, ensembles.is_constrained(entry)))


def of_many(states, entry, method, solver):
    many = states()["many"]
    return ensembles.configuration(entry, method, solver, many, STEPS, snapshots=8) + ensembles.records(entry, many, 6)


def of_reference(states, which, entry, method, solver):
    return ensembles.configuration(entry, method, solver, states()[which], STEPS_OF_REFERENCE, snapshots=1)


WRITING = threading.Lock()


def write_states(folder, entry):
    """Files of many states, of a few, and of as many near those, by these names; written once."""
    files = {what: folder / f"{entry['name']}-{what}.h5" for what in ("many", "few", "beside")}
    with WRITING:
        if not files["beside"].exists():
            fill(files, entry)
    return files


def fill(files, entry):
    generator = numpy.random.default_rng(ensembles.SEED)
    example = numpy.array(entry["example"]["state"])
    many = numpy.vstack([example, ensembles.draw_states(entry, N - 1, difficult=True)])
    few = numpy.vstack([example, ensembles.draw_states(entry, N_OF_REFERENCE - 1)])
    for what, values in (("many", many), ("few", few), ("beside", nearby(few, generator))):
        with h5py.File(files[what], "w") as file:
            file["states"] = values
