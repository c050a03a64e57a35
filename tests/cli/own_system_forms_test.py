#!/usr/bin/env python3
"""Users' own systems of each form: canonical and constrained ones with any H, with an angle that counts turns, and with a
cyclic coordinate (own_system_test.py has the example, of constant mass with a constraint).

Against a staged installation. Run with POLHODE_BUILD set to the folder in which polhode was built."""

import json
import shutil
import unittest

import h5py
import numpy

from staged import ROOT, Stage


def setUpModule():
    global installed, systems
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    systems = installed.path / "systems"
    systems.mkdir()
    write_charged(systems / "charged")
    write_gyrating(systems / "gyrating")
    write_rotor(systems / "rotor")
    write_pendulum(systems / "pendulum")


def run(*command, cwd, **keywords):
    return installed.run(*command, cwd=cwd, **keywords)


def write_charged(folder):
    """The program's magnetic pendulum under another name."""
    folder.mkdir()
    header = (ROOT / "include/polhode/system/magnetic_pendulum.hpp").read_text()
    (folder / "charged.hpp").write_text(header.replace("MagneticPendulum", "Charged").replace("magnetic-pendulum", "charged") + "POLHODE_SYSTEM(Charged)\n")


GYRATING = """
#include "polhode/system/canonical_system.hpp"

// A charge in a plane, in a magnetic field across it and a harmonic well: no constraints, and no kinetic energy of p alone.
struct GyratingPhysics {
  static constexpr const char* name = "gyrating";
  static constexpr const char* meaning = "a charge in a magnetic field and a well";
  static constexpr int N = 2, D = 0;
  static constexpr std::array<polhode::Quantity, 4> columns{
      {{"q1", "1", "position"}, {"q2", "1", "position"}, {"p1", "1", "momentum"}, {"p2", "1", "momentum"}}};
  static constexpr std::array<double, 0> example_parameters{};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.6, -0.2, 0.3, 0.8};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }
  template <class T>
  struct Equations {
    POLHODE_HD explicit Equations(const double*) {}
    POLHODE_HD T hamiltonian(const polhode::Vec<T, 2>& q, const polhode::Vec<T, 2>& p) const {
      const T half(polhode::Real<T>(0.5)), b(polhode::Real<T>(0.7));
      const polhode::Vec<T, 2> v{p[0] + b * q[1], p[1] - b * q[0]};
      return half * (dot(v, v) + dot(q, q));
    }
    POLHODE_HD T angular_momentum(const polhode::Vec<T, 2>& q, const polhode::Vec<T, 2>& p) const {
      return q[0] * p[1] - q[1] * p[0];
    }
    static constexpr polhode::ConservedRow<Equations, T, 2> conserved[1] = {
        {{"angular_momentum", "1", "q x p"}, &Equations::angular_momentum}};
  };
};
POLHODE_SYSTEM(polhode::CanonicalSystem<GyratingPhysics>)
"""


def write_gyrating(folder):
    """A canonical system with any H."""
    folder.mkdir()
    (folder / "gyrating.hpp").write_text("#pragma once\n" + GYRATING)


ROTOR = """
[system]
name = "rotor"
k = 1.0

[method]
name = "stoermer-verlet"
step = 0.1

[ensemble]
from = "states"
states = [[0.3, 0.5, 2.1, 0.2], [0.3, 0.1, -2.5, 0.4], [20.0, -0.3, 0.5, 0.1], [-100.0, 0.3, 3.5, 0.0]]

[run]
steps = 2000

[section]
name = "x"
direction = "both"
"""
TURN = "[-3.141592653589793, 3.141592653589793]"


def write_rotor(folder):
    """A system with an angle that counts turns."""
    folder.mkdir()
    (folder / "rotor.hpp").write_text((ROOT / "tests/support/rotor.hpp").read_text() + "POLHODE_SYSTEM(Rotor)\n")
    (folder / "rotor.toml").write_text(ROTOR)


PENDULUM = """
[system]
name = "own-pendulum"
weight = 1.0

[method]
name = "gauss"
stages = 3
step = 0.05

[ensemble]
from = "states"
states = [[0.8, 0.2, 0.1, 0.3], [0.8, -3.0, -0.4, 0.3]]   # tilt theta p_tilt mu

[run]
steps = 2000
"""


def write_pendulum(folder):
    """A cyclic coordinate: one description, a system on all coordinates and one that is reduced."""
    folder.mkdir()
    shutil.copy(ROOT / "tests/support/own_pendulum.hpp", folder)
    (folder / "own.toml").write_text(PENDULUM)
    for name in ("OwnPendulum", "OwnPendulumReduced"):
        (folder / f"{name}.hpp").write_text(f'#include "own_pendulum.hpp"\nPOLHODE_SYSTEM({name})\n')


class AnyHamiltonian(unittest.TestCase):
    """The program's magnetic pendulum under another name, and a canonical system."""

    def test_canonical_systems_with_any_hamiltonian(self):
        folder = systems / "gyrating"
        named = ("--system", "gyrating.hpp")
        methods = json.loads(run("polhode", "list", "methods", "--json", *named, cwd=folder).stdout)
        self.assertEqual([method["name"] for method in methods if method["system"] == "gyrating"], ["implicit-midpoint", "heun", "explicit-midpoint", "rk4", "runge-kutta", "gauss", "lobatto"])
        (folder / "gyrating.toml").write_text('[system]\nname = "gyrating"\n[method]\nname = "implicit-midpoint"\nstep = 0.05\n[ensemble]\nfrom = "states"\n'
                                 "states = [[0.6, -0.2, 0.3, 0.8]]\n[run]\nsteps = 2000\n")
        ends = []
        for backend in ("cpu", "reference"):
            done = run("polhode", "run", *named, "gyrating.toml", "-o", "out.h5", "--force", "--backend", backend, "--set", "run.isa=avx2", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(folder / "out.h5") as file:
                ends.append(file["final/state"][0])
                # Quadratic, as the midpoint rule keeps them: roundings of 2000 steps, 2e-14 measured.
                self.assertLess(file["invariants/max_drift"][:].max(), 1e-12)
        self.assertLess(abs(ends[0] - ends[1]).max(), 1e-11)  # the same; 1e-13 measured
        # A linear system by the midpoint rule is Cayley's transform of its matrix.
        b, h = 0.7, 0.05
        matrix = numpy.array([[0, b, 1, 0], [-b, 0, 0, 1], [-1 - b * b, 0, 0, b], [0, -1 - b * b, -b, 0]])
        step = numpy.linalg.solve(numpy.eye(4) - h / 2 * matrix, numpy.eye(4) + h / 2 * matrix)
        exact = numpy.linalg.matrix_power(step, 2000) @ (0.6, -0.2, 0.3, 0.8)
        self.assertLess(abs(ends[0] - exact).max(), 1e-11)

    def test_is_the_system_of_the_program(self):
        folder = systems / "charged"
        named = ("--system", systems / "charged/charged.hpp")
        methods = json.loads(run("polhode", "list", "methods", "--json", *named, cwd=folder).stdout)
        self.assertEqual([method["name"] for method in methods if method["system"] == "charged"], ["rattle", "constraint-euler", "constraint-euler-adjoint", "variational", "lobatto"])
        config = ROOT / "examples/magnetic_pendulum.toml"
        found = []
        for options in ((), (*named, "--set", "system.name=charged"), (*named, "--set", "system.name=charged", "--backend", "reference")):
            done = run("polhode", "run", config, "-o", "out.h5", "--force", "--set", "run.steps=2000", "--set", "run.isa=avx2", *options, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(folder / "out.h5") as file:
                found.append((file["final/state"][:], file["section/state"][:]))
        for mine, own, reference in zip(*found):
            self.assertEqual(mine.tobytes(), own.tobytes())
            # Round-off of 2000 steps, some 1e-16 each, and the divergence of neighbours.
            self.assertLess(abs(own - reference).max(), 1e-10)


class AngleWithoutBound(unittest.TestCase):
    """The rotor of the backend tests, whose column theta counts turns."""

    @classmethod
    def setUpClass(cls):
        cls.folder = systems / "rotor"
        cls.named = ("--system", "rotor.hpp")

    def polhode(self, *arguments):
        return run("polhode", *arguments, cwd=self.folder)

    def rotor(self, name, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        return self.polhode("run", *self.named, "rotor.toml", "-o", name, "--force", "--backend", "cpu", *options)

    def made(self, name, *settings):
        """The file of a run, and the angles of its points."""
        done = self.rotor(name, *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = h5py.File(self.folder / name)
        self.addCleanup(file.close)
        return file, file["section/state"][:, 0]

    def test_lists_and_files_say_so(self):
        systems = json.loads(self.polhode("list", "systems", "--json", *self.named).stdout)
        angles = {column["name"]: column["angle"] for column in systems[-1]["columns"] + systems[-1]["observables"] if "angle" in column}
        self.assertEqual(angles, {"theta": "unbounded"})
        self.assertIn("angle of the rotor; counts turns", self.polhode("list", "systems", "rotor", *self.named).stdout)
        file, _ = self.made("attributes.h5")
        for name in ("initial/state", "final/state", "section/state"):
            self.assertEqual(list(file[name].attrs["angle"]), ["unbounded", "", "", ""])

    def test_conditions_densities_and_statistics_are_modulo_2_pi(self):
        density = ('density.axes=["theta", "p1"]', "density.bins=[16, 4]", f"density.range=[{TURN}, [-5, 5]]")
        statistics = ("statistics.every=500", 'statistics.observables=["theta"]', "statistics.bins=4", f"statistics.range=[{TURN}]")
        file, theta = self.made("all.h5", *density, *statistics)
        self.assertGreater(abs(theta).max(), 100)  # points keep the turns
        angle = numpy.mod(theta + numpy.pi, 2 * numpy.pi) - numpy.pi
        counts = file["section/density"]
        self.assertEqual((counts.attrs["outside"], list(counts.attrs["angle"])), (0, ["unbounded", ""]))
        numpy.testing.assert_array_equal(counts[:].sum(axis=1), numpy.histogram(angle, 16, (-numpy.pi, numpy.pi))[0])
        self.assertTrue((file["statistics/histogram"][:].sum(axis=2) == 4).all())
        self.assertEqual(file["statistics/mean"][-1, 0], file["final/state"][:, 0].mean())
        _, some = self.made("some.h5", 'section.where="theta > -1 and theta < 1"')
        numpy.testing.assert_array_equal(some, theta[(angle > -1) & (angle < 1)])
        self.assertTrue(0 < len(some) < len(theta) / 2)

    def test_a_terminal_section_is_allowed(self):
        file, theta = self.made("terminal.h5", "section.name=theta", "section.value=1.0", "section.terminal=true")
        self.assertEqual(file["status/code"][:].tolist(), [4, 4, 4, 4])
        # Of the first, on the way up or down; the third one turns back. Round-off at 100 is 1e-14.
        numpy.testing.assert_allclose(theta, 1 + 2 * numpy.pi * numpy.array([0, -1, 3, -16]), rtol=0, atol=1e-13)

    def test_ranges_beyond_a_turn_are_refused(self):
        for settings in (('density.axes=["theta", "p1"]', "density.bins=[16, 4]", "density.range=[[0, 10], [-5, 5]]"),
                         ("statistics.every=500", 'statistics.observables=["theta"]', "statistics.bins=4", "statistics.range=[[0, 10]]")):
            done = self.rotor("none.h5", *settings)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"^polhode: cannot use \w+.range \(theta is counted modulo 2 pi, and its range is wider\)\. Give \[.*\] or less\.\n$")


class CyclicCoordinate(unittest.TestCase):
    """A pendulum by its tilt and azimuth, and reduced to the tilt."""

    @classmethod
    def setUpClass(cls):
        cls.folder = systems / "pendulum"
        cls.named = [word for name in ("OwnPendulum", "OwnPendulumReduced") for word in ("--system", f"{name}.hpp")]

    def polhode(self, command, *arguments):
        done = run("polhode", command, *arguments, *self.named, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def final(self, config, backend="cpu"):
        self.polhode("run", config, "-o", "out.h5", "--force", "--quiet", "--backend", backend)
        with h5py.File(self.folder / "out.h5") as file:
            return file["final/state"][:]

    def test_is_listed_with_its_other_description(self):
        systems = {system["name"]: system for system in json.loads(self.polhode("list", "systems", "--json"))}
        self.assertEqual([(systems[name]["kind"], systems[name]["other_descriptions"]) for name in ("own-pendulum", "own-pendulum-reduced")],
                         [("canonical", ["own-pendulum-reduced"]), ("reduced", ["own-pendulum"])])
        methods = json.loads(self.polhode("list", "methods", "--json"))
        self.assertEqual([method["name"] for method in methods if method["system"] == "own-pendulum"],
                         ["implicit-midpoint", "heun", "explicit-midpoint", "rk4", "runge-kutta", "gauss", "lobatto"])
        self.assertEqual([method["name"] for method in methods if method["system"] == "own-pendulum-reduced"], ["runge-kutta", "gauss", "lobatto", "discrete-routh"])

    def test_a_configuration_with_a_header_is_converted(self):
        config = self.folder / "named.toml"
        config.write_text(PENDULUM.replace('name = "own-pendulum"', 'header = "OwnPendulum.hpp"'))
        for named in (("OwnPendulumReduced.hpp",), ("OwnPendulumReduced.hpp", "OwnPendulum.hpp"), ("OwnPendulum.hpp", "OwnPendulumReduced.hpp")):
            headers = [word for header in named for word in ("--system", header)]
            done = run("polhode", "convert", "named.toml", "--to", "own-pendulum-reduced", *headers, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("OwnPendulumReduced.hpp", done.stdout)

    def test_converted_runs_have_the_same_end(self):
        self.polhode("convert", "own.toml", "--to", "own-pendulum-reduced", "-o", "reduced.toml", "--force")
        self.polhode("convert", "reduced.toml", "--to", "own-pendulum", "-o", "back.toml", "--force")
        whole, reduced = self.final("own.toml"), self.final("reduced.toml")
        # Gauss's methods commute with the reduction up to roundings of 2000 steps; 7e-14 measured, at an azimuth of 107.
        self.assertLess(abs(whole[:, (0, 2, 1)] - reduced).max(), 1e-11)
        self.assertEqual(self.final("back.toml").tobytes(), whole.tobytes())

    def test_reference_agrees_by_the_discrete_routh_equations(self):
        self.polhode("convert", "own.toml", "--to", "own-pendulum-reduced", "-o", "routh.toml", "--force", "--unset", "method.stages",
                     "--set", "method.name=discrete-routh", "--set", "run.steps=200")
        apart = abs(self.final("routh.toml") - self.final("routh.toml", "reference")).max()
        self.assertLess(apart, 1e-12)  # roundings of 200 steps; 1.1e-14 measured
        self.assertGreater(apart, 0)  # another computation
        for config in ("own.toml", "routh.toml"):
            self.assertTrue(self.polhode("crosscheck", config, "--steps", "200").endswith("all checks passed\n"), config)


if __name__ == "__main__":
    unittest.main()
