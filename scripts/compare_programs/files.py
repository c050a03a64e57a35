"""Compares two result files: all that is in the old one, byte for byte."""

import dataclasses
import re

import h5py
import numpy

from compare_programs import known
from compare_programs.known.ends import unknown
from compare_programs.places import place, show
from verification.compare import differing

# Attributes of the file that say when, by which program and by which compiler it was made. The configuration, with the
# names of its files, is compared: both programs are given the same.
OF_THE_PROGRAM = ("created", "git", "version", "compiler")
HEADERS = re.compile(r"(?<=, headers )[0-9a-f]+")  # the hash of the program's own, in the first line of an identity
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
    texts: int = 0  # attributes that do
    starts: int = 0  # of a grid of the new file that the old one does not have, as is known


def compare(old_path, new_path, expect=(), again=None):
    """expect: of known.MEANINGS, which ask for more by `again` (known.Pair)."""
    found = Comparison()
    with h5py.File(old_path) as old, h5py.File(new_path) as new:
        pair = known.Pair(old, new, again)
        instead = known.expected_arrays(expect, pair)
        old_nodes, new_nodes = nodes(old), nodes(new)
        found.new += [f"/{name}" for name in new_nodes if name not in old_nodes]
        for name, node in old_nodes.items():
            if name not in new_nodes:
                found.differences.append(f"/{name} is missing")
            elif type(node) is not type(new_nodes[name]):
                found.differences.append(f"/{name} is no {type(node).__name__.lower()} any more")
            else:
                compare_attributes(found, name, node, new_nodes[name], expect)
                if isinstance(node, h5py.Dataset):
                    compare_dimensions(found, name, node, new_nodes[name])
                    compare_datasets(found, name, pair, expect, instead.get(name))
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


def compare_attributes(found, name, old, new, expect):
    ours = [key for key in old.attrs if (name or key not in OF_THE_PROGRAM) and key not in OF_DIMENSIONS]
    found.new += [f"attribute {key} of /{name}" for key in new.attrs if key not in old.attrs and key not in OF_DIMENSIONS]
    for key in ours:
        what = f"attribute {key} of /{name}"
        if key not in new.attrs:
            found.differences.append(f"{what} is missing")
            continue
        a, b = old.attrs.get_id(key), new.attrs.get_id(key)
        x, y = (numpy.asarray(text_or_numbers(node, name, key)) for node in (old, new))
        is_of_type = a.get_type().equal(b.get_type())
        if is_of_type and is_known_text(expect, old, key, x, y):
            found.texts += 1
        elif a.shape != b.shape or not is_of_type:
            found.differences.append(f"{what}: {a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}")
        elif not numpy.array_equal(x, y) if a.dtype.hasobject else differing(x, y).any():
            found.differences.append(f"{what}: {show(old.attrs[key])} and {show(new.attrs[key])}")


def text_or_numbers(node, name, key):
    """An attribute's, without the program's own part of it."""
    return HEADERS.sub("", node.attrs[key], count=1) if (name, key) == ("", "identity") else node.attrs[key]


def is_known_text(expect, old, key, x, y):
    """Whether values of an attribute of an old dataset are texts, and differ as is known."""
    are_texts = all(value.dtype.hasobject or value.dtype.kind == "U" for value in (x, y)) and x.ndim == y.ndim
    return (are_texts and not numpy.array_equal(x, y) and
            known.are_known_texts(expect, old, key, x.ravel().tolist(), y.ravel().tolist()))


def storage(dataset):
    return {"chunks": dataset.chunks, "compression": dataset.compression, "level": dataset.compression_opts,
            "shuffle": dataset.shuffle}


def compare_datasets(found, name, pair, expect, instead):
    """instead: the array that is expected in place of the old file's, or None."""
    old, new = pair.old[name], pair.new[name]
    found.datasets += 1
    found.bytes += old.nbytes
    if old.size == 0:
        found.empty.append(f"/{name}")
    x = numpy.asarray(old[()]) if instead is None else instead
    if not old.id.get_type().equal(new.id.get_type()):
        found.differences.append(f"/{name}: {old.dtype} and {new.dtype}")
    elif x.shape != new.shape:
        found.differences.append(f"/{name}: {list(x.shape)} and {list(new.shape)} elements"
                                 + first_other_row(name, old, new))
    elif storage(old) != storage(new):
        found.differences.append(f"/{name} is stored differently: {storage(old)} and {storage(new)}")
    else:
        compare_elements(found, name, pair, expect, x, pair.old if instead is None else pair.new)
        if instead is not None:
            found.expected += count_changes(old[()], instead)


def count_changes(x, y):
    """Elements of two arrays that differ, or that one of them alone has."""
    return abs(x.size - y.size) if x.shape != y.shape else int(differing(x, y).sum())


def compare_elements(found, name, pair, expect, x, file):
    """Those that are expected, x, with the new file's; `file` has them at the same places."""
    y = numpy.asarray(pair.new[name][()])
    elements = numpy.ravel(x != y) if x.dtype.hasobject else differing(x, y)
    if not elements.any():
        return
    as_known = known.known_elements(expect, pair, name, x, y).ravel()
    found.expected += int((elements & as_known).sum())
    elements &= ~as_known
    if elements.any():
        if file is pair.old and not (elements & unknown(file, name).ravel()).any():
            found.numbers.add(name)
        index = numpy.unravel_index(int(elements.argmax()), x.shape)
        found.differences.append(f"/{name}: {place(file, name, index)}: {show(x[index])} and {show(y[index])} "
                                 f"({elements.sum()} of {elements.size} differ)")


def first_other_row(name, old, new):
    """Where two lists of section points of different length begin to differ, for a message."""
    if not name.startswith("section/") or old.shape[1:] != new.shape[1:]:
        return ""
    common = min(len(old), len(new))
    elements = differing(old[:common], new[:common])
    first = int(elements.argmax()) * common // elements.size if elements.any() else common
    longer = old if first < len(old) else new
    return f", first at {place(longer.file, name, (first,))}"
