#!/usr/bin/env python3
"""Systems of formulas: the bits of a header that says the same, the reference, sections, edges, resuming, and mistakes.

Run with POLHODE set to the program's path."""

import os
import unittest

import h5py
import numpy

from command_line import CliTest

HENON_HEILES = """
[system]
hamiltonian = "(px^2 + py^2)/2 + (x^2 + y^2)/2 + a*(x^2*y - y^3/3)"
coordinates = ["x", "y"]
momenta = ["px", "py"]
parameters = {a = 1.0}
observables = {r = "sqrt(x^2 + y^2)", phi = "atan2(y, x)"}
conserved = {H2 = "(px^2 + py^2)/2 + (x^2 + y^2)/2 + a*x^2*y - a*y^3/3"}
domain = "r < 10"
angles = ["phi"]
[method]
name = "stoermer-verlet"
step = 0.05
[ensemble]
from = "states"
states = [[0.1, 0.2, 0.1, 0.0], [0.0, 0.3, 0.35, 0.0], [0.0, 0.9, 0.5, 0.5]]
[run]
steps = 400
[section]
name = "x"
[output]
file = "out.h5"
"""
# The same operations in the same order.
HEADER = """
#include "polhode/system/mechanical_system.hpp"
namespace polhode::inline POLHODE_ISA {
struct OwnPhysics {
  static constexpr const char* name = "own";
  static constexpr const char* meaning = "Henon and Heiles";
  static constexpr int N = 2, D = 0;
  static constexpr Parameter parameters[] = {{"a", "1", 1, nullptr, Bound::finite, "strength"}};
  static constexpr std::array<Quantity, 4> columns{
      {{"x", "1", "position"}, {"y", "1", "position"}, {"px", "1", "momentum"}, {"py", "1", "momentum"}}};
  static constexpr double example_parameters[] = {1.0};
  static constexpr double example_step = 0.01;
  static void example_state(const double*, double* x) {
    for (int i = 0; i < 4; ++i) x[i] = 0.3 + 0.1 * i;
  }
  template <class T>
  struct Equations {
    T a;
    POLHODE_HD explicit Equations(const double* p) : a(static_cast<Real<T>>(p[0])) {}
    POLHODE_HD Vec<T, 2> velocity(const Vec<T, 2>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, 2>& q) const {
      const T x2 = q[0] * q[0], y2 = q[1] * q[1];
      return (x2 + y2) / T(Real<T>(2)) + a * (x2 * q[1] - y2 * q[1] / T(Real<T>(3)));
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 2>& q) const { return sqrt(q[0] * q[0] + q[1] * q[1]) < T(Real<T>(10)); }
  };
};
using OwnSystem = MechanicalSystem<OwnPhysics>;
}  // namespace polhode::inline POLHODE_ISA
POLHODE_SYSTEM(OwnSystem)
"""
PENDULUM = """
[system]
name = "{name}"
hamiltonian = "{hamiltonian}"
let = {{p = "[px, py, pz]"}}
coordinates = ["x", "y", "z"]
momenta = ["px", "py", "pz"]
parameters = {{m = 2.0, g = 1.0, a = 0.4}}
constraints = ["(x^2 + y^2 + z^2 - 1)/2"]
conserved = {{Lz = "x*py - y*px"}}
[method]
name = "rattle"
step = 0.02
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0, 1.0, 0], [0.8, 0, -0.6, 0, 1.5, 0.0]]
[run]
steps = 200
[section]
name = "y"
direction = "both"
[output]
file = "out.h5"
"""
SPHERICAL = PENDULUM.format(name="pendulum", hamiltonian="dot(p, p)/(2*m) + m*g*z")
MAGNETIC = PENDULUM.format(name="in-a-field", hamiltonian="((px + a*y)^2 + (py - a*x)^2 + pz^2)/(2*(1 + 0.3*z)) + g*z")
THREE_BODIES = """
[system]
name = "three-bodies"
hamiltonian = "(px^2 + py^2)/2 + y*px - x*py - (1 - mu)/r1 - mu/r2"
let = {r1 = "sqrt((x + mu)^2 + y^2)", r2 = "sqrt((x - 1 + mu)^2 + y^2)"}
coordinates = ["x", "y"]
momenta = ["px", "py"]
parameters = {mu = 0.0121505856}
[method]
name = "gauss"
step = 0.01
[ensemble]
from = "states"
states = [[0.5, 0, 0, 1.4], [0.4, 0.0, 0.1, 1.6]]
[run]
steps = 200
[section]
name = "y"
[output]
file = "out.h5"
"""


class Formulas(CliTest):
    def run_it(self, config, *options):
        name = self.write(config)
        done = self.polhode("run", name, "--force", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "out.h5") as file:
            return done.stdout, {path: file[path][()] for path in ("initial/state", "final/state", "section/state", "status/code", "section/time")}

    def test_it_has_the_bits_of_a_header_that_says_the_same(self):
        (self.path / "own.hpp").write_text(HEADER)
        begin = HENON_HEILES.index("[system]")
        end = HENON_HEILES.index("[method]")
        own = HENON_HEILES[:begin] + '[system]\nheader = "own.hpp"\na = 1.0\n' + HENON_HEILES[end:]
        for method in ("stoermer-verlet", "gauss"):
            with self.subTest(method):
                report, formula = self.run_it(HENON_HEILES, "--set", f"method.name={method}")
                self.assertIn("of formula by", report)
                self.assertIn("\n  the formulas are taken as mechanical, with a constant mass\n", report)
                _, header = self.run_it(own, "--set", f"method.name={method}")
                self.assertEqual(list(formula["status/code"]), [0, 0, 3])  # one escapes
                for path, values in formula.items():
                    numpy.testing.assert_array_equal(values, header[path], path)

    def test_built_in_systems_as_formulas(self):
        """They have the motion of the built-in ones, whose operations are others, up to round-off."""
        for name, settings, formulas, method, states in (
            ("henon-heiles", "", 'hamiltonian = "(p1^2 + p2^2)/2 + (q1^2 + q2^2)/2 + q1^2*q2 - q2^3/3"', "splitting", [[0.1, 0.2, 0.3, 0.4]]),
            ("kepler", "mu = 1.5", 'hamiltonian = "(p1^2 + p2^2)/2 - mu/norm([q1, q2])"', "splitting", [[1.0, 0, 0, 1.3]]),
            ("magnetic-pendulum", "l = 1.2\ng = 1.0\nk = 0.3\nb = 0.4",
             'hamiltonian = "((p1x + b*q1y)^2 + (p1y - b*q1x)^2 + p1z^2)/(2*(1 + k*q1z)) + g*q1z"\nconstraints = ["(q1x^2 + q1y^2 + q1z^2 - l^2)/2"]',
             "rattle", [[0.72, 0, -0.96, 0, 1.0, 0]]),
            ("double-spherical-pendulum", "m = [1.0, 1.5]\nl = [1.0, 1.5]\ng = 1.0",
             'hamiltonian = "dot(p, p)/(2*m1) + dot(d, d)/(2*m2) + g*(m1*q1z + m2*(q1z + q2z))"\n'
             'let = {p = "[p1x - p2x, p1y - p2y, p1z - p2z]", d = "[p2x, p2y, p2z]"}\n'
             'constraints = ["(q1x^2 + q1y^2 + q1z^2 - l1^2)/2", "(q2x^2 + q2y^2 + q2z^2 - l2^2)/2"]',
             "rattle", [[0.6, 0, -0.8, 1.2, 0, -0.9, 0, 1.0, 0, 0, 0.5, 0]]),
        ):
            with self.subTest(name):
                half = len(states[0]) // 2
                names = [f"{q}{i + 1}" for q in "qp" for i in range(2)] if half == 2 else [f"{q}{i + 1}{x}" for q in "qp" for i in range(half // 3) for x in "xyz"]
                rest = f'[method]\nname = "{method}"\nstep = 0.02\n[ensemble]\nfrom = "states"\nstates = {states}\n[run]\nsteps = 400\n' \
                       f'[section]\nname = "{names[1]}"\ndirection = "both"\n[output]\nfile = "out.h5"\n'
                _, built_in = self.run_it(f'[system]\nname = "{name}"\n{settings}\n{rest}')
                parameters = ", ".join(settings.split("\n"))
                _, formula = self.run_it(f"[system]\n{formulas}\ncoordinates = {names[:half]}\nmomenta = {names[half:]}\nparameters = {{{parameters}}}\n{rest}")
                self.assertGreater(abs(built_in["final/state"] - built_in["initial/state"]).max(), 0.1)
                # Round-off of 400 steps, each some units of 2e-16, that the motion has amplified by less than 100.
                numpy.testing.assert_allclose(formula["final/state"], built_in["final/state"], rtol=0, atol=2e-13)
                self.assertGreater(len(built_in["section/state"]), 0)
                numpy.testing.assert_allclose(formula["section/state"], built_in["section/state"], rtol=0, atol=2e-13)

    def test_the_reference_agrees(self):
        for config, methods in ((HENON_HEILES, ("splitting", "rk4")), (SPHERICAL, ("rattle", "variational")),
                                (MAGNETIC, ("rattle", "variational")), (THREE_BODIES, ("gauss", "lobatto"))):
            for method in methods:
                with self.subTest(config=config[:60], method=method):
                    done = self.polhode("crosscheck", self.write(config), "--steps", "40", "--set", f"method.name={method}")
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("all checks passed", done.stdout)
                    self.assertRegex(done.stdout, r"passed +reference against cpu \S+: a step from common states")

    def test_the_code_has_the_values_of_the_tree(self):
        """Bit for bit: the reference takes them from the tree, with the same elementary functions."""
        random = numpy.random.default_rng(1)

        def formula(depth):
            if depth == 0:
                return str(random.choice(["x", "y", "px", "py", "a", "0.3", "2", "(-1.5)"]))
            one, other = formula(depth - 1), formula(random.integers(depth))
            return str(random.choice([
                f"({one} + {other})", f"({one} - {other})", f"{one} * ({other})", f"({one}) / (2 + ({other})^2)", f"(-({one}))", f"(-(-({one})))", f"({one})^5",
                f"min({one}, {other})", f"max({one}, {other})", f"abs({one})", f"sin({one})", f"sqrt(1 + ({one})^2)", f"atan2({one}, {other})", f"({one} + x*y)^2 - ({one} + x*y)^3",
            ]))  # fmt: skip

        formulas = {f"f{k}": formula(2 + k % 4) for k in range(40)}
        formulas["long"] = " + ".join(f"{k}.5*x^{k}*sin(y + {k})" for k in range(1, 30))
        formulas["whole"], formulas["part"] = "part*exp(-part)", "(x - y)*(x + y)"  # a root in another one
        text = HENON_HEILES.replace('"sqrt(x^2 + y^2)", ', '"sqrt(x^2 + y^2)", ' + ", ".join(f'{name} = "{text}"' for name, text in formulas.items()) + ", ")
        text += f"[statistics]\nevery = 1\nobservables = {sorted(formulas)}\n"
        only = ("--set", "ensemble.states=[[0.1, 0.2, 0.1, 0.0]]", "--set", "run.steps=1")
        values = []
        for backend in ("cpu", "reference"):
            self.run_it(text, "--backend", backend, *only)
            with h5py.File(self.path / "out.h5") as file:
                values.append(file["statistics/mean"][0])  # at the start
        self.assertTrue(numpy.isfinite(values[0]).all())
        self.assertGreater(len(set(values[0])), 30)
        numpy.testing.assert_array_equal(*values)

    def test_the_reference_disagrees_with_other_code(self):
        """It has the tree: a fault in what is made of it would be seen."""
        (self.path / "own.hpp").write_text(HEADER.replace("/ T(Real<T>(3))", "/ T(Real<T>(3.0001))"))
        own = HENON_HEILES[HENON_HEILES.index("[method]"):]
        _, wrong = self.run_it('[system]\nheader = "own.hpp"\na = 1.0\n' + own)
        _, reference = self.run_it(HENON_HEILES, "--backend", "reference")
        _, right = self.run_it(HENON_HEILES)
        distance = abs(right["final/state"][:2] - reference["final/state"][:2]).max()
        self.assertLess(distance, 1e-11)
        self.assertGreater(abs(wrong["final/state"][:2] - reference["final/state"][:2]).max(), 1e3 * distance)

    def test_what_is_conserved_and_observed(self):
        with_statistics = HENON_HEILES + '[statistics]\nevery = 100\nobservables = ["r", "phi", "energy"]\n'
        report, _ = self.run_it(with_statistics, "--set", "ensemble.states=[[0.1, 0.2, 0.1, 0.0]]")
        with h5py.File(self.path / "out.h5") as file:
            drift = file["invariants/max_drift"][0]
            self.assertAlmostEqual(drift[1] / drift[0], 1, delta=1e-9)  # H2 is H in other words
            state = file["initial/state"][0]
            self.assertAlmostEqual(file["statistics/mean"][0, 0], numpy.hypot(state[0], state[1]), delta=1e-15)
            self.assertAlmostEqual(file["statistics/mean"][0, 1], numpy.arctan2(state[1], state[0]), delta=1e-15)
        _, found = self.run_it(HENON_HEILES, "--set", 'section.name="r"', "--set", "section.value=0.3", "--set", 'section.where="phi > 0"')
        points = found["section/state"]
        self.assertGreater(len(points), 3)
        numpy.testing.assert_allclose(numpy.hypot(points[:, 0], points[:, 1]), 0.3, rtol=1e-9)
        self.assertTrue((points[:, 1] > 0).all())

    def test_parameters_need_no_new_kernel(self):
        self.run_it(HENON_HEILES)
        for assignment in ("system.parameters={a = 0.5}", "system.parameters.a=0.5"):
            _, found = self.run_it(HENON_HEILES, "--no-compile", "--set", assignment)
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual(file["parameters/a"][()], 0.5)
        self.expect_error(self.polhode("run", self.write(HENON_HEILES), "--unset", "system.parameters.a"), 2, 'unknown name "a"', "Correct it")
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(file.attrs["system"], "formula")
        self.assertEqual(list(found["status/code"][:2]), [0, 0])

    def test_help_shows_the_keys_of_formulas(self):
        text = self.polhode("run", self.write(HENON_HEILES), "--help").stdout
        self.assertRegex(text, r"\n\[system\] formula\n  name .*\n  observables .*\n  hamiltonian .*\n  coordinates ")
        self.assertNotIn("  header ", text)

    def test_it_is_listed_by_its_configuration(self):
        name = self.write(HENON_HEILES)
        listed = self.polhode("list", "systems", name)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("state columns\n    x ", listed.stdout)
        self.assertIn("stoermer-verlet on ", self.polhode("list", "methods", name).stdout)
        self.assertIn("no such file", self.polhode("list", "methods", "other.toml").stderr.lower())

    def test_a_result_has_its_formulas(self):
        _, first = self.run_it(MAGNETIC)
        done = self.polhode("run", "out.h5", "-o", "again.h5", "--no-compile")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "again.h5") as file:
            numpy.testing.assert_array_equal(file["final/state"][()], first["final/state"])

    def test_it_goes_on_with_the_same_formulas_alone(self):
        name = self.write(HENON_HEILES)
        self.assertEqual(self.polhode("run", name).returncode, 0)
        spaced = self.write(HENON_HEILES.replace("(px^2 + py^2)/2 +", "( px**2+py^2 ) / 2+").replace("steps = 400", "steps = 800"))
        self.assertEqual(self.polhode("run", spaced, "--resume").returncode, 0)
        other = self.write(HENON_HEILES.replace("y^3/3)", "y^3/4)").replace("steps = 400", "steps = 1200"))
        self.expect_error(self.polhode("run", other, "--resume"), 2, "cannot resume", "formulas")

    def test_starts_on_a_section(self):
        starts = """[ensemble]
from = "section"
grid = [8, 8]
energy = 0.125
axes = ["y", "py"]
solve = "px"
base = [0, 0, 0.5, 0]
window = [[-0.4, 0.6], [-0.4, 0.4]]
"""
        config = HENON_HEILES[: HENON_HEILES.index("[ensemble]")] + starts + HENON_HEILES[HENON_HEILES.index("[run]") :]
        _, found = self.run_it(config)
        self.assertGreater(len(found["section/state"]), 100)
        x, y, px, py = found["initial/state"].T
        numpy.testing.assert_allclose((px**2 + py**2 + x**2 + y**2) / 2 + x**2 * y - y**3 / 3, 0.125, rtol=1e-12)

    def test_mistakes(self):
        for old, new, message in (
            ("y^3/3)", "yy^3/3)", 'cannot use system.hamiltonian (unknown name "yy", at character 46, after "...^2 + y^2)/2 + a*(x^2*y -"; nearest known: "y"). Correct it.'),
            ('momenta = ["px", "py"]', "", "cannot use system.momenta (there are 0, and 2 coordinates). Give one for each coordinate."),
            ("parameters = {a = 1.0}", "parameters = 1", "cannot use system.parameters (it is not a table). Write {name = 1.0}."),
            ("parameters = {a = 1.0}", 'parameters = {a = "b"}', "cannot use system.parameters.a (it is not a number). Give a number."),
            ("parameters = {a = 1.0}", "parameters = {a = 1.0}\nb = 2", "unknown key system.b (a system of formulas has no such key"),
            ('domain = "r < 10"', "domain = 3", "cannot use system.domain (it is not a string). Give a string in quotes."),
            ("hamiltonian =", 'name = "henon-heiles"\nhamiltonian =', 'cannot use the system formula (there is a system "henon-heiles" already). Give it another name.'),
            ("hamiltonian =", 'header = "own.hpp"\nhamiltonian =', "cannot use system.hamiltonian (there is a header, too). Give one of them."),
            ('hamiltonian = "(px^2 + py^2)/2 + (x^2 + y^2)/2 + a*(x^2*y - y^3/3)"', 'name = "henon-heiles"',
             "cannot use system.coordinates (it is of a system of formulas, and there is no hamiltonian). Give one, or leave it out."),
            ('angles = ["phi"]', 'angles = ["psi"]', 'cannot use system.angles ("psi" is neither a coordinate nor an observable). Correct it.'),
        ):
            with self.subTest(new):
                done = self.polhode("run", self.write(HENON_HEILES.replace(old, new)))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith("polhode: " + message), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertFalse(os.path.exists(self.path / "out.h5"))


if __name__ == "__main__":
    unittest.main()
