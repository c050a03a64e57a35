"""What the tests of the examples have in common: an example is run, its result looked at and drawn."""

import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

from pictures import Picture, groups_of, logarithm, of_band, of_components, of_curves, of_points

PROGRAM = os.environ["POLHODE"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path[:0] = [str(EXAMPLES.parent / "python"), str(EXAMPLES)]

# Which files of examples/ have their tests in NAME_test.py; all others in examples_test.py.
SUBJECTS = {
    "henon_heiles_examples": ("henon_heiles_*",),
    "routh_examples": ("j2_*", "double_pendulum_routh.*", "chart_edge.*", "relative_periodic.*"),
}
# examples/own_system is run by own_system_test, lattice by lattice_test, formulas by formula_examples_test, ensemble.cpp
# by tests/installed/installed_test; examples/slurm by no test.
ELSEWHERE = {"ensemble.cpp"}


def run(*arguments, cwd):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, text=True, capture_output=True)


class Result(h5py.File):
    """Knows whether a test has looked at what is in it."""

    looked_at = False

    def __getitem__(self, name):
        self.looked_at = True
        return super().__getitem__(name)


class ExampleTests(unittest.TestCase):
    shown = set()  # files in examples/ that some test, which has passed, has run, looked at and drawn

    def run(self, result):
        self.results, self.drawn, self.others = [], set(), set()
        bad = lambda: len(result.failures) + len(result.errors) + len(result.skipped)
        before = bad()
        super().run(result)
        if bad() == before:
            self.shown.update(self.others)
            self.shown.update(name for name, file, path in self.results if file.looked_at and path in self.drawn)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def example(self, name, *arguments, output=None, may_fail=False):
        """Runs an example, of which trajectories `may_fail`; its result, open."""
        output = self.path / (output or f"{name}.h5")
        done = run("run", EXAMPLES / f"{name}.toml", "-o", output, "--quiet", *arguments, cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        if not may_fail:
            self.assertNotIn("failed", done.stdout)
        file = Result(output)
        self.addCleanup(file.close)
        self.results.append((f"{name}.toml", file, output))
        return file

    def program(self, name):
        """An example that is no configuration, which the test that asks for it runs."""
        self.others.add(name)
        return EXAMPLES / name

    def draw(self, picture, *arguments):
        """The picture of results."""
        done = run("plot", *arguments, "-o", picture, cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.drawn.update(self.path / argument for argument in arguments)
        return Picture(self.path / picture)

    def expect_drawn(self, panel, bounds):
        least, most = bounds
        self.assertGreater(panel.sum(), least, "too little is drawn")
        self.assertLess(panel.sum(), most, "too much is drawn")

    def expect_section(self, picture, file, columns=None, equal=False):
        """Over two columns, or in the plane and on the side that the file gives."""
        state, names = file["section/state"][:], list(file["final/state"].attrs["columns"])
        attributes = file["section"].attrs
        if columns is None:
            side = attributes["side"]
            state = state[state[:, names.index(side)] > 0] if side else state
            columns, signs = attributes["axis_columns"], attributes["axis_signs"]
        else:
            signs = (1, 1)
        x, y = (sign * state[:, names.index(column)] for column, sign in zip(columns, signs))
        (panel,) = picture.panels()
        self.expect_drawn(panel, of_points(x, y, panel.shape, equal=equal))

    def expect_changes(self, picture, file):
        """Each invariant, the energy first, and each vector, as a line or a band of trajectories; sizes on a logarithmic
        scale where they grow."""
        names = [name.decode() for name in file["invariants/names"][:]]
        values = file["snapshots/invariants"][:]
        drawn = numpy.where([name == "constraint" for name in names], values, values - file["invariants/initial"][:][:, None])
        panels, groups, time = picture.panels(), groups_of(names), file["snapshots/time"][:]
        self.assertEqual(len(panels), len(groups))
        for panel, group in zip(panels, groups):
            values = drawn[..., group]
            largest = numpy.nanmax(abs(values), axis=(0, 2))
            if largest.max() > 100 * numpy.median(largest[largest > 0]):
                values = logarithm(values)
            if len(values) > 1:
                band = of_band(values[..., 0], panel.shape) if len(group) == 1 else of_components(values, time, panel.shape)
                self.expect_drawn(panel, band)
            else:
                curves = [(time[~numpy.isnan(c)], c[~numpy.isnan(c)]) for c in values[0].T]
                self.expect_drawn(panel, of_curves(curves, panel.shape))


def files_of(subject):
    """The names of the examples whose tests are those of a subject."""
    names = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".toml", ".py", ".cpp")} - ELSEWHERE
    belongs = {other: {name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)}
               for other, patterns in SUBJECTS.items()}
    return belongs.get(subject, names - set().union(*belongs.values()))


def with_completeness(loader, tests, subject):
    """The tests of a class, and a last one, of what these have shown: every example of the subject."""

    class EveryExample(unittest.TestCase):
        def test_is_run_and_looked_at(self):
            self.assertEqual(files_of(subject), tests.shown, "no test that passed has run it, looked at its result and drawn it")

    suite = loader.loadTestsFromTestCase(tests)
    if not loader.testNamePatterns:  # all of them
        suite.addTest(EveryExample("test_is_run_and_looked_at"))
    return suite
