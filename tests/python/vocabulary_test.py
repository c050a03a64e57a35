#!/usr/bin/env python3
"""Tables and keys are those of the schema. What `import polhode` brings and needs."""

import subprocess
import sys
import tomllib
import unittest

import numpy
import sympy
from package_support import EXAMPLES, PROGRAM, ROOT, Package

import polhode as ph


class Vocabulary(Package):
    def test_it_is_that_of_the_schema(self):
        subprocess.run([sys.executable, ROOT / "scripts" / "python-vocabulary", PROGRAM, "--check"], check=True)

    def test_defaults_are_left_out(self):
        self.assertEqual(ph.Section("gamma3", direction="up", value=0.0).keys, {"name": "gamma3"})
        self.assertEqual(ph.Section("gamma3", direction="down").keys, {"name": "gamma3", "direction": "down"})
        self.assertEqual(ph.starts.Cloud(3, [1, 2], 0.1, seed=0), ph.starts.Cloud(3, [1, 2], 0.1))
        self.assertEqual(repr(ph.Method("rattle", 0.1)), "Method(name='rattle', step=0.1)")

    def test_every_example_goes_there_and_back(self):
        for file in sorted(EXAMPLES.glob("*.toml")):
            with self.subTest(file.name):
                tables = ph.load(file).tables
                self.assertEqual(tomllib.loads(ph.Configuration(tables).to_toml()), tables)
                expected = tomllib.loads(file.read_text())
                if "path" in expected["ensemble"]:  # relative to the configuration
                    expected["ensemble"]["path"] = str(EXAMPLES / expected["ensemble"]["path"])
                self.assertEqual(tables, expected)

    def test_a_header_beside_its_configuration(self):
        configuration = ph.load(EXAMPLES / "own_system" / "neumann.toml").replace(**{"run.steps": 20})
        with self.assertWarnsRegex(RuntimeWarning, "starts were moved to the constraints"):
            self.assertEqual(configuration.run().report.system, "neumann")

    def test_expressions_of_sympy_are_formulas(self):
        x, p, k = sympy.symbols("x p E")  # a symbol is not the number of that name
        by_sympy, by_text = (
            ph.System(hamiltonian=hamiltonian, coordinates=["x"], momenta=["p"], parameters={"E": 2.0}, observables={"m": m})
            for hamiltonian, m in ((p**2 / 2 + k * x**4 / sympy.Integer(4) + sympy.E * x, sympy.Max(sympy.Abs(x), sympy.atan2(p, x), p)),
                                   ("E*x^4/4 + p^2/2 + exp(1)*x", "max(max(p, abs(x)), atan2(p, x))")))  # fmt: skip
        ends = [ph.run(system, ph.Method("stoermer-verlet", 0.01), ph.starts.States([[0.5, 0.1]]), 100).final.state for system in (by_sympy, by_text)]
        numpy.testing.assert_array_equal(*ends)

    def test_equality_is_of_all_numbers(self):
        many = numpy.arange(60000.0).reshape(-1, 6)
        other = many.copy()
        other[5000, 3] += 1e-9
        self.assertEqual(ph.starts.States(many), ph.starts.States(many.tolist()))
        self.assertNotEqual(ph.starts.States(many), ph.starts.States(other))
        starts = ph.starts.States(other)
        other[:] = 0
        self.assertNotEqual(starts, ph.starts.States(other))
        self.assertEqual(ph.Configuration({"ensemble": starts.keys}), ph.Configuration({"ensemble": starts.keys}))
        configuration = ph.configure(ph.System("heavy-top"), ph.Method("rattle", 0.1), starts, 10).replace(**{"run.steps": 20})
        self.assertIs(configuration.tables["ensemble"]["states"], starts.keys["states"])  # one copy of many numbers

    def test_other_values(self):
        configuration = ph.Configuration({"method": {"step": 0.1}})
        self.assertEqual(configuration.replace(**{"method.step": 0.2, "run.steps": 3}).tables, {"method": {"step": 0.2}, "run": {"steps": 3}})
        self.assertEqual(configuration.replace(**{"method.step": None}).tables, {"method": {}})
        self.assertEqual(configuration.tables, {"method": {"step": 0.1}})
        with self.assertRaisesRegex(ph.InputError, "no TABLE.KEY"):
            configuration.replace(step=1)


class Import(Package):
    def python(self, code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    def test_it_needs_numpy_alone(self):
        loaded = self.python("import sys, polhode; polhode.System; polhode.run; polhode.starts; print(*sys.modules)").split()
        self.assertIn("numpy", loaded)
        for name in ("h5py", "matplotlib", "pandas", "xarray", "tqdm"):
            self.assertNotIn(name, loaded)

    def test_names_are_there(self):
        for name in ph.__all__:
            self.assertIsNotNone(getattr(ph, name), name)
        with self.assertRaisesRegex(AttributeError, "no attribute 'sistem'"):
            ph.sistem

    def test_it_has_the_version_of_the_program(self):
        self.assertIn(f"polhode {ph.__version__} ", subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout)

    def test_beside_h5py_in_either_order(self):
        code = ("import {}, {}; import polhode as ph, h5py; c = ph.load('{}').replace(**{{'run.steps': 20}}); c.run('{}');"
                "f = h5py.File('{}'); assert f['final/state'].shape[1] > 0")
        for k, order in enumerate((("h5py", "polhode"), ("polhode", "h5py"))):
            out = self.path / f"{k}.h5"
            self.python(code.format(*order, EXAMPLES / "free_body.toml", out, out))
            written = ("import {}, {}; import polhode as ph, h5py; run = ph.open('{}'); h5py.File('{}.mine', 'w')['x'] = run.final.state;"
                       "ph.load('{}').run('{}.again'); run.save('{}.saved'); assert ph.open('{}.again').final.state.tobytes() =="
                       "h5py.File('{}.mine')['x'][()].tobytes()")  # fmt: skip
            self.python(written.format(*order, *[out] * 7))


if __name__ == "__main__":
    unittest.main()
