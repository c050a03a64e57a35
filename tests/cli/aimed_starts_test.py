#!/usr/bin/env python3
"""Starts that are aimed: a window of a section, a line across it, and the plane of two columns of systems without a chart.

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest

HENON_HEILES = """
[system]
name = "henon-heiles"
[method]
name = "stoermer-verlet"
step = 0.1
[ensemble]
{starts}
energy = 0.125
[run]
steps = 1
[section]
name = "q1"
direction = "up"
[output]
file = "out.h5"
"""
COLUMNS = 'axes = ["q2", "p2"]\nsolve = "p1"\nbase = [0, 0, 0.3, 0]\n'

# Its section has four dimensions: two columns are given, two more by the base. With both rods in the plane y = 0, their
# azimuths differ by 0.
PENDULUM = """
[system]
name = "double-spherical-pendulum"
m = [1.0, 1.5]
l = [1.0, 1.5]
g = 9.81
[method]
name = "rattle"
step = 0.001
[ensemble]
from = "section"
axes = ["q1z", "q2z"]
window = [[-0.9, -0.5], [-1.3, -0.9]]
grid = [4, 5]
solve = "p2y"
base = [0.6, 0, -0.8, 0.9, 0, -1.2, 0, 0.1, 0, 0, 1.0, 0]
energy = -20.0
[run]
steps = 1
[section]
name = "azimuth_difference"
direction = "up"
[output]
file = "out.h5"
"""


# Butane, bent and twisted, about as its example state; momenta 0.
BUTANE = [0, 0, 0, 0.154, 0, 0, 0.2166, 0.1407, 0, 0.3266, 0.1707, 0.1036] + 12 * [0.0]


class Starts(CliTest):
    def starts(self, config, *options):
        """The report, the states and the drifting quantities at the start of a run."""
        done = self.polhode("run", self.write(config), "--force", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with h5py.File(self.path / "out.h5") as file:
            names = [name.decode() for name in file["invariants/names"][:]]
            return done.stdout, file["initial/state"][:], dict(zip(names, file["invariants/initial"][:].T))

    def refusal(self, config, *options):
        done = self.polhode("run", self.write(config), "--force", *options)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse((self.path / "out.h5").exists())
        return done.stderr.removeprefix("polhode: ").rstrip("\n")


class Window(Starts):
    def test_all_of_the_section_is_the_default(self):
        """For the top of the test |m13| < sqrt(2 I2) and |m12| < sqrt(2 I3); a window of them has the same bits."""
        half = [numpy.sqrt(2 * 1 * inertia) for inertia in (0.44 + 1.0, 0.44 + 0.5)]
        _, all_of_it, _ = self.starts(CONFIG)
        _, window, _ = self.starts(CONFIG, "--set", f"ensemble.window=[[{-float(half[0])!r}, {float(half[0])!r}], [{-float(half[1])!r}, {float(half[1])!r}]]")
        self.assertGreater(len(all_of_it), 20)
        numpy.testing.assert_array_equal(window, all_of_it)

    def test_a_part_of_it(self):
        report, state, invariants = self.starts(CONFIG, "--set", "ensemble.window=[[0.2, 0.3], [-0.1, 0.1]]", "--set", "ensemble.grid=[2, 4]")
        self.assertIn("8 of 8 grid points have a start on branch pi1+, 0 have none\n", report)
        # m13 = Pi2, m12 = -Pi3: centres of cells, to a rounding or two.
        expected = [[u, v] for u in (0.225, 0.275) for v in (-0.075, -0.025, 0.025, 0.075)]
        numpy.testing.assert_allclose(state[:, [1, 2]] * [1, -1], expected, rtol=1e-15, atol=2e-17)
        self.assertLess(abs(invariants["energy"] - 1).max(), 4e-15)

    def test_partly_and_wholly_outside(self):
        report, state, _ = self.starts(CONFIG, "--set", "ensemble.window=[[1.0, 3.0], [-0.1, 0.1]]", "--set", "ensemble.grid=[20, 1]")
        # Pi2^2 < 2 I2 = 2.88 at Pi3 = 0: the cells below 1.697, of width 0.1.
        self.assertIn("7 of 20 grid points have a start on branch pi1+, 13 have none\n", report)
        self.assertEqual(len(state), 7)
        self.assertEqual(
            self.refusal(CONFIG, "--set", "ensemble.window=[[2, 3], [2, 3]]"),
            "no start on the section (no point of the 6 x 6 grid in ensemble.window has energy 1 and momentum 0 on branch pi1+; "
            "the section lies in [[-1.69706, 1.69706], [-1.37113, 1.37113]]). Change ensemble.window, energy, momentum or branch.")

    def refusal(self, config, *options):
        (self.path / "out.h5").unlink(missing_ok=True)
        return super().refusal(config, *options)

    def test_what_is_no_window(self):
        advice = "Give [low, high] of each coordinate, the lower one first."
        for window, why in (("[[1, 0], [0, 1]]", "it has [1, 0]"), ("[[0, 1], [1, 1]]", "it has [1, 1]")):
            self.assertEqual(self.refusal(CONFIG, "--set", f"ensemble.window={window}"), f"cannot use ensemble.window ({why}). {advice}")
        self.assertEqual(self.refusal(CONFIG, "--set", "ensemble.window=[[0, nan], [0, 1]]"),
                         "cannot use ensemble.window (it is not finite in row 0, column 1, counted from 0). Give a finite number.")
        self.assertEqual(self.refusal(CONFIG, "--set", "ensemble.window=[[0, 1]]"), "cannot use ensemble.window (it has 1 pairs). Give 2.")

    def test_a_grid_above_memory(self):
        message = self.refusal(CONFIG, "--set", "ensemble.grid=[60000, 60000]", "--set", "ensemble.window=[[0, 0.1], [0, 0.1]]")
        self.assertRegex(message, r"^the ensemble does not fit into memory \(\d+ trajectories or more need \d+ GB of \d+\)\. Use fewer\.$")

    def test_a_chart_of_another_section_is_reported(self):
        report, _, _ = self.starts(CONFIG, "--set", "section.name=pi2")
        other = "\n  the starts lie on gamma3 = 0, up, not on the section of the run\n"
        self.assertIn(other, report)
        self.assertIn(other, self.starts(CONFIG, "--set", "section.direction=down")[0])
        for direction in ("up", "both"):
            self.assertNotIn("not on the section of the run", self.starts(CONFIG, "--set", f"section.direction={direction}")[0])
        lower = self.starts(HENON_HEILES.format(starts='from = "section"\ngrid = [9, 8]\nbranch = "p1-"\n'))[0]
        self.assertIn("\n  the starts lie on q1 = 0, down, not on the section of the run\n", lower)


class Line(Starts):
    LINE = CONFIG.replace('from = "section"\ngrid = [6, 6]', 'from = "line"\nends = [[-0.5, 0.1], [0.5, 0.3]]\ncount = 5')

    def test_ends_and_what_is_between(self):
        report, state, invariants = self.starts(self.LINE)
        self.assertIn("5 of 5 points of the line have a start on branch pi1+, 0 have none\n", report)
        numpy.testing.assert_allclose(state[:, 1], [-0.5, -0.25, 0, 0.25, 0.5], rtol=1e-15, atol=1e-17)
        numpy.testing.assert_allclose(-state[:, 2], [0.1, 0.15, 0.2, 0.25, 0.3], rtol=1e-15)
        self.assertLess(abs(invariants["energy"] - 1).max(), 4e-15)

    def test_one_point_lies_in_the_middle(self):
        for ends in ("[[-0.5, 0.1], [0.5, 0.3]]", "[[0, 0.2], [0, 0.2]]"):
            _, state, _ = self.starts(self.LINE, "--set", f"ensemble.ends={ends}", "--set", "ensemble.count=1")
            numpy.testing.assert_allclose(state[:, [1, 2]], [[0, -0.2]], rtol=1e-15, atol=1e-17)

    def test_what_is_no_line(self):
        for options, message in (
            (["ensemble.ends=[[0, 0.2], [0, 0.2]]"], "cannot use ensemble.ends (both are the same point). Give two points, or count = 1."),
            (["ensemble.ends=[[0, 0.2]]"], "cannot use ensemble.ends (they are not two points of the plane). Give [[u, v], [u, v]]."),
            (["ensemble.count=0"], "cannot use ensemble.count = 0 (it must be between 1 and 2^32). Give at least 1."),
            (["ensemble.ends=[[5, 5], [6, 6]]"],
             "no start on the section (no point of the 5 on the line has energy 1 and momentum 0 on branch pi1+; the section lies in "
             "[[-1.69706, 1.69706], [-1.37113, 1.37113]]). Change ensemble.ends, energy, momentum or branch."),
        ):
            self.assertEqual(self.refusal(self.LINE, *(word for option in options for word in ("--set", option))), message)


class Columns(Starts):
    GRID = 'from = "section"\ngrid = [9, 8]\nwindow = [[-0.5, 0.9], [-0.6, 0.6]]\n'

    def test_henon_heiles_as_its_chart_has_it(self):
        """Two ways to the same states: in closed form, and by Newton's method."""
        chart, state, _ = self.starts(HENON_HEILES.format(starts=self.GRID))
        columns, solved, invariants = self.starts(HENON_HEILES.format(starts=self.GRID + COLUMNS))
        self.assertGreater(len(state), 30)
        self.assertIn(f"{len(state)} of 72 grid points have a start on branch p1+, ", chart)
        self.assertIn(f"{len(state)} of 72 grid points have a start on branch +, {72 - len(state)} have none\n", columns)
        numpy.testing.assert_array_equal(solved[:, [1, 3]], state[:, [1, 3]])
        # An error of 4 units in the last place of the energy, divided by p1 > 0.03.
        numpy.testing.assert_allclose(solved, state, rtol=0, atol=2e-14)
        self.assertLess(abs(invariants["energy"] - 0.125).max(), 1e-15)

    def test_the_other_root_crosses_the_other_way(self):
        lower = self.GRID + COLUMNS + 'branch = "-"\n'
        message = self.refusal(HENON_HEILES.format(starts=lower))
        self.assertRegex(message, r"^no start on the section \(no point of the 9 x 8 grid in ensemble.window has energy 0.125 on branch -; \d+ do not cross it in its direction\)")
        config = HENON_HEILES.format(starts=lower).replace('"up"', '"both"')
        report, state, _ = self.starts(config)
        self.assertRegex(report, rf"{len(state)} of 72 grid points have a start on branch -, \d+ have none; {len(state)} have a state on \+\n")
        self.assertTrue((state[:, 2] < 0).all())

    def test_steps_back_in_time_cross_in_their_own_order(self):
        """The first step goes to the side of the section that its direction names, whatever the step's sign."""
        for step, branch, other in (("0.01", "+", "-"), ("-0.01", "-", "+")):
            config = HENON_HEILES.replace("step = 0.1", f"step = {step}")
            on_branch = lambda name: config.format(starts=f'{self.GRID}{COLUMNS}branch = "{name}"\n')
            (self.path / "out.h5").unlink(missing_ok=True)
            self.assertIn("do not cross it in its direction", self.refusal(on_branch(other)))
            _, state, _ = self.starts(on_branch(branch))
            self.assertGreater(len(state), 30)
            with h5py.File(self.path / "out.h5") as file:
                self.assertTrue((file["final/state"][:, 0] > 0).all())
            self.assertTrue((state[:, 2] * float(step) > 0).all())

    def test_a_pendulum_with_two_rods(self):
        report, state, invariants = self.starts(PENDULUM)
        self.assertIn("20 of 20 grid points have a start on branch +, 0 have none\n", report)
        heights = [[a, b] for a in (-0.85, -0.75, -0.65, -0.55) for b in (-1.26, -1.18, -1.1, -1.02, -0.94)]
        numpy.testing.assert_allclose(state[:, [2, 5]], heights, rtol=1e-15)
        q1, q2, p1, p2 = (state[:, 3 * i : 3 * i + 3] for i in range(4))
        # Lengths, tangency of the velocities, energy and section from their own formulas; 1e-13: some roundings of
        # terms of about 10.
        numpy.testing.assert_allclose((q1**2).sum(1), 1, rtol=1e-13)
        numpy.testing.assert_allclose((q2**2).sum(1), 1.5**2, rtol=1e-13)
        v1 = (p1 - p2) / 1.0  # momenta of joint-relative vectors: p2 = m2 (v1 + v2), p1 = m1 v1 + p2
        v2 = p2 / 1.5 - v1
        numpy.testing.assert_allclose([(q1 * v1).sum(1), (q2 * v2).sum(1)], 0, atol=1e-13)
        energy = 0.5 * (v1**2).sum(1) + 0.75 * ((v1 + v2) ** 2).sum(1) + 9.81 * (q1[:, 2] + 1.5 * (q1[:, 2] + q2[:, 2]))
        numpy.testing.assert_allclose(energy, -20, rtol=1e-13)
        azimuths = [numpy.arctan2(q[:, 1], q[:, 0]) for q in (q1, q2)]
        numpy.testing.assert_allclose(azimuths[0], azimuths[1], atol=1e-13)

    def test_both_directions(self):
        """Each state crosses upwards or downwards: the difference of the azimuths grows where v2 overtakes v1."""
        counts = {}
        for direction in ("up", "down", "both"):
            for branch in ("+", "-"):
                config = PENDULUM.replace('"up"', f'"{direction}"').replace("[ensemble]", f'[ensemble]\nbranch = "{branch}"')
                done = self.polhode("run", self.write(config), "--force")
                if done.returncode != 0:
                    self.assertIn("20 do not cross it in its direction", done.stderr)
                    counts[direction, branch] = 0
                    continue
                with h5py.File(self.path / "out.h5") as file:
                    state = file["initial/state"][:]
                q1, q2, p1, p2 = (state[:, 3 * i : 3 * i + 3] for i in range(4))
                v1 = p1 - p2
                v2 = p2 / 1.5 - v1
                turning = lambda q, v: (q[:, 0] * v[:, 1] - q[:, 1] * v[:, 0]) / (q[:, 0] ** 2 + q[:, 1] ** 2)
                growing = turning(q2, v2) > turning(q1, v1)
                self.assertTrue((growing == (direction == "up")).all() or direction == "both")
                counts[direction, branch] = len(state)
        for branch in ("+", "-"):
            self.assertEqual(counts["up", branch] + counts["down", branch], counts["both", branch])
            self.assertEqual(counts["both", branch], 20)
        self.assertEqual(counts["up", "+"], 20)
        self.assertEqual(counts["up", "-"], 0)

    def test_without_a_root(self):
        """With p1y = 0.1 as in the base, the kinetic energy is (0.1 - s)^2 / 2 + s^2 / 3, 0.002 at least."""
        report, state, _ = self.starts(PENDULUM.replace("energy = -20.0", "energy = -34.0"))
        potential = numpy.array([9.81 * (2.5 * a + 1.5 * b) for a in (-0.85, -0.75, -0.65, -0.55) for b in (-1.26, -1.18, -1.1, -1.02, -0.94)])
        possible = potential <= -34 - 0.002
        self.assertTrue(0 < possible.sum() < 20)
        self.assertEqual(len(state), possible.sum())
        numpy.testing.assert_allclose(9.81 * (2.5 * state[:, 2] + 1.5 * state[:, 5]), potential[possible], rtol=1e-14)
        self.assertIn(f"{len(state)} of 20 grid points have a start on branch +, {20 - len(state)} have none", report)

    def test_bases_off_the_section(self):
        """Rods at right angles, of which the second turns to the first's azimuth; both roots at every point."""
        turned = PENDULUM.replace("0.9, 0, -1.2,", "0, 0.9, -1.2,").replace("[[-0.9, -0.5], [-1.3, -0.9]]", "[[-0.9, 0.5], [-1.4, 0.9]]")
        turned = turned.replace("grid = [4, 5]", "grid = [20, 20]").replace('"up"', '"both"').replace("energy = -20.0", "energy = -10.0")
        sizes = {}
        for branch in ("+", "-"):
            report, state, invariants = self.starts(turned.replace("[ensemble]", f'[ensemble]\nbranch = "{branch}"'))
            self.assertLess(abs(invariants["energy"] + 10).max(), 2e-13)  # terms of about 30, and some roundings
            azimuths = numpy.arctan2(state[:, 1], state[:, 0]), numpy.arctan2(state[:, 4], state[:, 3])
            numpy.testing.assert_allclose(azimuths[0], azimuths[1], atol=1e-12)
            self.assertLess(invariants["constraint"].max(), 1e-13)
            sizes[branch] = len(state)
        self.assertGreater(sizes["+"], 100)
        self.assertEqual(sizes["+"], sizes["-"])

    def test_other_units(self):
        """Masses and lengths of any size: what scales alike has as many starts."""
        template = PENDULUM.replace("double-spherical-pendulum", "spherical-pendulum").replace('"q1z", "q2z"', '"q1z", "p1z"')
        for m, l in ((1, 1), (1e-6, 1), (1e6, 1), (1, 1e-3), (1, 1e3), (1e-12, 1e4)):
            momentum = m * l**0.5
            config = template.replace("m = [1.0, 1.5]", f"m = {m}").replace("l = [1.0, 1.5]", f"l = {l}").replace('"p2y"', '"p1y"')
            config = config.replace("[[-0.9, -0.5], [-1.3, -0.9]]", f"[[{-0.9 * l}, {-0.5 * l}], [{-momentum}, {momentum}]]")
            config = config.replace("base = [0.6, 0, -0.8, 0.9, 0, -1.2, 0, 0.1, 0, 0, 1.0, 0]", f"base = [{0.6 * l}, 0, {-0.8 * l}, 0, {momentum}, 0]")
            config = config.replace("energy = -20.0", f"energy = {-2.0 * m * l}")
            config = config.replace("step = 0.001", f"step = {0.001 * l**0.5}")
            for section in ("azimuth", "q1y"):
                with self.subTest(m=m, l=l, section=section):
                    report, state, invariants = self.starts(config.replace("azimuth_difference", section))
                    self.assertIn("20 of 20 grid points have a start on branch +, 0 have none\n", report)
                    self.assertLess(abs(invariants["energy"] / (m * l) + 2).max(), 1e-13)

    def test_a_molecule(self):
        """Butane, its energy from its own formula; the section is an observable of the positions."""
        base = "base = [" + ", ".join(map(str, BUTANE)) + "]"
        config = f"""
[system]
name = "molecule-chain-4"
[method]
name = "rattle"
step = 0.0001
[ensemble]
from = "section"
axes = ["p1x", "p1y"]
window = [[-5, 5], [-5, 5]]
grid = [5, 5]
solve = "p4z"
{base}
energy = 400
[run]
steps = 1
[section]
name = "cos_dihedral"
value = -0.5
direction = "both"
[output]
file = "out.h5"
"""
        counts = []
        for branch in ("+", "-"):
            report, state, invariants = self.starts(config.replace("[ensemble]", f'[ensemble]\nbranch = "{branch}"'))
            counts.append(len(state))
            self.assertLess(abs(invariants["energy"] - 400).max(), 1e-10)
            bonds = numpy.diff(state[:, :12].reshape(-1, 4, 3), axis=1)
            numpy.testing.assert_allclose(numpy.linalg.norm(bonds, axis=2), 0.154, rtol=1e-12)
            normals = numpy.cross(bonds[:, :-1], bonds[:, 1:])
            normals /= numpy.linalg.norm(normals, axis=2)[..., None]
            numpy.testing.assert_allclose(abs((normals[:, 0] * normals[:, 1]).sum(1)), 0.5, atol=1e-12)
        self.assertEqual(counts, [25, 25])

    def test_momenta_of_the_tangent_space(self):
        tangent = PENDULUM.replace('"rattle"', '"rattle-tn"')
        self.assertIn("20 of 20 grid points have a start", self.starts(tangent)[0])
        (self.path / "out.h5").unlink()
        self.assertEqual(self.refusal(tangent.replace('"q1z", "q2z"', '"q1z", "p1z"')),
                         "cannot use ensemble.axes (momenta of rattle-tn are projected to the tangent space afterwards). Use positions for axes and section, or rattle.")

    def test_what_determines_no_start(self):
        good = self.GRID + COLUMNS

        def refusal(*changes, config=HENON_HEILES):
            text = good
            for old, new in changes:
                self.assertIn(old, text)
                text = text.replace(old, new)
            return self.refusal(config.format(starts=text))

        self.assertEqual(refusal(('["q2", "p2"]', '["q1", "p2"]')),
                         "cannot use ensemble.axes (q1 is the section, on which it does not change). Choose other columns.")
        self.assertEqual(refusal(('["q2", "p2"]', '["q2", "q2"]')), "cannot use ensemble.axes (both are the same column). Give two.")
        self.assertEqual(refusal(('["q2", "p2"]', '["q2"]')), "cannot use ensemble.axes (it has 1 names). Give 2.")
        self.assertEqual(refusal(('["q2", "p2"]', '["q2", "energy"]')),
                         'cannot use ensemble.axes ("energy" is not a column of the state; known: q1, q2, p1, p2). See polhode list systems henon-heiles.')
        self.assertEqual(refusal(('solve = "p1"\n', "")), "ensemble.solve is missing (with axes: the momentum column that the energy decides). Give it in [ensemble].")
        self.assertEqual(refusal(('"p1"', '"q1"')), 'cannot use ensemble.solve ("q1" is not a momentum column; nearest known: "p1"). See polhode list systems henon-heiles.')
        self.assertEqual(refusal(('"p1"', '"p2"')), "cannot use ensemble.solve (p2 is one of the axes). Choose another momentum.")
        self.assertEqual(refusal(("[0, 0, 0.3, 0]", "[0, 0, 0.3]")), "cannot use ensemble.base (it has 3 numbers). Give 4.")
        self.assertEqual(refusal(("window = [[-0.5, 0.9], [-0.6, 0.6]]\n", "")),
                         "ensemble.window is missing ([low, high] of both columns of ensemble.axes). Give it in [ensemble].")
        self.assertEqual(refusal(('axes = ["q2", "p2"]\n', "")), "cannot use ensemble.solve (it goes with ensemble.axes). Give both, or neither.")
        self.assertEqual(refusal(config=HENON_HEILES.replace('[section]\nname = "q1"\ndirection = "up"\n', "")),
                         "cannot use ensemble.axes (the starts are to lie on a section, and there is no [section]). Add it.")
        # The energy is a function of q2 and p2 alone where p1 is the section.
        self.assertEqual(refusal(config=HENON_HEILES.replace('name = "q1"', 'name = "p1"')),
                         "cannot use ensemble.axes (with q2 and p2 given, the section and the constraints are not independent near the base). Choose other columns, or another base.")

    def test_a_top_has_no_such_plane(self):
        self.assertEqual(self.refusal(CONFIG.replace("grid = [6, 6]", 'grid = [6, 6]\naxes = ["pi1", "pi2"]')),
                         "cannot use ensemble.axes (two columns do not determine a state of heavy-top). Leave them out.")


class Remarks(Starts):
    def test_the_start_that_was_moved_most(self):
        config = PENDULUM[: PENDULUM.index("[ensemble]")] + """
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0.9, 0, -1.2, 0, 0, 0, 0, 0, 0], [0.6001, 0, -0.8, 0.9, 0, -1.2, 0, 0, 0, 0, 0, 0]]
[run]
steps = 1
[output]
file = "out.h5"
"""
        self.assertRegex(self.starts(config)[0], r"\n  starts were moved to the constraints: positions by up to \S+ \(trajectory 1\) of their length\n")

    def test_momenta_that_are_tangent_to_their_own_rods(self):
        config = PENDULUM[: PENDULUM.index("[ensemble]")] + """
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0, 0.9, -1.2, 0.8, 0, 0.6, 0, 0.8, 0.6]]
[run]
steps = 1
[output]
file = "out.h5"
"""
        question = "were they meant as velocities"
        self.assertIn(question, self.starts(config)[0])
        self.assertNotIn(question, self.starts(config.replace("states = ", 'variables = "velocity"\nstates = '))[0])

    def test_a_body_that_cannot_be(self):
        doubt = "no rigid body has these principal moments: one is larger than the sum of the others"
        for inertia, odd in (("[3.0, 1.4, 0.9]", True), ("[2.31, 1.4, 0.9]", False), ("[1.5, 1.44, 0.94]", False)):
            report = self.starts(CONFIG.replace("alpha = [0.44, 0.5, 1.0]", f"inertia = {inertia}"))[0]
            self.assertEqual(doubt in report, odd, inertia)


if __name__ == "__main__":
    unittest.main()
