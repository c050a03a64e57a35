"""Compares the file of SmallRun (support.hpp) with what it should hold, through h5py and through python/polhode."""

import sys
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from polhode import stored  # noqa: E402

N, DIM = 5, 3


def mark(snapshot, trajectory, column):
    return snapshot * 1e6 + trajectory * 10 + column


def states(snapshot):
    return np.array([[mark(snapshot, k, i) for i in range(DIM)] for k in range(N)])


def same(data, expected, dtype="<f8"):
    assert data.dtype == np.dtype(dtype), (data.name, data.dtype)
    assert data.shape == np.shape(expected), (data.name, data.shape)
    assert np.array_equal(data[()], expected, equal_nan=True), (data.name, data[()])


with h5py.File(sys.argv[1]) as file:
    attributes = dict(file.attrs)
    assert attributes["schema"] == 1 and attributes["program"] == "polhode", attributes
    assert attributes["config"] == '[system]\nname = "sphärisch"\n', attributes["config"]
    assert attributes["step"] == 0.25 and attributes["steps"] == 4 and attributes["sweeps"] == 8
    assert list(file["final/state"].attrs["columns"]) == ["a", "b", "c"]
    assert file["parameters/mass"].attrs["unit"] == "kg"
    same(file["parameters/mass"], 2.5)
    same(file["parameters/axis"], [0, 0, 1])
    same(file["initial/state"], states(0))
    same(file["final/state"], states(9))
    same(file["final/time"], [1, 1, 1, 1, 0.75])
    same(file["status/code"], [0, 0, 0, 0, 2], "u1")
    same(file["status/step"], [4, 4, 4, 4, 3], "<i8")
    assert file["status/code"].attrs["meaning"][0] == "ok"
    picture = file["section"].attrs
    assert list(picture["axes"]) == ["u", "v"] and list(picture["axis_columns"]) == ["b", "a"] and picture["side"] == "c"
    assert picture["axis_signs"].dtype == np.dtype("<f8") and list(picture["axis_signs"]) == [-1, 1]
    trajectory, step = [0, 0, 0, 2, 3, 3, 3, 4], [0, 2, 3, 3, 0, 1, 3, 1]
    same(file["section/trajectory"], trajectory, "<i8")
    same(file["section/step"], step, "<i8")
    same(file["section/count"], [3, 0, 1, 3, 1], "<i8")
    assert file["section/count"].attrs["meaning"].startswith("points of each trajectory")
    same(file["section/round_off"], [0, 0, 0, 0, 0], "<i8")
    same(file["section/time"], [0.0625, 0.625, 0.875, 0.9375, 0.125, 0.5, 0.875, 0.375])
    same(file["section/state"], [[mark(100 + n, k, i) for i in range(DIM)] for k, n in zip(trajectory, step)])
    same(file["snapshots/time"], [0, 0.5, 1])
    snapshots = np.stack([states(0), states(1), states(2)], axis=1)
    snapshots[4, 2] = np.nan  # it had ended
    same(file["snapshots/state"], snapshots)
    assert [name.decode() for name in file["invariants/names"]] == ["energy", "Casimir"]
    same(file["invariants/initial"], states(7)[:, :2])
    assert file["invariants/initial"].dims[1][0] == file["invariant"]
    # By h5py, which a reader of netCDF-4 uses as well: names of dimensions and their coordinates.
    states = file["snapshots/state"]
    assert [scales[0].name for scales in states.dims] == ["/trajectory", "/snapshots/time", "/column"]
    assert [name.decode() for name in states.dims[2][0]] == ["a", "b", "c"]
    assert [scales[0].name for scales in file["section/state"].dims] == ["/section/point", "/column"]
    trajectory = file["trajectory"]
    assert trajectory.shape == (N,) and trajectory.id.get_storage_size() == 0
    assert trajectory.attrs["NAME"].startswith(b"This is a netCDF dimension but not a netCDF variable.")
    assert file["section/state"].chunks is None and file["section/state"].compression is None

with stored.open_result(sys.argv[1]) as result:
    assert result.columns == ("a", "b", "c")
    assert len(result.section) == 8
    assert result.section_count[:].tolist() == [3, 0, 1, 3, 1]
    assert result.status_counts() == {0: 4, 2: 1}
