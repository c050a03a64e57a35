"""Compares two result files bit for bit."""

import h5py
import numpy


def datasets(file):
    """Every dataset of an open file by its path."""
    found = {}
    file.visititems(lambda name, node: found.update({name: node}) if isinstance(node, h5py.Dataset) else None)
    return found


def differing(x, y):
    """Which elements of two arrays of one shape and type differ in a bit, flat."""
    size = x.dtype.itemsize
    bytes_of = lambda array: numpy.frombuffer(numpy.ascontiguousarray(array).tobytes(), numpy.uint8).reshape(-1, size)
    return (bytes_of(x) != bytes_of(y)).any(axis=1)


def difference(a, b):
    """How two datasets differ, in words; None where every bit agrees, so that -0 is not 0 and NaN equals itself."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
    x, y = a[()], b[()]
    if a.dtype.hasobject:  # text is held by reference
        return None if numpy.array_equal(x, y) else "text differs"
    elements = differing(x, y)
    if not elements.any():
        return None
    place = int(elements.argmax())
    x, y = numpy.ravel(x)[place], numpy.ravel(y)[place]
    return f"{elements.sum()} of {elements.size} elements, first at {place}: {x} and {y}"


def differences(path_a, path_b):
    """What differs between two files, a line for each dataset."""
    with h5py.File(path_a) as file_a, h5py.File(path_b) as file_b:
        a, b = datasets(file_a), datasets(file_b)
        lines = [f"/{name} is in one file only" for name in sorted(a.keys() ^ b.keys())]
        for name in sorted(a.keys() & b.keys()):
            if words := difference(a[name], b[name]):
                lines.append(f"/{name}: {words}")
    return lines


def count(path):
    """How many datasets a file has."""
    with h5py.File(path) as file:
        return len(datasets(file))


def content(path):
    """What a file gives to compare; a comparison of nothing would always agree."""
    with h5py.File(path) as file:
        found = datasets(file)
        codes = found["status/code"][()]
        return {"datasets": len(found), "trajectories": len(codes), "failed": int(numpy.count_nonzero(codes)),
                "section_points": found["section/state"].shape[0], "snapshots": found["snapshots/state"].shape[1],
                "invariants": found["invariants/max_drift"].shape[1]}
