"""polhode: very many trajectories of constrained Hamiltonian systems, with the same bits everywhere.

    import polhode as ph

    run = ph.run(
        system=ph.System("heavy-top", inertia=[1.5, 1.44, 0.94], chi=[0, 0, 1], c=1.0),
        method=ph.Method("rattle", step=0.05),
        ensemble=ph.starts.Section(grid=(24, 24), energy=1.0),
        section=ph.Section("gamma3", direction="up"),
        steps=6000,
    )
    run.section.state                                # numpy [points, columns]

It needs numpy; h5py to open and save results, and matplotlib to draw them. `execution` makes `runs` of a `configuration`
by the extension `_core`, and `stored` has those in files. For pictures `results` tells what a run has; `snapshots`, `tops`
and `branches` derive more from it; `wanted`, `trajectories` and `section_points` choose what is drawn; each `..._plot`
draws one view as a `picture`, in the plane of a `chart` within a `frame`, or in `space`, with a `heading`. `python -m
polhode.plot` is what `polhode plot` runs; it does without the extension.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Name -> the module that has it, and its name there where that is another; None: the name is a module.
_NAMES = {
    "BackendUnavailable": "errors",
    "Configuration": "configuration",
    "Density": "vocabulary",
    "Error": "errors",
    "Execution": "vocabulary",
    "FileError": "errors",
    "InputError": "errors",
    "Method": "vocabulary",
    "Progress": "progress",
    "Record": "vocabulary",
    "Run": "runs",
    "Section": "vocabulary",
    "Statistics": "vocabulary",
    "System": "vocabulary",
    "Measurement": "checking",
    "bench": "checking",
    "cite": "checking",
    "compare": "pictures",
    "configure": "execution",
    "convert": "checking",
    "crosscheck": "checking",
    "list_backends": "checking",
    "list_methods": "checking",
    "list_sections": "checking",
    "list_systems": "checking",
    "load": "configuration",
    "open": "stored.open_run",
    "order": "checking",
    "run": "execution",
    "starts": None,
    "workprec": "checking",
}
__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("polhode._core").version
    if name not in _NAMES:
        raise AttributeError(f"module 'polhode' has no attribute {name!r}")
    module, _, there = (_NAMES[name] or name).partition(".")
    value = import_module("polhode.extras").imported(f"polhode.{module}")
    if _NAMES[name]:
        value = getattr(value, there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_NAMES]
