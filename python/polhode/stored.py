"""Results in HDF5 files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fsdecode
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from polhode.arrays import Array
from polhode.errors import FileError, InputError
from polhode.results import Result, result_of
from polhode.runs import Run

OF_DIMENSIONS = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST"}  # attributes by which HDF5 tells them
WITHOUT_COORDINATES = "This is a netCDF dimension but not a netCDF variable."  # and the size, in ten letters


@dataclass(frozen=True, eq=False)
class Stored:
    """The numbers or texts of a dataset, which stay in its file until they are asked for."""

    dataset: h5py.Dataset
    path: Path  # of the file
    bytes: int  # of the file, when it was opened

    @cached_property
    def shape(self) -> tuple[int, ...]:
        if not self.dataset:
            raise closed(self.path)
        return tuple(self.dataset.shape)

    @cached_property
    def is_text(self) -> bool:
        return h5py.check_string_dtype(self.dataset.dtype) is not None

    def __getitem__(self, rows: Any) -> Any:
        if not self.dataset:
            raise closed(self.path)
        content = self.dataset.asstr() if self.is_text else self.dataset
        try:
            if os.fstat(self.dataset.file.id.get_vfd_handle()).st_size < self.bytes:  # HDF5 would read zeros
                raise OSError("it was cut after it had been opened")
            if isinstance(rows, slice) and (rows.step or 1) < 0:  # which HDF5 cannot select
                first, last, step = rows.indices(self.shape[0])
                count = len(range(first, last, step))
                return unwritable(content[first + step * (count - 1) : first + 1 : -step][::-1] if count else content[:0])
            return unwritable(content[rows])
        except (OSError, RuntimeError) as error:  # how h5py reports damage
            raise damaged(self.path, error) from error

    def whole(self) -> Any:
        """All of it, as a copy which cannot be written to. A view of the file would end the process where somebody writes the
        file anew in its place."""
        values = self[()]
        return values.tolist() if self.is_text else np.asarray(values)


def unwritable(values: Any) -> Any:
    """What was read, which cannot be written to: a change would not reach the file."""
    if isinstance(values, np.ndarray):
        values.setflags(write=False)
    return values


def closed(path: Path) -> InputError:
    return InputError(f"cannot read '{path}' (it was closed). Open it again.")


def damaged(path: Path, error: object) -> InputError:
    return InputError(f"cannot read '{path}' ({reason_of(error)}). Check that it is complete and not in use.")


def reason_of(error: object) -> str:
    """Why something could not be done with a file, in words without HDF5's own."""
    text, number = str(error), getattr(error, "errno", None)
    if cut := re.search(r"truncated file: eof = (\d+),.*stored_eof = (\d+)", text):
        return f"it is truncated: {cut[1]} of {cut[2]} bytes"
    if told := re.search(r"errno = (\d+)", text):
        return os.strerror(int(told[1]))
    return os.strerror(number) if number else text


def open_run(file: str | PathLike[str]) -> Run:
    """The run whose result is in a file; it stays open until the run is closed or forgotten. Raises InputError."""
    path = Path(fsdecode(file))
    if path.is_dir() and path.suffix == ".part":
        raise InputError(f"cannot read '{path}' (its run was stopped). Go on with it: run it into '{path.with_suffix('')}' with resume=True.")
    try:
        path.open("rb").close()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{path}' ({getattr(error, 'strerror', None) or error}). Give the .h5 file of a finished run.") from error
    if not h5py.is_hdf5(path):
        raise InputError(f"cannot read '{path}' (not an HDF5 file). Give the .h5 file of a finished run.")
    try:
        with ExitStack() as opened:
            content = opened.enter_context(h5py.File(path, "r"))
            arrays, of_groups = contents_of(content, path)
            if of_groups["/"].get("program") != "polhode":
                raise InputError(f"cannot use '{path}' (not written by polhode). Give the .h5 file of a finished run.")
            opened.pop_all()
    except (OSError, RuntimeError, KeyError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error
    return Run(arrays, of_groups, path, _close=content.close)


def contents_of(content: h5py.File, path: Path) -> tuple[dict[str, Array], dict[str, dict[str, Any]]]:
    """The arrays in a file, which stay there, and the attributes of its groups, by their paths."""
    arrays, of_groups, size = {}, {"/": plain(content.attrs)}, path.stat().st_size

    def visit(name: str, item: h5py.Dataset | h5py.Group) -> None:
        attributes = plain(item.attrs)
        if isinstance(item, h5py.Group):
            of_groups[f"/{name}"] = attributes
        elif WITHOUT_COORDINATES not in str(item.attrs.get("NAME", "")):
            arrays[f"/{name}"] = Array(f"/{name}", Stored(item, path, size), attributes, dimensions_of(item))

    content.visititems(visit)
    return arrays, of_groups


@contextmanager
def open_result(file: str | PathLike[str]) -> Iterator[Result]:
    """What the run in a file has, for those who draw it."""
    with open_run(file) as run:
        yield result_of(run)


def dimensions_of(dataset: h5py.Dataset) -> list[str]:
    """The path of each of its dimensions; "" for one without a name."""
    if h5py.h5ds.is_scale(dataset.id):
        return [dataset.name]
    return [next((scale.name for scale in dimension.values()), "") for dimension in dataset.dims]


def plain(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as Python's own texts, numbers and lists of these."""
    return {name: plain_value(value) for name, value in attributes.items() if name not in OF_DIMENSIONS}


def plain_value(value: Any) -> Any:
    values = np.asarray(value).tolist()
    if isinstance(values, list):
        return [plain_value(item) for item in values]
    return values.decode() if isinstance(values, bytes) else values


def save(run: Run, file: Path, compression: int, force: bool) -> None:
    """Writes the result of a run into a file, whole or not at all."""
    if not run.arrays:
        raise InputError(f"cannot save {run.source} (it was stopped, and has no result). Run it to its end.")
    if not file.name:
        raise InputError(f"no output file (the name '{file}' is that of a folder). Give the name of a file.")
    if not force and os.path.lexists(file):
        raise InputError(
            f"output '{file}' already exists (nothing has been written). Replace it with force=True or choose another."
        )
    if compression not in range(10):
        raise InputError(f"cannot use compression = {compression!r} (it has to be 0 to 9). Correct it.")
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with h5py.File(unfinished, "w") as content:
            write(content, run, compression)
        unfinished.replace(file)
    except (OSError, RuntimeError, ValueError) as error:
        advice = "Choose another place" if file.parent.is_dir() else "Create the folder or choose another"
        raise FileError(f"cannot write '{file}' ({reason_of(error)}). {advice}.") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def write(content: h5py.File, run: Run, compression: int) -> None:
    """Writes arrays, their dimensions and all attributes."""
    for path, array in run.arrays.items():
        values = array.values
        is_text = isinstance(values, list)
        data = np.array(values, dtype=h5py.string_dtype()) if is_text else values
        chunked = {"compression": compression} if compression and not is_text and data.ndim and data.size else {}
        dataset = content.create_dataset(path, data=data, track_times=False, **chunked)
        dataset.attrs.update(array.attributes)
    for path, array in run.arrays.items():
        for place, dimension in enumerate(array.dimensions):
            if dimension == path:
                content[path].make_scale(path.rpartition("/")[2])
            elif dimension:
                content[path].dims[place].attach_scale(scale_at(content, dimension, array.shape[place]))
    for path, of_group in run.attributes_of_groups.items():
        content.require_group(path).attrs.update(of_group)


def scale_at(content: h5py.File, path: str, size: int) -> h5py.Dataset:
    """The dimension of a path, which is made without coordinates where it has none."""
    if path not in content:
        content.create_dataset(path, (size,), dtype=np.uint8, track_times=False)
        content[path].make_scale(f"{WITHOUT_COORDINATES}{size:10}")
    return content[path]
