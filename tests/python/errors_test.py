#!/usr/bin/env python3
"""Errors are lines of the command line, and failures are warned of."""

import json
import pathlib
import subprocess
import sys
import unittest
import warnings

import numpy
from package_support import EXAMPLES, FOREVER, PROGRAM, TOP, Package

import polhode as ph


class Errors(Package):
    def refusal(self, **changes):
        configuration = ph.Configuration({part.table: part.keys for part in (*TOP.values(), ph.Execution(10))}).replace(**changes)
        (self.path / "run.toml").write_text(configuration.to_toml())
        done = subprocess.run([PROGRAM, "run", self.path / "run.toml"], cwd=self.path, capture_output=True, text=True)
        with self.assertRaises(ph.Error) as caught:
            configuration.run()
        self.assertEqual(f"polhode: {caught.exception.args[0]}\n", done.stderr)
        return caught.exception, done.returncode

    def test_they_are_the_lines_of_the_command_line(self):
        for key, value in (("method.step", 0), ("method.step", "small"), ("method.name", "ratle"), ("system.name", "heavy-topp"), ("run.steps", 0),
                           ("system.alfa", [1, 1, 1]), ("ensemble.energy", -10), ("ensemble.grid", [6]), ("run.stepz", 10), ("section.name", "gama3"),
                           ("table.key", 1), ("method.step", None)):
            with self.subTest(key=key, value=value):
                error, code = self.refusal(**{key: value})
                self.assertEqual(code, 2)
                self.assertIsInstance(error, ph.InputError)
                self.assertIsInstance(error, ValueError)

    def test_they_are_in_the_words_of_python(self):
        for key, value, advice in (("system.name", "heavy-topp", "See polhode.list_systems()."), ("method.name", "ratle", 'See polhode.list_methods("heavy-top").'),
                                   ("section.name", "gama3", "See polhode.list_sections().")):
            with self.subTest(key):
                self.assertTrue(str(self.refusal(**{key: value})[0]).endswith(advice))
        with self.assertRaisesRegex(ph.InputError, "^cannot use methods .heavy-top has no method"):
            ph.workprec(ph.configure(**TOP, steps=10), methods=["ratle"])
        self.assertEqual(str(ph.BackendUnavailable("no device (none). Use --backend cpu.")), 'no device (none). Use backend="cpu".')
        self.assertEqual(str(ph.InputError("cannot use --methods with an order (it is of one).")), "cannot use --methods with an order (it is of one).")

    def test_keywords_that_are_not_there(self):
        for make, words in ((lambda: ph.run(**TOP, steps=10, thread=2), "unknown keyword thread .polhode.run has no such keyword; nearest known: threads"),
                            (lambda: ph.configure(**TOP, steps=10, sectoin=None), "nearest known: section"), (lambda: ph.Record(snapshot=3), "Record .*; nearest known: snapshots"),
                            (lambda: ph.starts.Section(grd=(2, 2)), "nearest known: grid"), (lambda: ph.Method("rattle"), "cannot make a Method .missing a required argument: 'step'")):
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words) as caught:
                make()
            self.assertIsInstance(caught.exception, TypeError)

    def test_lines_without_what_they_are_made_of(self):
        run = ph.run(**TOP, steps=10)
        with self.assertRaisesRegex(ph.FileError, r"absent/x.h5' \(No such file or directory\). Create the folder or choose another.$"):
            run.save(self.path / "absent" / "x.h5")
        run.save(self.path / "whole.h5")
        (self.path / "cut.h5").write_bytes((self.path / "whole.h5").read_bytes()[:3000])
        with self.assertRaisesRegex(ph.InputError, r"\(it is truncated: 3000 of \d+ bytes\)"):
            ph.open(self.path / "cut.h5")
        with self.assertRaisesRegex(ph.InputError, r"not one of polhode.starts\). Give polhode.starts.States\(array\).$"):
            ph.run(**TOP | {"ensemble": numpy.zeros((3, 6))}, steps=10)
        with self.assertRaisesRegex(ph.InputError, "a text of several lines"):
            ph.load("[system]\nname = 'heavy-top'")

    def test_their_classes(self):
        backends = json.loads(subprocess.run([PROGRAM, "list", "backends", "--json"], capture_output=True, check=True).stdout)
        if not backends[2]["available"]:
            error, code = self.refusal(**{"run.backend": "cuda"})
            self.assertEqual((type(error), code), (ph.BackendUnavailable, 3))
        with self.assertRaises(ph.FileError) as caught:
            ph.load(EXAMPLES / "free_body.toml").run("/proc/out.h5")
        self.assertIsInstance(caught.exception, OSError)
        with self.assertRaises(ph.InputError):
            ph.load(self.path / "absent.toml")

    def test_states_that_are_none(self):
        for states in ([1, 2, 3], [], [[1, 2], [3]], [["a"] * 6], numpy.zeros((2, 3, 4)), [[1, 2, 3]]):
            with self.subTest(states), self.assertRaises(ph.InputError):
                ph.run(TOP["system"], TOP["method"], ph.starts.States(states), 10)

        masked = numpy.ma.masked_array(numpy.ones((2, 6)), mask=numpy.eye(2, 6))
        for states in (numpy.ones((2, 6)) * 1j, masked):
            with self.subTest(states), self.assertRaisesRegex(ph.InputError, "complex, or some of them are masked"):
                ph.run(TOP["system"], TOP["method"], ph.starts.States(states), 10)

    def test_parts_in_the_wrong_place(self):
        for changed, words in (({"section": ph.starts.Section((2, 2), 1.0)}, "not a polhode.Section"), ({"system": "heavy-top"}, "not a polhode.System"),
                               ({"ensemble": numpy.ones((2, 6))}, "not one of polhode.starts"), ({"method": ph.Method}, "not a polhode.Method")):
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words):
                ph.run(**(TOP | {"steps": 10} | changed))
        with self.assertRaisesRegex(ph.InputError, "without a file"):
            ph.run(**TOP, steps=10, resume=True)
        with self.assertRaisesRegex(ph.InputError, "already exists"):
            for _ in range(2):
                ph.run(**TOP, steps=10, file=self.path / "out.h5")
        with self.assertRaisesRegex(ph.InputError, "cannot use section"):
            ph.Configuration({"section": ph.Section("gamma3")})

    def test_odd_texts_and_numbers(self):
        def tops(**parameters):
            return ph.run(ph.System("heavy-top", **parameters), TOP["method"], TOP["ensemble"], 10)

        self.assertEqual(tops(alpha=[0.44, 0.5, 1], c=numpy.float32(0.5)).attributes["system"], "heavy-top")
        for parameters in ({"c": 10**400}, {"c": 10**20, "x y": 1}, {"\U0001d6fc": 1}, {"c": b"1"}, {"c": "\ud800"}, {"header": pathlib.Path("absent.hpp")}):
            with self.subTest(parameters), self.assertRaises((ph.InputError, OverflowError)):
                tops(**parameters)
        with self.assertRaises(ph.InputError):
            ph.load(b"absent.toml")

    def test_failures_are_warned_of(self):
        with self.assertWarnsRegex(RuntimeWarning, r"^12 of 12 trajectories failed \(first: trajectory 0, after step \d+\): the implicit equation"):
            run = ph.run(TOP["system"], ph.Method("rattle", step=1.0), ph.starts.Section(grid=(4, 4), energy=1.0), 60)
        self.assertEqual(set(run.status.code), {1})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ph.run(**TOP, steps=10)
            ph.run(**TOP, steps=10, section=ph.Section("pi3"))

    def test_doubts_are_warned_of(self):
        """At the line of the caller's."""
        with self.assertWarns(RuntimeWarning) as warned:
            run = ph.run(ph.System("heavy-top", inertia=[1, 1, 5]), TOP["method"], ph.starts.States([[1, 0.5, 0.2, 0, 0, 1.0001]]), 10)
        self.assertEqual(pathlib.Path(warned.filename).name, "errors_test.py")
        self.assertRegex(" ".join(run.report.remarks), "starts were moved to the constraints: .* no rigid body has")

    def test_values_that_have_no_place(self):
        with self.assertRaisesRegex(ph.InputError, "cannot use a set"):
            ph.run(ph.System("heavy-top", alpha={1.0}), TOP["method"], TOP["ensemble"], 10)


class Missing(Package):
    def test_a_package_that_is_missing_is_named_with_its_extra(self):
        """Each is hidden from an interpreter of its own."""
        run = "run = ph.run(ph.System('heavy-top', alpha=[0.44, 0.5, 1.0]), ph.Method('rattle', 0.05), ph.starts.Section((4, 4), 1.0), 10, section=ph.Section('gamma3'))"
        for package, code, extra in (("matplotlib", "run.plot()", "plot"), ("h5py", "ph.open('x.h5')", "plot"), ("h5py", "run.save('x.h5')", "plot"), ("xarray", "run.to_xarray()", "plot"),
                                     ("pandas", "run.section.to_pandas()", "pandas"), ("matplotlib", "ph.compare([run, run])", "plot"),
                                     ("matplotlib", "ph.Measurement({'polhode': 'order'}).plot()", "plot")):
            with self.subTest(code):
                done = subprocess.run([sys.executable, "-c", f"import sys; sys.modules['{package}'] = None\nimport polhode as ph\n{run}\n{code}"], capture_output=True, text=True)
                self.assertRegex(done.stderr.splitlines()[-1], rf"BackendUnavailable: cannot do this without {package} .*\[{extra}\]")

    def test_a_stopped_run_says_so(self):
        run = ph.run(**TOP, steps=FOREVER, progress=lambda now: False)
        self.assertIn("stopped", repr(run))
        for ask in (lambda: run.section, lambda: run.final.state, lambda: run.plot(), lambda: ph.cite(run)):
            with self.assertRaisesRegex(ph.InputError, "it was stopped"):
                ask()

    def test_names_that_are_not_there_are_answered_with_those_that_are(self):
        run = ph.run(**TOP, steps=10)
        for ask, words in ((lambda: ph.starts.Random, "there are Attitudes"), (lambda: run.plot.sections, "there are section"), (lambda: run.snapshots.state, r"run with record=ph.Record\(snapshots"),
                           (lambda: run.final.states, "it has state, time")):
            with self.assertRaisesRegex(AttributeError, words):
                ask()
        with self.assertRaisesRegex(ph.InputError, "neither True, False nor a function"):
            ph.run(**TOP, steps=10, progress=3)
        with self.assertRaisesRegex(ph.InputError, "Put a single state in brackets"):
            ph.run(TOP["system"], TOP["method"], ph.starts.States(numpy.zeros(6)), 10)


if __name__ == "__main__":
    unittest.main()
