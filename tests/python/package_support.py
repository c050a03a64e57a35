"""Shared by the tests of `import polhode`. They run with POLHODE set to the program's path and PYTHONPATH to the package with
its extension."""

import os
import pathlib
import sys
import tempfile
import unittest

import h5py
import numpy

import polhode as ph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command_line import paths_with_content  # noqa: E402

PROGRAM = os.environ["POLHODE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TOP = {"system": ph.System("heavy-top", alpha=[0.44, 0.5, 1.0]), "method": ph.Method("rattle", step=0.05),
       "ensemble": ph.starts.Section(grid=(6, 6), energy=1.0)}
FOREVER = 10**9  # steps


def resident():
    """Bytes of memory of this process."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def assert_is_file(self, run, file):
        """Every dataset is an array with the same bits, and every array a dataset."""
        with h5py.File(file) as content:
            paths = ["/" + name for name in paths_with_content(content)]
            self.assertEqual(sorted(paths), sorted(run))
            for path in paths:
                values, is_text = content[path], h5py.check_string_dtype(content[path].dtype)
                values = values.asstr()[()] if is_text else values[()]
                self.assertEqual(numpy.asarray(run[path]).tolist() if is_text else run[path].tobytes(),
                                 values.tolist() if is_text else values.tobytes(), path)
                self.assertEqual(numpy.shape(run[path]), values.shape, path)
                self.assertTrue(is_text or run[path].dtype == values.dtype, path)
