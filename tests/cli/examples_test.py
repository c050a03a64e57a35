#!/usr/bin/env python3
"""Every example runs, draws its picture and shows what it promises.

Run with POLHODE set to the program's path, MINIMAL to that of examples/minimal.cpp."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

import henon_heiles
import henon_heiles_map
import section_features
from pictures import CHROMA, Picture, groups_of, logarithm, of_band, of_cells, of_components, of_curves, of_points

PROGRAM = os.environ["POLHODE"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path[:0] = [str(EXAMPLES.parent / "python"), str(EXAMPLES)]

import henon_heiles_energies  # noqa: E402, how it tells regular orbits
import relative_periodic  # noqa: E402, what it reads
from polhode import polhode_plot, section3d_plot  # noqa: E402, where their viewers stand


def run(*arguments, cwd):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, text=True, capture_output=True)


def cells(points, size):
    """How many square cells of a size the points occupy."""
    return len(numpy.unique(numpy.floor(points / size).astype(int), axis=0))


def dimension(points):
    """Box-counting dimension at the scale of the picture: 1 for a curve, 2 for a chaotic band."""
    extent = numpy.ptp(points, axis=0).max()
    return numpy.log2(cells(points, extent / 40) / cells(points, extent / 20))


class Result(h5py.File):
    """Knows whether a test has looked at what is in it."""

    looked_at = False

    def __getitem__(self, name):
        self.looked_at = True
        return super().__getitem__(name)


class Examples(unittest.TestCase):
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

    def example(self, name, *arguments, output=None):
        """Runs an example; its result, open."""
        output = self.path / (output or f"{name}.h5")
        done = run("run", EXAMPLES / f"{name}.toml", "-o", output, "--quiet", *arguments, cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
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

    def orbits(self, file):
        """The section points (m13, m12) with Pi1 > 0 of each trajectory that has many."""
        state, trajectory = file["section/state"][:], file["section/trajectory"][:]
        for k in range(trajectory[-1] + 1):
            mine = state[trajectory == k]
            mine = mine[mine[:, 0] > 0]
            if len(mine) >= 1000:
                yield mine[:, 1:3] * [1, -1]

    def test_a_density_in_equilibrium_does_not_change(self):
        def coarse(file):
            return file["section/density"][:].reshape(8, 50, 8, 50).sum(axis=(1, 3)).astype(float)

        file = self.example("heavy_top_density")
        self.assertEqual(file["section/density"].attrs["outside"], 0)
        self.assertGreater(coarse(file).sum(), 1e6)
        (panel,) = self.draw("heavy_top_density.png", "heavy_top_density.h5").panels()
        self.expect_drawn(panel, of_cells(file["section/density"][:], panel.shape))
        early = coarse(self.example("heavy_top_density", "--set", "run.steps=25000", output="half.h5"))
        late = coarse(file) - early
        # 4000 orbits, of which a cell of the 64 sees a part: its share of a hundredth or so is known to a few percent.
        shares = early / early.sum(), late / late.sum()
        self.assertLess(abs(shares[0] - shares[1]).max(), 1e-3)
        self.assertGreater(shares[0].max(), 0.02)

    def test_a_cloud_spreads_to_a_distribution_that_stays(self):
        file = self.example("heavy_top_mixing")
        panels = self.draw("heavy_top_mixing.png", "heavy_top_mixing.h5").panels()
        self.assertEqual(len(panels), 2)
        for panel, observable in zip(panels, (0, 1)):
            self.expect_drawn(panel, of_cells(file["statistics/histogram"][:, observable], panel.shape))
        deviation = numpy.sqrt(file["statistics/variance"][:])
        self.assertLess(deviation[0].max(), 0.002)
        self.assertGreater(deviation[-1].min(), 0.5)
        # Later it stays as it is: means over 150 units of time, of values of deviation 0.7 and 0.9 that are independent
        # after some 50, so that 60000 count; five of their standard deviations.
        file = self.example("heavy_top_mixing", "--set", "run.steps=12000", output="long.h5")
        mean = file["statistics/mean"][:]
        early, late = mean[600:900].mean(axis=0), mean[900:1200].mean(axis=0)
        self.assertLess(abs(late - early).max(), 5 * 0.9 * (2 / 60000) ** 0.5)
        self.assertGreater(early[0], 0.3)  # tops of the chaotic band linger upright, which those in equilibrium do not
        options = ('distribution = "microcanonical"', "energy = 1.0", "momentum = 0.0")
        text = "\n".join(line for line in (EXAMPLES / "heavy_top_mixing.toml").read_text().splitlines() if line.split(" =")[0] not in ("state", "width", "distribution"))
        (self.path / "equilibrium.toml").write_text(text.replace('from = "random"', 'from = "random"\n' + "\n".join(options)))
        done = run("run", "equilibrium.toml", "-o", "equilibrium.h5", cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "equilibrium.h5") as equilibrium:
            mean, spread = equilibrium["statistics/mean"][:], numpy.sqrt(equilibrium["statistics/variance"][:])
        # In equilibrium nothing ever changes; by symmetry both means are 0.
        self.assertLess((abs(mean) / (spread / 20000**0.5)).max(), 5)

    def test_hanging_tops_rise_as_often_as_they_can(self):
        file, picture = self.example("heavy_top_rising"), self.path / "rising.png"
        done = subprocess.run([sys.executable, self.program("heavy_top_rising.py"), picture], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.drawn.add(self.path / "heavy_top_rising.h5")  # at this energy, among others
        tops = {"lagrange": [], "asymmetric": []}
        for line in done.stdout.splitlines()[1:]:
            energy, name, *numbers = line.split()
            tops[name].append([float(energy), *(float("nan" if number == "-" else number) for number in numbers)])
        lagrange, asymmetric = map(numpy.array, tops.values())
        numpy.testing.assert_array_equal(lagrange[:, 0], asymmetric[:, 0])
        below = lagrange[:, 0] < 0
        upper, lower = Picture(picture).panels()
        curves = [(lagrange[:, 0], values) for values in (*asymmetric[:, 2:5].T, lagrange[:, 8])]
        self.expect_drawn(upper, of_curves(curves, upper.shape))
        # A line at 0, and bars of two standard errors on an axis of nine, with marks up to six pixels wide.
        lines = lower.shape[1] + numpy.count_nonzero(~below) * lower.shape[0] * 2 / 9
        self.expect_drawn(lower, (lines, 6 * lines))
        # The example is one of these ensembles, from other random numbers.
        hanging = file["initial/state"][:, 5] < 0
        share = (file["status/code"][:][hanging] == 4).mean()
        (same,) = asymmetric[asymmetric[:, 0] == 0.2]
        self.assertLess(abs(share - same[4]), 4 * 2**0.5 * same[7])
        for table in (lagrange, asymmetric):
            self.assertTrue((table[below, 2:5] == 0).all())
            self.assertTrue((table[~below, 2] > 0).all())
            numpy.testing.assert_allclose(table[:, 5:8], numpy.sqrt(table[:, 2:5] * (1 - table[:, 2:5]) / table[:, 1:2]), atol=1e-5)
        # Independent ensembles: their squared deviations from the exact part follow chi^2 with as many degrees of freedom,
        # of mean n and variance 2 n. What a step of 0.04 misses of a rise is 3e-4, a thirtieth of a standard error.
        deviation = lagrange[~below, 9]
        self.assertLess(abs(deviation).max(), 4)
        n = len(deviation)
        self.assertLess(abs((deviation**2).sum() - n), 4 * (2 * n) ** 0.5)
        # Nothing changes after the first nod, but for tops that only just rise; asymmetric ones go on rising, as far as
        # energy and momentum allow.
        self.assertLess(abs(lagrange[:, 4] - lagrange[:, 2]).max(), 1e-3)
        few = ~below & (lagrange[:, 0] < 1)
        self.assertTrue((asymmetric[few, 4] - asymmetric[few, 2] > 8 * asymmetric[few, 5]).all())
        self.assertTrue((asymmetric[:, 4] <= asymmetric[:, 8] + 4 * asymmetric[:, 7]).all())

    def test_integrable_tops_draw_curves_and_the_figure_a_band(self):
        for name in ("kowalevski_section", "goryachev_chaplygin"):
            file = self.example(name, "--set", "run.steps=1500000", "--set", "ensemble.grid=[3, 8]", output=f"{name}_long.h5")
            dimensions = [dimension(points) for points in self.orbits(file)]
            self.assertGreater(len(dimensions), 5)
            # A curve counts twice the cells at half their size; folds and the grid's chance leave some room. Orbits close
            # to a periodic one fill less than a curve.
            self.assertLess(max(dimensions), 1.25, name)
            self.assertGreater(numpy.median(dimensions), 0.75, name)
            file = self.example(name)
            self.expect_section(self.draw(f"{name}.png", f"{name}.h5"), file, equal=True)
        file = self.example("heavy_top_section", "--set", "run.steps=1500000", "--set", "ensemble.grid=[3, 8]")
        dimensions = [dimension(points) for points in self.orbits(file)]
        self.assertGreater(max(dimensions), 1.5)  # the same measure sees chaos where there is some
        self.assertLess(min(dimensions), 1.25)
        self.expect_section(self.draw("heavy_top.png", "heavy_top_section.h5"), file, equal=True)
        scene = self.draw("heavy_top_3d.png", "heavy_top_section.h5", "--view", "section3d").scene(legend=0)
        position = file["section/state"][:, :3] * [-1, 1, -1]
        camera = section3d_plot.NEGATIVE_SIDE
        near = camera.depth(position / file["parameters/inertia"][:]) > 0
        self.expect_drawn(scene, of_points(*camera.project(position[near]).T, scene.shape, margin=0))

    def test_magnetic_pendulum_draws_curves(self):
        # Two integrals, the energy and the momentum about the vertical, leave a closed curve of a section, on which a height
        # has one |p1z|.
        file = self.example("magnetic_pendulum")
        state, trajectory = file["section/state"][:], file["section/trajectory"][:]
        drift = file["invariants/max_drift"][:]
        names = list(file["invariants/names"].asstr())
        # 1e-17 in each of 200000 steps, mostly of one sign.
        self.assertLess(drift[:, names.index("angular_momentum_z")].max(), 5e-12)
        self.assertLess(drift[:, names.index("constraint")].max(), 2e-15)
        self.assertLess(drift[:, names.index("energy")].max(), 2e-3)
        for k in range(trajectory[-1] + 1):
            points = state[trajectory == k][:, [2, 5]]
            self.assertGreater(len(points), 100)
            order = numpy.argsort(points[:, 0])
            height, momentum = points[order, 0], abs(points[order, 1])
            # Up to the energy's oscillation, of 1e-4, and the slope, steep at both ends.
            near = numpy.diff(height) < 1e-4
            self.assertGreater(near.sum(), 100)
            self.assertLess(numpy.quantile(abs(numpy.diff(momentum))[near], 0.9), 0.01, k)
        self.expect_section(self.draw("magnetic.png", "magnetic_pendulum.h5", "--axes", "q1z,p1z"), file, ("q1z", "p1z"))

    def test_henon_heiles_has_its_islands_in_a_chaotic_sea(self):
        file = self.example("henon_heiles_section")
        section, trajectory, starts = file["section/state"][:], file["section/trajectory"][:], file["initial/state"][:]
        self.assertGreater(len(starts), 1000)
        self.assertTrue((file["status/code"][:] == 0).all())
        self.assertLess(file["invariants/max_drift"][:].max(), 1e-7)
        fills = henon_heiles.occupied(section, trajectory, len(starts)) > 120  # 265 points or more, of a curve or of the sea
        is_chaotic = henon_heiles.growth(starts) > 14
        self.assertGreater((fills == is_chaotic).mean(), 0.9)  # at the shores 265 points do not tell
        share, islands = henon_heiles.sea(section, fills[trajectory], 0.125)
        other_share, others = henon_heiles.sea(section, is_chaotic[trajectory], 0.125)
        self.assertLess(abs(share - other_share), 0.03)
        self.assertTrue(0.65 < share < 0.75, share)  # 0.71 and 0.69
        # Those of four periodic orbits about which Henon and Heiles drew islands, and of three of longer periods.
        expected = [(0.29, 0), (-0.28, 0), (0, 0.24), (0, -0.24), (0.35, 0.15), (0.35, -0.15), (0.04, 0.08), (0.04, -0.08), (-0.29, 0), (0.56, 0)]
        for found in (islands, others):
            self.assertLessEqual(abs(len(found) - len(expected)), 2, found)  # smaller ones come to the limit
            for place in expected:
                self.assertLess(numpy.linalg.norm(found - place, axis=1).min(), 0.02, place)
        self.expect_section(self.draw("henon_heiles.png", "henon_heiles_section.h5"), file)

    def test_pierces_figures_and_table(self):
        # Figures of an independent implementation: mean and largest H - H(0), its mean over the last tenth, and the mean and
        # largest distance of (q, p) from rk4 with a quarter of the step, over t <= 200; digits as printed.
        rk4 = ("--set", "method.name=rk4", "--set", "method.step=0.025", "--set", "record.snapshots=4", "--set", "run.steps=8000")
        exact = self.example("henon_heiles_pierce", *rk4, output="exact_rk4.h5")
        errors, energies = [], []
        for method, table in (("symplectic-euler", (-5.735e-4, 7.673e-3, -8.194e-4, 5.176e-2, 1.469e-1)),
                              ("heun", (3.661e-3, 7.452e-3, 6.985e-3, 5.579e-2, 1.534e-1)),
                              ("explicit-midpoint", (3.573e-3, 7.324e-3, 6.896e-3, 6.590e-2, 2.123e-1)),
                              ("rk4", (-3.168e-6, 6.362e-6, -5.944e-6, 5.672e-5, 2.288e-4))):
            for backend in ("reference", "cpu"):
                choice = ("--set", f"method.name={method}", "--backend", backend, "--force")
                file = self.example("henon_heiles_pierce", *choice, output=f"{method}.h5")
                energy = file["snapshots/invariants"][0, 1:, 0] - file["invariants/initial"][0, 0]
                difference = file["snapshots/state"][0] - exact["snapshots/state"][0]
                error = numpy.linalg.norm(difference[1:], axis=1)
                found = energy.mean(), abs(energy).max(), energy[-200:].mean(), error.mean(), error.max()
                for value, wanted in zip(found, table):
                    self.assertAlmostEqual(value / wanted, 1, delta=5e-4)  # half of the fourth digit
                if backend == "reference":
                    file.close()
            time = file["snapshots/time"][:]
            errors.append((time[1:], logarithm(numpy.linalg.norm(difference[1:, :2], axis=1))))
            energies.append((time, numpy.concatenate(([0], energy))))
        # Figure 1: "the error tends to be a little less" for RK2 at tau = 0.05; at 0.1 both are alike.
        # Figure 2: (10) keeps the Hamiltonian better on average.
        panels = self.draw("pierce.png", "symplectic-euler.h5", "heun.h5", "exact_rk4.h5", "--view", "error").panels()
        self.assertEqual(len(panels), 2)
        for panel, curves in zip(panels, (errors[:2], energies[:2])):
            self.expect_drawn(panel, of_curves(curves, panel.shape))

    def henon_heiles(self, energy, *settings):
        """A run of henon_heiles_energies."""
        words = [word for setting in (f"ensemble.energy={energy!r}", *settings) for word in ("--set", setting)]
        return self.example("henon_heiles_energies", *words, "--force", output=f"henon_heiles_{energy:.3f}.h5")

    def test_henon_heiles_has_four_stable_and_three_unstable_points(self):
        for energy, centre_trace in ((1 / 12, 0.64680), (1 / 8, -0.90350)):
            points, traces = henon_heiles_map.fixed_points(energy)
            is_stable = abs(traces) < 2
            self.assertEqual((is_stable.sum(), (~is_stable).sum()), (4, 3))
            # Two stable orbits are straight lines through the origin, at 30 degrees to the axis q1, where all energy is
            # kinetic: p2 = +-(2 E)^1/2 / 2. The differences of the other computation leave 1e-9.
            for p2 in ((energy / 2) ** 0.5, -((energy / 2) ** 0.5)):
                self.assertLess(numpy.linalg.norm(points[is_stable] - (0, p2), axis=1).min(), 1e-8)
            self.assertEqual((abs(traces - centre_trace) < 1e-5).sum(), 2)  # of one loop, run through in both directions

            # Counted from the first returns over the grid, which has cells of 0.01 or less: 0.02 from the places of the
            # other computation at most, where the displacement is almost the same over a few cells.
            file = self.henon_heiles(energy, "run.steps=100")
            count = file["section/count"][:]
            first = file["section/state"][:][numpy.cumsum(count) - count]
            self.assertGreater(len(first), 10_000)
            places, indices = section_features.fixed_points(file["initial/state"][:][:, [1, 3]], first)
            nearest = numpy.linalg.norm(places[:, None] - points, axis=2).argmin(axis=1)
            self.assertEqual(sorted(nearest), list(range(7)))
            numpy.testing.assert_array_equal(indices, numpy.where(is_stable, 1, -1)[nearest])
            self.assertLess(abs(places - points[nearest]).max(), 0.02)

            # The section map linearised, from neighbours at 1e-4: an error of 1e-8 times third derivatives, of up to 1e3.
            def mapped(starts):
                states = henon_heiles_map.states(starts, energy).tolist()
                unused = ("--unset", "ensemble.grid", "--unset", "ensemble.energy")
                near = self.example("henon_heiles_energies", *unused, "--set", "ensemble.from=states", "--set", f"ensemble.states={states}",
                                    "--set", "run.steps=40", output=f"near_{energy:.3f}.h5")
                self.assertTrue((near["section/count"][:] == 1).all())
                return near["section/state"][:]

            slopes = henon_heiles_map.jacobians(mapped, points, 1e-4)
            numpy.testing.assert_allclose(numpy.trace(slopes, axis1=1, axis2=2), traces, atol=1e-5)
            numpy.testing.assert_allclose(numpy.linalg.det(slopes), 1, atol=1e-5)

    def henon_heiles_orbits(self, energy):
        """(orbits, which of them are regular) from a coarse grid, of which a second computation agrees."""
        file = self.henon_heiles(energy, "ensemble.grid=[60, 60]")
        self.assertTrue((file["status/code"][:] == 0).all())  # none escapes, at 1/6 neither
        self.assertLess(file["invariants/max_drift"][:].max(), 2e-11)  # 9e-12
        orbits = henon_heiles_energies.read(file.filename)
        regular = henon_heiles_energies.are_regular(orbits)
        # On a torus a small distance grows by some 10^3 in 1600 units of time: ln is about 7. Of the orbits at the shores
        # of the sea, one or two in a hundred, 16000 steps tell other than 600 returns.
        grows = henon_heiles.growth(orbits.starts[::4], steps=16000) > 8
        self.assertGreater((grows != regular[::4]).mean(), 0.965)  # 0.998, 0.979 and 0.998
        self.assertLess(abs((~grows).mean() - regular.mean()), 0.015)
        return orbits, regular

    def test_henon_heiles_goes_from_order_to_chaos(self):
        # Henon and Heiles, Figure 4: curves about four points fill the section, but for those near its rim, which is the
        # straight orbit on the axis q2, and for small chains of islands.
        orbits, regular = self.henon_heiles_orbits(1 / 12)
        self.assertLess(abs(regular.mean() - 0.988), 0.004)  # 0.9896; 0.9869 on the grid of the example
        points, traces = henon_heiles_map.fixed_points(1 / 12)
        unstable = sorted(points[abs(traces) > 2].tolist(), key=lambda point: point[1])
        numpy.testing.assert_allclose(unstable, [(0.211, -0.278), (-0.120, 0), (0.211, 0.278)], atol=5e-4)  # digits as printed
        around = numpy.array([section_features.surround(orbits.points[regular], point) for point in points[abs(traces) < 2]])
        families = numpy.sort([mine.mean() for mine in around & (around.sum(axis=0) == 1)])
        numpy.testing.assert_allclose(families, [0.075, 0.075, 0.338, 0.377], atol=0.01)
        self.assertLess(abs(around.all(axis=0).mean() - 0.074), 0.01)

        # Figure 5: five islands on the right side, among others. Innermost orbits lie about stable points of period 5.
        orbits, regular = self.henon_heiles_orbits(1 / 8)
        self.assertLess(abs(regular.mean() - 0.42), 0.01)  # 0.419; 0.423 on the grid of the example
        count = section_features.islands(orbits.points, 8)
        fives = orbits.points[regular & (count == 5)]
        is_right, is_left = fives[:, :, 0].min(axis=1) > -0.1, fives[:, :, 0].max(axis=1) < 0.1
        chain = fives[is_right]
        self.assertLess(abs(len(chain) / len(regular) - 0.0365), 0.003)  # 0.0363

        def innermost(orbits):
            turns = orbits[:, : orbits.shape[1] // 5 * 5].reshape(len(orbits), -1, 5, 2)
            return turns[numpy.ptp(turns, axis=1).max(axis=(1, 2)).argmin()].mean(axis=0)

        # Its image on the left has the same trace. Differences leave up to 6e-6 there; places have half a digit.
        for islands, place, distance in ((chain, (0.573, 0), 1e-3), (fives[is_left], (-0.294, 0), 3e-3)):  # 2e-4, 1.6e-3
            inner = innermost(islands)
            periodic, traces = henon_heiles_map.periodic_points(inner, 1 / 8, 5)
            self.assertLess(abs(inner - periodic).max(), distance)
            self.assertLess(numpy.linalg.norm(periodic - place, axis=1).min(), 5e-4)
            numpy.testing.assert_allclose(traces, -1.993746, atol=2e-5)
        # The last one is at the rim, where p1 = 0: 0.91 to 0.95 of the energy without p1.
        q2, p2 = innermost(fives[~is_right & ~is_left]).T
        numpy.testing.assert_allclose((q2**2 - 2 / 3 * q2**3 + p2**2) / (2 / 8), 0.93, atol=0.04)
        # Chains of four about the two straight orbits: 17 orbits each, to some at their shores.
        fours = orbits.points[regular & (count == 4)]
        for p2 in (-0.25, 0.25):
            self.assertAlmostEqual(section_features.surround(fours, (0, p2), widest=numpy.pi).sum(), 17, delta=4)
        # A fifth of a turn about the stable point from one return to the next; its angle is known to half a turn of 700.
        angle = numpy.unwrap(numpy.arctan2(chain[:, :, 1], chain[:, :, 0] - 0.30267), axis=1)
        rotation = (angle[:, -1] - angle[:, 0]) / (2 * numpy.pi * (chain.shape[1] - 1))
        self.assertLess(abs(rotation - 1 / 5).max(), 5e-4)

        # Figure 6: two points have become unstable, and what is left are islands about the orbits of twice their periods.
        orbits, regular = self.henon_heiles_orbits(1 / 6)
        self.assertLess(abs(regular.mean() - 0.032), 0.004)  # 0.0310; 0.0329 on the grid of the example
        count = section_features.islands(orbits.points, 8)
        self.assertTrue((count[regular] == 2).all())
        right = orbits.points[regular][:, :, 0].min(axis=1) > 0
        self.assertLess(abs(right.mean() - 0.5), 0.1)
        _, traces = henon_heiles_map.periodic_points([(0.34077, 0), (-0.42946, 0)], 1 / 6)
        numpy.testing.assert_allclose(traces, -2.93094, atol=1e-4)
        _, traces = henon_heiles_map.periodic_points([(0.109, 0), (0.548, 0), (-0.207, 0.444), (-0.207, -0.444)], 1 / 6, 2)
        numpy.testing.assert_allclose(traces, -1.95382, atol=1e-4)

    def test_henon_heiles_shares_and_picture(self):
        picture = self.path / "energies.png"
        done = subprocess.run([sys.executable, self.program("henon_heiles_energies.py"), picture, "40"], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        energies, orbits, regular, together = numpy.array([line.split() for line in done.stdout.splitlines()[1:]], float).T
        self.assertTrue((numpy.diff(energies) > 0).all())
        self.assertGreater(orbits.min(), 200)
        # Their Figure 7: all is covered by curves up to 0.11, hardly anything at 1/6. The finer grids of the example give
        # 0.987, 0.423 and 0.033 regular orbits, and 1, 0.831 and 0.122 that stay together; the coarse one, of a thousand
        # starts in the sections and 250 elsewhere, is off by up to 0.02 and 0.05.
        sections = numpy.isin(energies, (0.08333, 0.125, 0.16667))
        numpy.testing.assert_allclose(regular[sections], [0.987, 0.423, 0.033], atol=0.03)
        numpy.testing.assert_allclose(together[sections], [1, 0.831, 0.122], atol=0.03)
        self.assertTrue((together >= regular).all())
        self.assertTrue((together[energies <= 0.1] > 0.99).all())
        # At 0.11 and 0.14; 0.73 and 0.27, 0.97 and 0.55 on finer grids.
        between = numpy.isin(energies, (0.11, 0.14))
        numpy.testing.assert_allclose(regular[between], [0.73, 0.27], atol=0.06)
        numpy.testing.assert_allclose(together[between], [0.97, 0.55], atol=0.06)
        # How much of the panels, which stand side by side, is coloured, and of the sections how much is the sea's grey;
        # what is measured, to a third for other versions of the fonts and of the layout.
        picture = Picture(picture)
        halves = [half for frame in picture.frames() for half in numpy.array_split(picture.pixels[frame], 2, axis=1)]
        coloured = [(numpy.ptp(half, axis=2) > CHROMA).mean() for half in halves]
        grey = [(abs(half - 0xB4 / 0xFF) < 0.08).all(axis=2).mean() for half in halves[:3]]
        numpy.testing.assert_allclose(coloured, [0.168, 0.067, 0.0099, 0.0223], rtol=0.33)
        numpy.testing.assert_allclose(grey, [0.0159, 0.274, 0.382], rtol=0.33)
        # The configuration is the section at 1/8.
        file = self.example("henon_heiles_energies")
        self.assertGreater(len(file["status/code"]), 10_000)
        self.assertGreater(len(self.henon_heiles(1 / 6, "run.steps=100")["status/code"]), 10_000)  # the fewest
        self.drawn.add(self.path / "henon_heiles_energies.h5")  # as one panel of the picture
        regular_here = henon_heiles_energies.are_regular(henon_heiles_energies.read(file.filename))
        self.assertLess(abs(regular_here.mean() - 0.423), 0.005)

    def test_relative_periodic_orbit_closes(self):
        # Of the four digits in the configuration, which leave errors of some 1e-4; then those that the script finds.
        file = self.example("relative_periodic")
        (motion,) = relative_periodic.read(file)
        self.assertLess(motion.defect, 1e-3)
        self.assertGreater(motion.defect, 1e-5)
        self.assertLess(abs(motion.period - 1.83592), 5e-4)
        self.assertLess(abs(motion.turn / (2 * numpy.pi) - 0.25551), 5e-4)
        picture = self.draw("shapes.png", "relative_periodic.h5", "--axes", "r1,r2")
        self.assertGreater(picture.panels()[0].sum(), 0)

        picture = self.path / "frames.png"
        done = subprocess.run([sys.executable, self.program("relative_periodic.py"), picture], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        resting, orbit = done.stdout.splitlines()
        rate, moved = re.fullmatch(r"# relative equilibrium: rate (.+), moved by (.+)", resting).groups()
        self.assertLess(abs(float(rate) - 0.859392), 1e-6)
        self.assertLess(float(moved), 1e-12)
        period, turns, defect = re.match(r"# relative periodic orbit: period (.+), (.+) turns, closed to (\S+),", orbit).groups()
        # Of a Runge-Kutta method with other equations, which find the same orbit.
        self.assertLess(abs(float(period) - 1.83592), 1e-5)
        self.assertLess(abs(float(turns) - 0.25551), 1e-5)
        self.assertLess(float(defect), 1e-10)

    def test_lagrange_section_is_horizontal_lines(self):
        file = self.example("lagrange_section")
        m12, trajectory = -file["section/state"][:, 2], file["section/trajectory"][:]
        start = -file["initial/state"][:, 2]
        self.assertEqual(len(numpy.unique(trajectory)), len(start))
        self.assertLess(abs(m12 - start[trajectory]).max(), 1e-13)
        self.expect_section(self.draw("lagrange.png", "lagrange_section.h5"), file, equal=True)

    def test_hairer_figure(self):
        # theory.md, sect. 2; the digits are those printed.
        curves = []
        for h, minimum in ((0.2, -1.9385), (0.1, -1.9029), (0.05, -1.8998), (0.025, -1.9006)):
            file = self.example("hairer_top", "--set", f"method.step={h}", "--set", f"run.steps={round(20 / h)}", output=f"hairer_{h}.h5")
            self.assertEqual(file["invariants/names"][0], b"energy")
            energy = file["snapshots/invariants"][0, :, 0]
            self.assertAlmostEqual(energy[0], 1.14, delta=1e-15 * 4)
            scaled = (energy - energy[0]) / h**2
            self.assertAlmostEqual(scaled.min(), minimum, delta=0.5e-4)
            # The maximum is the start's 0, up to the round-off of an energy near 1 over h^2.
            self.assertLess(scaled.max(), 1e-12)
            curves.append((file["snapshots/time"][:], scaled))
        (panel,) = self.draw("hairer.png", *(f"hairer_{h}.h5" for h in (0.2, 0.1, 0.05, 0.025))).panels()
        self.expect_drawn(panel, of_curves(curves, panel.shape))

    def test_figure_2_of_mclachlan_and_scovel(self):
        # theory.md, sect. 3: distances of the positions at t = 5, 10, 20, and the midpoint rule's |g|; digits as printed.
        exact = self.example("midpoint_drift", "--set", "method.step=0.0005", "--set", "record.snapshots=100", "--set", "run.steps=40000", output="exact.h5")
        positions = exact["snapshots/state"][0, :, :6]
        errors, drifts = [], []
        for method, distances, digit in (("rattle", (0.00465, 0.0125, 0.0312), (0.5e-5, 0.5e-4, 0.5e-4)),
                                         ("implicit-midpoint", (0.0105, 0.0150, 0.140), (0.5e-4, 0.5e-4, 0.5e-3))):
            file = self.example("midpoint_drift", "--set", f'method.name="{method}"', output=f"{method}.h5")
            for t, wanted, half_digit in zip((5, 10, 20), distances, digit):
                error = numpy.linalg.norm(file["snapshots/state"][0, round(t / 0.05), :6] - positions[round(t / 0.05)])
                self.assertAlmostEqual(error, wanted, delta=half_digit)  # the fine run is 3e-6 off
            drift = file["snapshots/invariants"][0, :, list(file["invariants/names"]).index(b"constraint")]
            time = file["snapshots/time"][1:]
            errors.append((time, logarithm(numpy.linalg.norm(file["snapshots/state"][0, :, :6] - positions, axis=1)[1:])))
            drifts.append((time, logarithm(numpy.maximum(drift[1:], numpy.finfo(float).eps / 8))))  # drawn from there on
            if method == "rattle":
                self.assertLess(drift.max(), 1e-15)
            else:
                for t in (5, 10, 20):
                    self.assertAlmostEqual(drift[round(t / 0.05)], 4e-4, delta=0.6e-4)
        panels = self.draw("figure_2.png", "rattle.h5", "implicit-midpoint.h5", "exact.h5", "--view", "error").panels()
        self.assertEqual(len(panels), 2)
        for panel, curves in zip(panels, (errors, drifts)):
            self.expect_drawn(panel, of_curves(curves, panel.shape))

    def test_double_pendulum_section(self):
        file = self.example("double_pendulum_section", output="double_pendulum_section.h5")
        state = file["section/state"][:]
        self.assertGreater(len(state), 10000)
        cross = state[:, 0] * state[:, 4] - state[:, 1] * state[:, 3]
        along = state[:, 0] * state[:, 3] + state[:, 1] * state[:, 4]
        # On one side, not opposite. An angle is as good as positions are, over the smaller distance from the vertical.
        distance = numpy.minimum(numpy.hypot(state[:, 0], state[:, 1]), numpy.hypot(state[:, 3], state[:, 4]))
        self.assertLess((abs(numpy.arctan2(cross, along)) * distance).max(), 2e-15)
        start = file["initial/state"][:]
        momentum = start[:, 0] * start[:, 7] - start[:, 1] * start[:, 6] + start[:, 3] * start[:, 10] - start[:, 4] * start[:, 9]
        self.assertLess(abs(momentum - 3).max(), 1e-13)
        self.assertLess(abs(file["invariants/initial"][:, 0] + 25).max(), 1e-12)
        self.expect_section(self.draw("double_pendulum.png", "double_pendulum_section.h5"), file)
        picture = self.draw("heights.png", "double_pendulum_section.h5", "--axes", "q1z,p1z")
        self.expect_section(picture, file, ("q1z", "p1z"))

    def test_free_body_keeps_everything(self):
        file = self.example("free_body")
        names = [name.decode() for name in file["invariants/names"]]
        self.assertEqual(names, ["energy", "q_squared", "momentum_z", "momentum_x", "momentum_y"])
        self.assertLess(file["invariants/max_drift"][:].max(), 1e-13)  # 800 steps of round-off
        self.assertGreater(numpy.ptp(file["snapshots/state"][:, :, :3], axis=1).max(axis=1).min(), 0.1)  # they do move
        scene = self.draw("free_body.png", "free_body.h5", "--view", "polhodes").scene()
        omega = file["snapshots/state"][:, :, :3].reshape(-1, 3) / file["parameters/inertia"][:]
        self.expect_drawn(scene, of_points(*polhode_plot.CAMERA.project(omega).T, scene.shape, margin=0))

    def test_fast_top_converges_to_the_published_position(self):
        # Acceptance C at t = 1, a second-order error at this step: the centre of mass is Q (0, 1, 0).
        exact = numpy.array([0.173343964098386043, 0.640088592070568783, -0.748490791133581309])
        errors = []
        for h in (1e-4, 5e-5):
            file = self.example("fast_top", "--set", f"method.step={h}", "--set", f"run.steps={round(1 / h)}", output=f"fast_{h}.h5")
            w, x, y, z = file["final/state"][0, 3:]
            centre = numpy.array([2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)])
            errors.append(numpy.linalg.norm(centre - exact))
            if h == 1e-4:
                self.expect_changes(self.draw("fast_top.png", f"fast_{h}.h5"), file)
        self.assertAlmostEqual(numpy.log2(errors[0] / errors[1]), 2, delta=0.1)

    def molecules(self, name, count):
        """The result of an example of molecules, from as many states at 300 K."""
        states = self.path / f"{name}_states.h5"
        subprocess.run([sys.executable, self.program("molecule_states.py"), name, str(count), states], check=True)
        return self.example(name, "--set", f"ensemble.path={states}")

    def test_water_keeps_its_bonds_momenta_and_energy(self):
        file = self.molecules("water", 300)
        atoms = file["snapshots/state"][:, :, :9].reshape(300, -1, 3, 3)
        for i, j, length in ((0, 1, 0.1), (0, 2, 0.1), (1, 2, 0.163)):
            distance = numpy.linalg.norm(atoms[:, :, i] - atoms[:, :, j], axis=2)
            self.assertLess(abs(distance / length - 1).max(), 1e-14)
        # 50000 steps of round-off, of energies of 4 and momenta of 2 and 0.2.
        self.assertLess(file["invariants/max_drift"][:].max(), 1e-11)
        self.assertGreater(numpy.median(numpy.ptp(atoms, axis=1)), 0.01)  # most do turn
        self.expect_changes(self.draw("water.png", "water.h5"), file)

    def test_butane_turns_from_trans_to_gauche_and_keeps_its_energy(self):
        file = self.molecules("butane", 200)
        energy = file["snapshots/invariants"][:, :, 0] - file["invariants/initial"][:, :1]
        early, late = abs(energy[:, 1:100]).max(), abs(energy[:, -100:]).max()
        self.assertLess(late, 2 * early)  # it does not grow in time
        self.assertGreater(len(numpy.unique(file["section/trajectory"][:])), 20)
        self.expect_changes(self.draw("butane.png", "butane.h5", "--view", "invariants"), file)

    def test_minimal_program_has_the_bits_of_the_command(self):
        self.program("minimal.cpp")  # compiled
        output = subprocess.run([os.environ["MINIMAL"]], text=True, capture_output=True, check=True).stdout.split()
        expected = [float(output[2 * i + 1]) for i in range(6)]
        config = self.path / "minimal.toml"
        config.write_text('[system]\nname = "heavy-top"\ninertia = [1.5, 1.44, 0.94]\n[method]\nname = "rattle"\nstep = 0.05\n[ensemble]\n'
                          'from = "states"\nstates = [[1, 0.5, -0.64, 0.6, 0, 0.8]]\n[run]\nsteps = 1000\n[output]\nfile = "minimal.h5"\n')
        done = run("run", config, cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "minimal.h5") as file:
            self.assertEqual(list(file["final/state"][0]), expected)


class EveryExample(unittest.TestCase):
    """The last test, of what the others have shown. examples/own_system is built and run by plugin_test, lattice by lattice_test, ensemble.cpp by tests/core/ensemble_test;
    examples/slurm by no test."""

    def test_is_run_and_looked_at(self):
        files = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".toml", ".py", ".cpp")} - {"ensemble.cpp"}
        self.assertEqual(files, Examples.shown, "no test that passed has run it, looked at its result and drawn it")


def load_tests(loader, tests, pattern):
    suite = loader.loadTestsFromTestCase(Examples)
    if not loader.testNamePatterns:  # all of them
        suite.addTest(EveryExample("test_is_run_and_looked_at"))
    return suite


if __name__ == "__main__":
    unittest.main()
