"""Initial states of every system, drawn from a fixed seed, and the configuration of a run from them.

Tops are drawn here; a constrained system near the example that polhode gives of it."""

import typing

import h5py
import numpy

SEED = 20261120


class UnknownSystem(Exception):
    """A system of the catalog is not constrained and has no entry here, so that nothing of it would be verified."""


class System(typing.NamedTuple):
    columns: tuple  # must be the catalog's, in this order
    parameters: str  # TOML
    step: float
    section: str  # a column, and the value that it crosses on most trajectories
    value: float
    momenta: slice  # columns
    draw: typing.Callable  # (generator, n) -> states [n, dim]


def unit_rows(rows):
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def body_and_unit_vector(dim):
    """Momenta of size 1 and a unit vector or quaternion of dim components."""
    return lambda generator, n: numpy.hstack(
        [generator.standard_normal((n, 3)), unit_rows(generator.standard_normal((n, dim)))])


BODY = "inertia = [1.5, 1.44, 0.94]\n"  # McLachlan & Scovel 1995, Figure 1
PI = slice(0, 3)

SYSTEMS = {
    "heavy-top": System(("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"), BODY, 0.05, "gamma3", 0.0, PI,
                        body_and_unit_vector(3)),
    # Free, a body's momentum about the axis of intermediate inertia changes sign on every orbit.
    "rigid-body": System(("pi1", "pi2", "pi3", "qw", "qx", "qy", "qz"), BODY, 0.05, "pi2", 0.0, PI,
                         body_and_unit_vector(4)),
}


def free_body(n):
    """On SO(n), with momenta of size 1."""
    columns = tuple(f"m{i}{j}" for i in range(1, n + 1) for j in range(i + 1, n + 1))
    return System(columns, f"alpha = {[0.44, 0.5, 1.0, 0.7, 0.6, 0.9][:n]}\n", 0.05, columns[0], 0.0,
                  slice(0, len(columns)), lambda generator, count: generator.standard_normal((count, len(columns))))


SYSTEMS |= {f"rigid-body-{n}": free_body(n) for n in range(3, 7)}


def is_constrained(entry):
    """Whether its states are positions and momenta, which polhode moves to the constraints."""
    return "velocity" in entry["variables"]


def near(state):
    """States about one: positions off by less than polhode allows, momenta by half of their size."""
    half = len(state) // 2
    sizes = [numpy.sqrt(numpy.mean(part**2)) for part in (state[:half], state[half:])]
    spread = numpy.repeat([1e-3 * sizes[0], 0.5 * sizes[1]], half)
    return lambda generator, n: state + spread * generator.standard_normal((n, 2 * half))


def constrained(entry):
    example = entry["example"]
    columns = tuple(column["name"] for column in entry["columns"])
    half = len(columns) // 2
    parameters = "".join(f"{name} = {value}\n" for name, value in example["parameters"].items())
    # Through the example, so that a part of the ensemble crosses at once; every method has a section of a position.
    return System(columns, parameters, example["step"], columns[0], example["state"][0], slice(half, 2 * half),
                  near(numpy.array(example["state"])))


def find(entry):
    """The system of a catalog entry."""
    if is_constrained(entry):
        return constrained(entry)
    system = SYSTEMS.get(entry["name"])
    if system is None:
        raise UnknownSystem(f"no initial states for system {entry['name']}: add it to verification/ensembles.py")
    columns = tuple(column["name"] for column in entry["columns"])
    if columns != system.columns:
        raise UnknownSystem(f"verification/ensembles.py knows {entry['name']} with columns {' '.join(system.columns)}, "
                            f"polhode with {' '.join(columns)}")
    return system


def draw_states(entry, n, difficult=False):
    """n states. Difficult ones too: every 16th moves four times as fast, and may need more than the nominal sweeps;
    three are so fast that an implicit step cannot converge."""
    system = find(entry)
    states = system.draw(numpy.random.default_rng(SEED), n)
    if difficult:
        states[5::16, system.momenta] *= 4
        states[[7, 20, 33], system.momenta] *= 3000
    return states


def write_states(path, entry, n, difficult=False):
    with h5py.File(path, "w") as file:
        file["states"] = draw_states(entry, n, difficult)


def configuration(entry, method, solver, states, steps, section=True, snapshots=0):
    """A run's TOML. `states` is a file of write_states."""
    system = find(entry)
    parameters = system.parameters
    if method == "moser-veselov" and any(p["name"] == "c" for p in entry["parameters"]):
        parameters += "c = 0.0\n"  # it is for the free body
    text = (f'[system]\nname = "{entry["name"]}"\n{parameters}'
            f'[method]\nname = "{method}"\nsolver = "{solver}"\nstep = {system.step}\n'
            f'[ensemble]\nfrom = "file"\npath = "{states}"\ndataset = "/states"\n'
            f'[run]\nsteps = {steps}\n'
            f'[record]\nsnapshots = {snapshots}\n')
    return text + (f'[section]\nname = "{system.section}"\nvalue = {system.value}\ndirection = "both"\n' if section else "")


def pairs(program):
    """Every (catalog entry of the system, method, solver)."""
    entries = {entry["name"]: entry for entry in program.list("systems")}
    return [(entries[method["system"]], method["name"], solver["name"])
            for method in program.list("methods") for solver in method["solvers"]]
