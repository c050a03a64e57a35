"""Initial states of every system, drawn from a fixed seed, and the configuration of a run from them."""

import typing

import h5py
import numpy

SEED = 20261120


class UnknownSystem(Exception):
    """A system of the catalog has no entry here, so that nothing of it would be verified."""


class System(typing.NamedTuple):
    columns: tuple  # must be the catalog's, in this order
    parameters: str  # TOML
    section: str  # crossed upwards by most trajectories
    draw: typing.Callable  # (generator, n) -> states [n, dim]; the first three columns are momenta


def unit_rows(rows):
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def body_and_unit_vector(dim):
    """Momenta of size 1 and a unit vector or quaternion of dim components."""
    return lambda generator, n: numpy.hstack(
        [generator.standard_normal((n, 3)), unit_rows(generator.standard_normal((n, dim)))])


BODY = "inertia = [1.5, 1.44, 0.94]\n"  # McLachlan & Scovel 1995, Figure 1

SYSTEMS = {
    "heavy-top": System(("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"), BODY, "gamma3", body_and_unit_vector(3)),
    # Free, a body's momentum about the axis of intermediate inertia changes sign on every orbit.
    "rigid-body": System(("pi1", "pi2", "pi3", "qw", "qx", "qy", "qz"), BODY, "pi2", body_and_unit_vector(4)),
}

STEP = 0.05


def find(entry):
    """The system of a catalog entry."""
    system = SYSTEMS.get(entry["name"])
    if system is None:
        raise UnknownSystem(f"no initial states for system {entry['name']}: add it to gpu_verify/ensembles.py")
    columns = tuple(column["name"] for column in entry["columns"])
    if columns != system.columns:
        raise UnknownSystem(f"gpu_verify/ensembles.py knows {entry['name']} with columns {' '.join(system.columns)}, "
                            f"polhode with {' '.join(columns)}")
    return system


def write_states(path, entry, n, difficult=False):
    """Writes n states. Difficult ones too: every 16th turns four times as fast, and may need more than the nominal
    sweeps; three are so fast that an implicit step cannot converge."""
    states = find(entry).draw(numpy.random.default_rng(SEED), n)
    if difficult:
        states[5::16, :3] *= 4
        states[[7, 20, 33], 0] = 3000.0
    with h5py.File(path, "w") as file:
        file["states"] = states


def configuration(entry, method, solver, states, steps, section=True, snapshots=0):
    """A run's TOML. `states` is a file of write_states."""
    system = find(entry)
    parameters = system.parameters
    if method == "moser-veselov" and any(p["name"] == "c" for p in entry["parameters"]):
        parameters += "c = 0.0\n"  # it is for the free body
    text = (f'[system]\nname = "{entry["name"]}"\n{parameters}'
            f'[method]\nname = "{method}"\nsolver = "{solver}"\nstep = {STEP}\n'
            f'[ensemble]\nfrom = "file"\npath = "{states}"\ndataset = "/states"\n'
            f'[run]\nsteps = {steps}\n'
            f'[record]\nsnapshots = {snapshots}\n')
    return text + (f'[section]\nname = "{system.section}"\ndirection = "up"\n' if section else "")


def pairs(program):
    """Every (catalog entry of the system, method, solver)."""
    entries = {entry["name"]: entry for entry in program.list("systems")}
    return [(entries[method["system"]], method["name"], solver["name"])
            for method in program.list("methods") for solver in method["solvers"]]
