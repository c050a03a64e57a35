"""Results as trees of xarray."""

from __future__ import annotations

from typing import Any

import xarray

from polhode.runs import Run


def tree_of(run: Run) -> xarray.DataTree:
    """A dataset for each group. A dimension has the last name of its path, or where the root has another one of that name
    the whole path, with underscores."""
    at_root = {
        dimension for array in run.arrays.values() for dimension in array.dimensions if dimension.count("/") == 1
    }

    def name_of(dimension: str, path: str, place: int) -> str:
        group, _, name = (dimension or f"{path}_{place}").rpartition("/")
        return name if not group or f"/{name}" not in at_root else dimension.strip("/").replace("/", "_")

    variables: dict[str, dict[str, Any]] = {"/": {}}
    for path, array in run.arrays.items():
        group, _, name = path.rpartition("/")
        names = [name_of(dimension, path, place) for place, dimension in enumerate(array.dimensions)]
        name = names[0] if list(array.dimensions) == [path] else name
        variables.setdefault(group or "/", {})[name] = xarray.Variable(names, array.values, array.attributes)
    return xarray.DataTree.from_dict(
        {
            group: xarray.Dataset(members, attrs=dict(run.attributes_of_groups.get(group, {})))
            for group, members in variables.items()
        }
    )
