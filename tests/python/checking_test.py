#!/usr/bin/env python3
"""Cross-checks, measurements, conversions, citations and lists are those of the commands."""

import json
import os
import signal
import subprocess
import threading
import unittest

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from package_support import EXAMPLES, PROGRAM, TOP, Package  # noqa: E402

import polhode as ph  # noqa: E402

DIFFERENT = ("nanoseconds_per_time", "git")  # from one measurement, or one build, to the next


def command(*arguments, codes=(0,)):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in codes, done.stderr
    return done.stdout


def without_differences(value):
    if isinstance(value, dict):
        return {name: without_differences(member) for name, member in value.items() if name not in DIFFERENT}
    return [without_differences(member) for member in value] if isinstance(value, list) else value


class Checking(Package):
    def setUp(self):
        super().setUp()
        self.configuration = ph.configure(**TOP, steps=400, section=ph.Section("gamma3"))
        self.file = self.path / "top.toml"
        self.file.write_text(self.configuration.to_toml())
        self.addCleanup(pyplot.close, "all")

    def test_crosschecks(self):
        found = ph.crosscheck(self.configuration, trajectories=5, steps=100)
        self.assertEqual(dict(found), json.loads(command("crosscheck", self.file, "--trajectories", 5, "--steps", 100, "--json")))
        self.assertTrue(found["kept"] and found["compared"])
        self.assertEqual(str(found) + "\n", command("crosscheck", self.file, "--trajectories", 5, "--steps", 100))
        self.assertEqual(repr(found), "<crosscheck: all checks passed>")
        self.assertIn("a check failed", repr(ph.Measurement(dict(found, kept=False))))
        of_run = ph.crosscheck(self.configuration.run(), backends=["reference"], isas=["scalar"], trajectories=5, steps=50)
        self.assertTrue(of_run["kept"])
        for wrong, words in (({"backends": ["gpu"]}, "unknown backend 'gpu' .there are auto, reference, cpu, cuda"), ({"isas": ["sse"]}, "unknown instruction set")):
            with self.assertRaisesRegex(ph.InputError, words):
                ph.crosscheck(self.configuration, **wrong)

    def test_orders(self):
        found = ph.order(self.configuration, trajectories=8, steps=40)
        expected = json.loads(command("order", self.file, "--trajectories", 8, "--steps", 40, "--json"))
        self.assertEqual(without_differences(dict(found)), without_differences(expected))
        self.assertAlmostEqual(found["measured"], 2, delta=0.1)
        self.assertIn("order 2.0", found.plot(title=None).figure._suptitle.get_text())
        figure, axes = pyplot.subplots()
        self.assertIs(found.plot(axes), axes)
        found.save(self.path / "order.json")
        command("plot", self.path / "order.json")

    def test_work_and_precision(self):
        told = []
        found = ph.workprec(self.configuration, methods=["rattle"], trajectories=4, steps=20, progress=lambda *now: told.append(now))
        expected = json.loads(command("workprec", self.file, "--methods", "rattle", "--trajectories", 4, "--steps", 20, "--json"))
        self.assertEqual(without_differences(dict(found)), without_differences(expected))
        self.assertGreater(len(told), 10)
        panels = found.plot(methods=["rattle"], size=(8, 6))
        self.assertEqual(len(panels.ravel()), 4)
        panels[0][0].figure.figure.savefig(self.path / "work.pdf")
        with self.assertRaisesRegex(ph.InputError, "cannot draw 'gauss'"):
            found.plot(methods=["gauss"])

    def test_speed(self):
        found = ph.bench(self.configuration, repetitions=1, steps=100)
        self.assertEqual(found["backends"][0]["backend"], "cpu")
        self.assertGreater(found["backends"][0]["time_loop"]["steps_per_second"]["median"], 0)
        with self.assertRaisesRegex(ph.InputError, "have a picture"):
            found.plot()

    def test_conversions(self):
        configuration = ph.configure(
            ph.System("j2-satellite", J2=0.01), ph.Method("rk4", 0.01), ph.starts.States([[1.2, 0, 0.1, 0, 0.9, 0.2]]), 10
        )
        self.file.write_text(configuration.to_toml())
        made = ph.convert(configuration, "j2-satellite-cylindrical")
        (self.path / "converted.toml").write_text(command("convert", self.file, "--to", "j2-satellite-cylindrical"))
        self.assertEqual(made, ph.load(self.path / "converted.toml"))
        self.assertEqual(made.tables["system"]["name"], "j2-satellite-cylindrical")
        with self.assertRaisesRegex(ph.InputError, "cannot convert to henon-heiles"):
            ph.convert(configuration, "henon-heiles")

    def test_citations(self):
        configuration = ph.load(EXAMPLES / "henon_heiles_section.toml").replace(**{"run.steps": 20})
        run = configuration.run()
        configuration.run(self.path / "out.h5")
        self.assertEqual(ph.cite(run), command("cite", self.path / "out.h5"))
        with ph.open(self.path / "out.h5") as opened:
            self.assertEqual(ph.cite(opened), ph.cite(run))
        self.assertIn("@article", ph.cite(run))

    def test_replaced_keys(self):
        one = ph.Configuration({"system": {"hamiltonian": "p^2/2 + k*q^2", "parameters": {"k": 1.0, "m": 2}}})
        other = one.replace(**{"system.parameters.k": 3, "system.parameters.m": None, "run.steps": 5, "section.name": None, "system.let.a": "q"})
        self.assertEqual(other.tables, {"system": {"hamiltonian": "p^2/2 + k*q^2", "parameters": {"k": 3}, "let": {"a": "q"}}, "run": {"steps": 5}})
        self.assertEqual(one.tables["system"]["parameters"], {"k": 1.0, "m": 2})
        for path, why in (("steps", "it is no TABLE.KEY"), ("method.", "it is no TABLE.KEY"), ("system..a", "it is no TABLE.KEY"), ("system.hamiltonian.p", "hamiltonian is not a table")):
            with self.assertRaisesRegex(ph.InputError, why):
                one.replace(**{path: 1})

    def test_lists(self):
        for topic, found in (("systems", ph.list_systems()), ("methods", ph.list_methods()), ("sections", ph.list_sections()), ("backends", ph.list_backends())):
            self.assertEqual(found, json.loads(command("list", topic, "--json")), topic)
        self.assertEqual({method["system"] for method in ph.list_methods("heavy-top")}, {"heavy-top"})
        with self.assertRaisesRegex(ph.InputError, "no system 'top'"):
            ph.list_methods("top")

    def test_lists_of_a_system_of_ones_own(self):
        oscillator = ph.System(hamiltonian="p^2/2 + w^2*q^2/2", coordinates=["q"], momenta=["p"], name="my-oscillator", parameters={"w": 2.0})
        self.assertIn("stoermer-verlet", [method["name"] for method in ph.list_methods(oscillator)])
        self.assertEqual([column["name"] for column in ph.list_systems(oscillator)[0]["columns"]], ["q", "p"])
        self.assertEqual([entry["system"] for entry in ph.list_sections(oscillator)], ["my-oscillator"])
        with self.assertRaisesRegex(ph.InputError, "hamiltonian"):
            ph.list_methods(ph.System(hamiltonian="p^2/2 + w^^2", coordinates=["q"], momenta=["p"]))

    def test_errors_and_interruptions(self):
        for wrong in ({}, "top.toml", None):
            with self.assertRaisesRegex(ph.InputError, "no polhode.Configuration"):
                ph.order(wrong)
        for check in (ph.crosscheck, ph.order, ph.workprec, ph.bench):
            for number in (0, -1, "3", True, 1.5):
                with self.subTest(number), self.assertRaisesRegex(ph.InputError, "has to be an integer above 0"):
                    check(self.configuration, **{"repetitions" if check is ph.bench else "trajectories": number})
            with self.assertRaisesRegex(ph.InputError, "method.step"):
                check(self.configuration.replace(**{"method.step": 0}))

            def fail(*now):
                raise ZeroDivisionError("here")

            with self.subTest(check), self.assertRaisesRegex(ZeroDivisionError, "here"):
                check(self.configuration, progress=fail)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            ph.crosscheck(self.configuration.replace(**{"run.steps": 10**8}), steps=10**8)


if __name__ == "__main__":
    unittest.main()
