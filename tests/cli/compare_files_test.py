#!/usr/bin/env python3
"""The comparison of two files in scripts/compare-programs: faults in a copy of one file.

Run with POLHODE set to the program's path."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PROGRAM = pathlib.Path(os.environ["POLHODE"])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from compare_programs import catalog_runs, files  # noqa: E402
from compare_programs.run import execute  # noqa: E402
from verification.polhode import Polhode  # noqa: E402

BEST = json.loads(subprocess.run([PROGRAM, "list", "backends", "--json"], capture_output=True).stdout)[1]["isa"][-1]


def flip(array, index, bit=0):
    array.reshape(-1).view(f"u{array.itemsize}")[index] ^= array.dtype.type(1).view(f"u{array.itemsize}").dtype.type(1 << bit)
    return array


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path = pathlib.Path(cls.folder.name)
        (run,) = [run for run in catalog_runs.runs(Polhode(PROGRAM), path) if files_run(run)]
        cls.whole = execute(PROGRAM, run, path / "run").file

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def difference(self, plant):
        """The only difference that a fault makes."""
        copy = self.path / "copy.h5"
        shutil.copy(self.whole, copy)
        with h5py.File(copy, "r+") as file:
            plant(file)
        (line,) = files.compare(self.whole, copy).differences
        return line

    def test_equal(self):
        self.assertEqual(files.compare(self.whole, self.whole).differences, [])

    def test_one_bit_of_any_dataset(self):
        with h5py.File(self.whole) as file:
            names = [name for name, node in files.nodes(file).items() if isinstance(node, h5py.Dataset)]
            sizes = {name: file[name].size for name in names}
        self.assertGreater(len(names), 20)
        for name in names:
            def plant(file):
                values = numpy.asarray(file[name][()])
                if values.dtype.hasobject:
                    values[-1] = b"x"
                else:
                    flip(values, -1)
                file[name][()] = values
            line = self.difference(plant)
            self.assertRegex(line, rf"^/{name}: .+: \S+ and \S+ \(1 of {sizes[name]} differ\)$")
        # By its place in the run.
        self.assertRegex(self.difference(lambda file: put(file, "snapshots/invariants", (3, 2, 0), numpy.nan)),
                         r"^/snapshots/invariants: trajectory 3, step 16, energy: \S+ and nan \(0x7ff8000000000000\) ")
        with h5py.File(self.whole) as file:
            k, step = file["section/trajectory"][4], file["section/step"][4]
        self.assertRegex(self.difference(lambda file: put(file, "section/state", (4, 5), 7.0)),
                         rf"^/section/state: trajectory {k}, step {step}, gamma3: \S+ and 7\.0 \(1 of ")

    def test_attributes(self):
        def change(name, key, value):
            return self.difference(lambda file: file[name].attrs.__setitem__(key, value))

        self.assertEqual(change("/", "steps", 161), "attribute steps of /: 160 and 161")
        self.assertRegex(change("/", "steps", 48.0), r"^attribute steps of /: int64\[\] and float64\[\]$")
        self.assertRegex(change("/", "step", numpy.nextafter(0.05, 1)), r"^attribute step of /: 0.05 and 0.0500000000000")
        self.assertRegex(change("/", "device", "abacus"), "^attribute device of /: '.*' and 'abacus'$")
        self.assertRegex(change("section/density", "high", [1.0, 2.0]), r"^attribute high of /section/density: ")
        self.assertEqual(self.difference(lambda file: file.attrs.__delitem__("isa")), "attribute isa of / is missing")
        # They belong to a group or dataset only at the top.
        with h5py.File(self.whole, "r+") as file:
            file["final"].attrs["version"] = "1"
        self.assertEqual(self.difference(lambda file: file["final"].attrs.__delitem__("version")),
                         "attribute version of /final is missing")

    def test_names_of_dimensions(self):
        def detach(file):
            file["final/state"].dims[1].detach_scale(file["column"])
        self.assertEqual(self.difference(detach),
                         "dimensions of /final/state: [['/trajectory'], ['/column']] and [['/trajectory'], []]")

    def test_shape_type_and_storage(self):
        def replace(name, **keywords):
            def plant(file):
                node = file[name]
                attributes, values = dict(node.attrs), node[()]
                del file[name]
                file.create_dataset(name, **{"data": values, **keywords}).attrs.update(attributes)
            return self.difference(plant)

        self.assertEqual(self.difference(lambda file: file.__delitem__("final/time")), "/final/time is missing")
        self.assertEqual(replace("final/time", dtype="f4"), "/final/time: float64 and float32")
        self.assertEqual(replace("final/time", data=numpy.zeros((70, 1))), "/final/time: [70] and [70, 1] elements")
        self.assertRegex(replace("final/time", chunks=(7,)), "^/final/time is stored differently: ")
        with h5py.File(self.whole) as file:
            times, k, step = file["section/time"][()], file["section/trajectory"][6], file["section/step"][6]
        self.assertEqual(replace("section/time", data=numpy.delete(times, 6)),
                         f"/section/time: [{len(times)}] and [{len(times) - 1}] elements, first at trajectory {k}, step {step}")
        with h5py.File(self.whole) as file:
            k, step = file["section/trajectory"][0], file["section/step"][0]
        self.assertEqual(replace("section/time", data=times[:0]),
                         f"/section/time: [{len(times)}] and [0] elements, first at trajectory {k}, step {step}")


def put(file, name, index, value):
    file[name][index] = value


def files_run(run):
    return run.name == f"heavy-top rattle cayley double, {BEST}"


if __name__ == "__main__":
    unittest.main()
