"""Runs the program as a user does, in a folder of its own, for the tests of the command line."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

PROGRAM = os.environ["POLHODE"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

CONFIG = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "section"
grid = [6, 6]
energy = 1.0
[run]
steps = 600
[section]
name = "gamma3"
[output]
file = "out.h5"
"""


def datasets(path):
    """Every dataset of a file by its path, as bytes with shape and type."""
    found = {}

    def visit(name, node):
        if isinstance(node, h5py.Dataset):
            value = node[()]
            # Text is stored by reference: compare what it says, and numbers by their bits.
            numeric = isinstance(value, numpy.ndarray) and value.dtype != object
            found[name] = (node.shape, str(node.dtype), value.tobytes() if numeric else repr(value))

    with h5py.File(path, "r") as file:
        file.visititems(visit)
    return found


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, text=CONFIG, name="config.toml"):
        (self.path / name).write_text(text)
        return name

    def assert_same_datasets(self, name, expected, what):
        found = datasets(self.path / name)
        self.assertEqual(found.keys(), expected.keys(), what)
        for key, value in expected.items():
            self.assertTrue(found[key] == value, f"{key} differs: {what}")

    def polhode(self, *arguments, **keywords):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.path, capture_output=True, text=True, timeout=300, **keywords)

    def expect_error(self, result, code, *words):
        """One line on stderr in the program's grammar, the exit code, and the words in it."""
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], r"^polhode: .+ \(.+\)\. .+\.$")
        for word in words:
            self.assertIn(word, lines[0])

    def expect_rejected(self, code, *words, config=CONFIG, arguments=()):
        name = self.write(config)
        before = sorted(self.path.rglob("*"))
        self.expect_error(self.polhode("run", name, *arguments), code, *words)
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")
