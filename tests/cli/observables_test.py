#!/usr/bin/env python3
"""Observables that a configuration adds to a system, and conditions that are formulas: sections, densities, statistics,
the reference, resumed runs, mistakes.

Run with POLHODE set to the program's path."""

import json
import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

OBSERVABLES = '[system.observables]\nm = "pi1*pi2"\nup = "gamma3"\nlength = "sqrt(pi1^2 + pi2^2 + pi3^2)"\n'
TOP = CONFIG + OBSERVABLES
# A state and an observable for systems of all forms.
FORMS = {
    "double-pendulum": ("rattle", 'd = "sqrt((q1x - q2x)^2 + (q1y - q2y)^2 + (q1z - q2z)^2) - q2x"'),
    "henon-heiles": ("stoermer-verlet", 'd = "q1 - 0.1*q2^2"'),
    "kepler": ("gauss", 'd = "q1*sin(0.3) + q2"'),
    "rigid-body": ("splitting", 'd = "gamma1 - gamma2*0.25"'),
    "j2-satellite-reduced": ("gauss", 'd = "r - 1 - z"'),
    "underwater-vehicle-reduced": ("runge-kutta", 'd = "pi1 + 0.5*pi2"'),
}


class Observables(CliTest):
    def run_it(self, config, *options, output="out.h5"):
        self.run_with(self.write(config), output, *options)
        with h5py.File(self.path / output) as file:
            return {path: file[path][()] for path in ("initial/state", "final/state", "section/state", "section/trajectory") if path in file}

    def section_of(self, name, **more):
        keys = "".join(f"{key} = {value}\n" for key, value in more.items())
        return TOP.replace('name = "gamma3"\n', f'name = "{name}"\n{keys}')

    def test_one_that_is_a_column_gives_the_bits_of_its_section(self):
        self.run_it(TOP, "--set", "section.name=up", output="mine.h5")
        self.run_it(TOP, output="its.h5")
        self.assert_same_datasets("mine.h5", datasets(self.path / "its.h5"), "up is gamma3")

    def test_points_are_where_it_has_the_value(self):
        found = self.run_it(self.section_of("m", value=0.1, direction='"both"', where='"2*pi1 > pi2 - 0.1 and up > 0"'))["section/state"]
        self.assertGreater(len(found), 50)
        numpy.testing.assert_allclose(found[:, 0] * found[:, 1], 0.1, atol=1e-12)  # what refinement leaves of round-off
        self.assertTrue((2 * found[:, 0] > found[:, 1] - 0.1).all() and (found[:, 5] > 0).all())
        every = self.run_it(self.section_of("m", value=0.1, direction='"both"'))["section/state"]
        chosen = every[(2 * every[:, 0] > every[:, 1] - 0.1) & (every[:, 5] > 0)]
        numpy.testing.assert_array_equal(found, chosen)

    def test_densities_and_statistics_know_it(self):
        tables = '[density]\naxes = ["m", "length"]\nbins = [10, 8]\nrange = [[-1.5, 1.5], [0, 3]]\n' \
                 '[statistics]\nevery = 300\nobservables = ["length", "pi1"]\n[record]\nsnapshots = 300\n'
        points = self.run_it(TOP + tables)["section/state"]
        with h5py.File(self.path / "out.h5") as file:
            counts, mean, states = file["section/density"][()], file["statistics/mean"][()], file["snapshots/state"][()]
            self.assertEqual(list(file["statistics/observables"].asstr()), ["length", "pi1"])
        lengths = numpy.sqrt((states[..., :3] ** 2).sum(axis=-1))
        numpy.testing.assert_allclose(mean[:, 0], lengths.mean(axis=0), rtol=1e-14)
        expected = numpy.histogram2d(points[:, 0] * points[:, 1], numpy.sqrt((points[:, :3] ** 2).sum(axis=1)), (10, 8), ((-1.5, 1.5), (0, 3)))[0]
        numpy.testing.assert_array_equal(counts, expected)

    def test_the_reference_and_all_forms_of_systems(self):
        for system, (method, observable) in FORMS.items():
            with self.subTest(system):
                example = json.loads(self.polhode("list", "systems", system, "--json").stdout)[0]
                parameters = "".join(f"{name} = {value}\n" for name, value in example["example"]["parameters"].items())
                (self.path / "one.toml").write_text(
                    f'[system]\nname = "{example["name"]}"\n{parameters}[system.observables]\n{observable}\n[method]\nname = "{method}"\n'
                    f'step = {example["example"]["step"]}\n[ensemble]\nfrom = "states"\nstates = [{example["example"]["state"]}]\n'
                    '[run]\nsteps = 2000\n[section]\nname = "d"\ndirection = "both"\n')
                checked = self.polhode("crosscheck", "one.toml", "--steps", "400", "--json")
                self.assertEqual(checked.returncode, 0, checked.stderr)
                verdicts = {(finding["promise"], finding["subject"].split(" against")[0]): finding["verdict"] for finding in json.loads(checked.stdout)["findings"]}
                self.assertEqual(verdicts["section", "reference"], "kept", checked.stdout)

    def test_resumed_with_the_same_formulas_alone(self):
        self.run_it(TOP, "--set", "section.name=m", "--set", "run.steps=300")
        spaced = TOP.replace('"pi1*pi2"', '" pi1 * ( pi2 )"')
        self.assertEqual(self.polhode("run", self.write(spaced), "--resume", "--set", "section.name=m").returncode, 0)
        other = self.polhode("run", self.write(TOP.replace('"pi1*pi2"', '"pi1*pi3"')), "--resume", "--set", "section.name=m", "--set", "run.steps=900")
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("observables", other.stderr)

    def test_kernels_have_only_what_they_need(self):
        environment = self.compiled_alone(self.write(self.section_of("m")))
        with_another = self.section_of("m") + 'other = "exp(pi3)"\n'
        missing = self.polhode("run", self.write(with_another), env=environment)
        self.assertEqual(missing.returncode, 3, missing.stderr)
        self.assertIn("there is no kernel heavy-top, ", missing.stderr)
        self.assertNotIn("rattle", missing.stderr)  # the system's module alone is missing

    def test_momenta_that_jump_are_no_section(self):
        pendulum = CONFIG.replace('name = "heavy-top"\nalpha = [0.44, 0.5, 1.0]', 'name = "spherical-pendulum"\nm = [1.0]\nl = [1.0]\ng = 1.0')
        pendulum = pendulum.replace("rattle", "shake").replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "states"\nstates = [[0.6, 0, -0.8, 0, 0.5, 0]]')
        pendulum = pendulum.replace('name = "gamma3"', 'name = "w"')
        for formula, code in (("p1z", 2), ("p1z + q1x", 2), ("q1x + q1z", 0)):
            done = self.polhode("run", self.write(pendulum + f'[system.observables]\nw = "{formula}"\n'), "--force")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("it leaves momenta off the constraints" in done.stderr, code == 2)

    def test_mistakes_are_one_line(self):
        for observable, where, words in (
            ('r = "pi1 + pi9"', "", 'cannot use system.observables.r (unknown name "pi9", at character 7'),
            ('pi1 = "pi2"', "", '"pi1" is there twice'),
            ('energy = "pi2"', "", '"energy" has a meaning already'),
            ('r = "pi1 +"', "", "cannot use system.observables.r ("),
            ("r = 3", "", "system.observables"),
            ('r = "pi1"', 'where = "r > 0 or pi1 > 0"', "cannot use section.where ("),
            ('r = "pi1"', 'where = "q > 0"', 'unknown name "q"'),
        ):
            with self.subTest(observable + where):
                config = CONFIG.replace('name = "gamma3"', 'name = "gamma3"\n' + where) + f"[system.observables]\n{observable}\n"
                done = self.polhode("run", self.write(config))
                self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
                self.assertIn(words, done.stderr)
        self.assertFalse((self.path / "out.h5").exists())


if __name__ == "__main__":
    unittest.main()
