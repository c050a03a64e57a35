"""Where in a result an element of a dataset is: trajectory, step and column instead of indices."""

import tomllib

import numpy


def tables(file):
    """The file's configuration."""
    return tomllib.loads(file.attrs["config"])


def setting(file, table, key, *default):
    """Of the file's configuration; the default where it is not given, if there is one."""
    keys = tables(file)[table]
    return keys.get(key, *default) if default else keys[key]


def parameter(file, name):
    """A number of the system, or several."""
    return file[f"parameters/{name}"][()]


def place(file, name, index):
    """In words. `index` is one of the dataset `name`; both are of an open result file."""
    if name in ("section/count", "section/round_off"):
        return f"trajectory {index[0]}"
    if name.startswith("section/") and name != "section/density":
        words = [f"trajectory {file['section/trajectory'][index[0]]}", f"step {file['section/step'][index[0]]}"]
        return ", ".join(words + column(file, name, index[1:]))
    if name.startswith("snapshots/"):
        *trajectory, time = index[:2] if len(index) > 1 else index
        words = [f"trajectory {k}" for k in trajectory] + [f"step {time * setting(file, 'record', 'snapshots')}"]
        return ", ".join(words + column(file, name, index[2:]))
    if name.startswith(("initial/", "final/", "status/", "invariants/")) and name != "invariants/names":
        step = 0 if name.split("/")[-1] == "initial" or name.startswith("initial/") else file["status/step"][index[0]]
        return ", ".join([f"trajectory {index[0]}", f"step {step}", *column(file, name, index[1:])])
    return f"index {', '.join(map(str, index))}" if index else "its value"


def column(file, name, index):
    if not index:
        return []
    names = file["final/state"].attrs["columns"] if name.endswith("/state") else file["invariants/names"].asstr()[()]
    return [str(names[index[0]])]


def show(x):
    """On one line; a number with all of its digits; one that is none with its bits, of which there are many."""
    if isinstance(x, numpy.floating):
        bits = x.view(f"u{x.itemsize}")
        return f"nan ({bits:#x})" if numpy.isnan(x) else repr(float(x))
    return repr(x.tolist() if isinstance(x, (numpy.generic, numpy.ndarray)) else x)
