"""Initial states of every system about the example that polhode gives of it, drawn from a fixed seed, and the
configuration of a run from them."""

import h5py
import numpy

SEED = 20261120
# Of the size of a block of columns. Positions stay within what polhode moves to the constraints, and the first column
# where there are none, so that a part of the ensemble crosses the section through the example at once. Momenta of canonical
# and of reduced systems vary less: nothing keeps wilder ones inside the domain; least in a chart with angles, which ends.
NEAR, WIDE, WIDE_OF_CANONICAL, WIDE_IN_CHART = 1e-3, 0.5, 0.2, 0.02


class UnknownSystem(Exception):
    """A system of the catalog does not say what its states are, so that nothing of it would be verified."""


def is_constrained(entry):
    return entry["kind"] == "constrained"


def columns_of(block):
    return slice(block["first"], block["first"] + block["size"])


def blocks(entry, *forms):
    """Columns of the blocks of these forms."""
    if "layout" not in entry:
        raise UnknownSystem(f"system {entry['name']} has no layout in `polhode list systems --json`")
    return [columns_of(block) for block in entry["layout"] if block["form"] in forms]


def size(vector):
    return numpy.sqrt(numpy.mean(vector**2))


def draw_states(entry, n, difficult=False):
    """n states. Difficult ones too: every 16th moves four times as fast, and may need more than the nominal sweeps;
    three are so fast that an implicit step cannot converge."""
    example = numpy.array(entry["example"]["state"])
    generator = numpy.random.default_rng(SEED)
    positions, units = blocks(entry, "position"), blocks(entry, "unit vector", "quaternion")
    momenta = blocks(entry, "momentum")
    spread = numpy.ones_like(example)  # of an angle, a radian
    for columns in positions + momenta + units:
        spread[columns] = size(example[columns])
    wide = WIDE_OF_CANONICAL if entry["kind"] in ("canonical", "reduced") else WIDE
    if any(column.get("angle") == "unbounded" for column in entry.get("columns", ())):
        wide = WIDE_IN_CHART
    spread *= wide
    for columns in positions or [slice(0, 1)]:
        spread[columns] *= NEAR / wide
    states = example + spread * generator.standard_normal((n, len(example)))
    for columns in units:
        states[:, columns] /= numpy.linalg.norm(states[:, columns], axis=1, keepdims=True)
    if difficult:
        for columns in momenta:
            states[5::16, columns] *= 4
            states[[7, 20, 33], columns] *= 3000
    return states


def write_states(path, entry, n, difficult=False):
    with h5py.File(path, "w") as file:
        file["states"] = draw_states(entry, n, difficult)


def configuration(entry, method, solver, states, steps, section=True, snapshots=0):
    """A run's TOML. `states` is a file of write_states."""
    example = entry["example"]
    parameters = dict(example["parameters"])
    if method == "moser-veselov":  # it is for the free body
        parameters |= {name: 0.0 for name in ("c", "p") if name in parameters}
    numbers = "".join(f"{name} = {value}\n" for name, value in parameters.items())
    text = (f'[system]\nname = "{entry["name"]}"\n{numbers}'
            f'[method]\nname = "{method}"\nsolver = "{solver}"\nstep = {example["step"]}\n'
            f'[ensemble]\nfrom = "file"\npath = "{states}"\ndataset = "/states"\n'
            f'[run]\nsteps = {steps}\n'
            f'[record]\nsnapshots = {snapshots}\n')
    # Every method has a section of the first column.
    column, value = entry["columns"][0]["name"], example["state"][0]
    return text + (f'[section]\nname = "{column}"\nvalue = {value}\ndirection = "both"\n' if section else "")


def records(entry, path, every):
    """What a run of configuration() also keeps: a density of section points and, every so many steps, statistics, over
    two of the columns, in cells where most of the states of a file are."""
    names = [column["name"] for column in entry["columns"]]
    with h5py.File(path) as file:
        low, high = numpy.quantile(file["states"][()], (0.05, 0.95), axis=0)
    axes = [names[1], names[-1]]
    ranges = [[low[i] - 0.1, high[i] + 0.1] for i in (1, -1)]
    range = ", ".join(f"[{a}, {b}]" for a, b in ranges)
    observables = ", ".join(f'"{name}"' for name in axes)
    return (f'[density]\naxes = [{observables}]\nbins = [7, 5]\nrange = [{range}]\n'
            f'[statistics]\nevery = {every}\nobservables = [{observables}]\nbins = 9\nrange = [{range}]\n')


def pairs(program, described_by=None):
    """Every (catalog entry of the system, method, solver) of a program. An older one says less of its systems than
    another that has them too."""
    entries = {entry["name"]: entry for other in (program, described_by or program) for entry in other.list("systems")}
    return [(entries[method["system"]], method["name"], solver["name"])
            for method in program.list("methods") for solver in method["solvers"]]
