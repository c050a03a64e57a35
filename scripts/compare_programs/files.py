"""Compares two result files: all that is in the old one, byte for byte."""

import dataclasses

import h5py
import numpy

from compare_programs.known import NAN_AFTER_END, nan_after_end, unknown
from compare_programs.places import place, show
from verification.compare import differing

# Attributes of the file that say when and by which program it was made. The configuration, with the names of its files,
# is compared: both programs are given the same.
OF_THE_PROGRAM = ("created", "git", "version")
OF_DIMENSIONS = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST")


@dataclasses.dataclass
class Comparison:
    differences: list = dataclasses.field(default_factory=list)  # in words
    numbers: set = dataclasses.field(default_factory=set)  # datasets in which numbers alone differ, and mean something
    new: list = dataclasses.field(default_factory=list)  # datasets, groups and attributes of the new file alone
    empty: list = dataclasses.field(default_factory=list)  # datasets
    datasets: int = 0
    bytes: int = 0
    expected: int = 0  # elements that differ as is known


def compare(old_path, new_path, expect=()):
    """expect: of known.MEANINGS."""
    found = Comparison()
    with h5py.File(old_path) as old, h5py.File(new_path) as new:
        old_nodes, new_nodes = nodes(old), nodes(new)
        found.new += [f"/{name}" for name in new_nodes if name not in old_nodes]
        for name, node in old_nodes.items():
            if name not in new_nodes:
                found.differences.append(f"/{name} is missing")
            elif type(node) is not type(new_nodes[name]):
                found.differences.append(f"/{name} is no {type(node).__name__.lower()} any more")
            else:
                compare_attributes(found, name, node, new_nodes[name])
                if isinstance(node, h5py.Dataset):
                    compare_dimensions(found, name, node, new_nodes[name])
                    compare_datasets(found, name, node, new_nodes[name], expect)
    return found


def nodes(file):
    """Every group and dataset by its path, that of the file itself is empty."""
    found = {"": file["/"]}
    file.visititems(lambda name, node: found.update({name: node}))
    return found


def compare_dimensions(found, name, old, new):
    """Dimensions have names by references, which hold places in the file. Shapes are compared with the elements."""
    if old.ndim != new.ndim:
        return
    names = [[[scale.name for scale in dimension.values()] for dimension in data.dims] for data in (old, new)]
    if names[0] != names[1]:
        (found.differences if any(names[0]) else found.new).append(f"dimensions of /{name}: {names[0]} and {names[1]}")


def compare_attributes(found, name, old, new):
    ours = [key for key in old.attrs if (name or key not in OF_THE_PROGRAM) and key not in OF_DIMENSIONS]
    found.new += [f"attribute {key} of /{name}" for key in new.attrs if key not in old.attrs and key not in OF_DIMENSIONS]
    for key in ours:
        what = f"attribute {key} of /{name}"
        if key not in new.attrs:
            found.differences.append(f"{what} is missing")
            continue
        a, b = old.attrs.get_id(key), new.attrs.get_id(key)
        x, y = numpy.asarray(old.attrs[key]), numpy.asarray(new.attrs[key])
        if a.shape != b.shape or not a.get_type().equal(b.get_type()):
            found.differences.append(f"{what}: {a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}")
        elif not numpy.array_equal(x, y) if a.dtype.hasobject else differing(x, y).any():
            found.differences.append(f"{what}: {show(old.attrs[key])} and {show(new.attrs[key])}")


def storage(dataset):
    return {"chunks": dataset.chunks, "compression": dataset.compression, "level": dataset.compression_opts,
            "shuffle": dataset.shuffle}


def compare_datasets(found, name, old, new, expect):
    found.datasets += 1
    found.bytes += old.nbytes
    if old.size == 0:
        found.empty.append(f"/{name}")
    if not old.id.get_type().equal(new.id.get_type()):
        found.differences.append(f"/{name}: {old.dtype} and {new.dtype}")
    elif old.shape != new.shape:
        found.differences.append(f"/{name}: {list(old.shape)} and {list(new.shape)} elements"
                                 + first_other_row(name, old, new))
    elif storage(old) != storage(new):
        found.differences.append(f"/{name} is stored differently: {storage(old)} and {storage(new)}")
    else:
        compare_elements(found, name, old, new, expect)


def compare_elements(found, name, old, new, expect):
    x, y = numpy.asarray(old[()]), numpy.asarray(new[()])
    elements = numpy.ravel(x != y) if x.dtype.hasobject else differing(x, y)
    if not elements.any():
        return
    meaningless = unknown(old.file, name)
    if NAN_AFTER_END in expect:
        known = nan_after_end(y, meaningless).ravel()
        found.expected += int((elements & known).sum())
        elements &= ~known
    if elements.any():
        if not (elements & meaningless.ravel()).any():
            found.numbers.add(name)
        index = numpy.unravel_index(int(elements.argmax()), x.shape)
        found.differences.append(f"/{name}: {place(old.file, name, index)}: {show(x[index])} and {show(y[index])} "
                                 f"({elements.sum()} of {elements.size} differ)")


def first_other_row(name, old, new):
    """Where two lists of section points of different length begin to differ, for a message."""
    if not name.startswith("section/") or old.shape[1:] != new.shape[1:]:
        return ""
    common = min(len(old), len(new))
    rows = differing(old[:common], new[:common]).reshape(common, -1).any(axis=1)
    first = int(rows.argmax()) if rows.any() else common
    longer = old if first < len(old) else new
    return f", first at {place(longer.file, name, (first,))}"
