#!/usr/bin/env python3
"""Every example of tops, bodies, pendula and molecules runs, draws its picture and shows what it promises.

Run with POLHODE set to the program's path, MINIMAL to that of examples/minimal.cpp."""

import os
import subprocess
import sys
import unittest

import h5py
import numpy

from examples_support import EXAMPLES, PROGRAM, ExampleTests, run, with_completeness
from pictures import Picture, logarithm, of_cells, of_curves, of_points

from polhode import polhode_plot, section3d_plot  # where their viewers stand; examples_support has put them on the path


def cells(points, size):
    """How many square cells of a size the points occupy."""
    return len(numpy.unique(numpy.floor(points / size).astype(int), axis=0))


def dimension(points):
    """Box-counting dimension at the scale of the picture: 1 for a curve, 2 for a chaotic band."""
    extent = numpy.ptp(points, axis=0).max()
    return numpy.log2(cells(points, extent / 40) / cells(points, extent / 20))


class Examples(ExampleTests):
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

    def test_vehicle_has_an_island_and_a_sea(self):
        file = self.example("vehicle_section")
        state, trajectory, start = file["section/state"][:], file["section/trajectory"][:], file["initial/state"][:]
        drift = dict(zip(file["invariants/names"].asstr(), file["invariants/max_drift"][:].max(axis=0)))
        self.assertLess(drift["gamma_squared"], 1e-12)  # 60000 roundings
        self.assertLess(drift["energy"], 1e-3)
        near = abs(start[:, 1:3]).max(axis=1)
        island = state[trajectory == near.argmin()]
        self.assertGreater(len(island), 500)
        self.assertTrue((island[:, 0] > 0).all())
        self.assertLess(abs(island[:, 1]).max(), 0.05)
        # Orbits of the sea pass to the other side and come back to the island's surroundings; curves outside do not.
        orbits = [state[trajectory == k] for k in range(len(start))]
        sea = [points for points in orbits if (points[:, 0] < 0).any() and abs(points[:, 1]).min() < 0.03]
        self.assertGreater(len(sea), len(orbits) / 4)
        self.assertLess(len(sea), len(orbits) * 3 / 4)
        self.expect_section(self.draw("vehicle.png", "vehicle_section.h5"), file, equal=True)

    def test_a_variational_integrator_does_not_drift_where_its_layer_does(self):
        file, picture = self.example("variational_drift"), self.path / "drift.png"
        self.expect_changes(self.draw("variational_changes.png", "variational_drift.h5"), file)
        done = subprocess.run([sys.executable, self.program("variational_drift.py"), picture], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        means = {method: numpy.array(quarters, float) for method, *quarters in map(str.split, done.stdout.splitlines())}
        # A steady drift, found with 113 bits to three digits.
        numpy.testing.assert_allclose(means["runge-kutta-projected"], [-1.77e-4, -5.30e-4, -8.84e-4, -12.4e-4], rtol=0.005)
        energy = file["snapshots/invariants"][0, :, 0]
        error = energy[1:] - energy[0]
        numpy.testing.assert_allclose(means["variational"], [part.mean() for part in numpy.array_split(error, 4)], rtol=1e-3)
        # Each mean is that of 250 samples of an oscillation: five of its standard errors about one value.
        self.assertLess(numpy.ptp(means["variational"]), 5 * error.std() / 250**0.5)
        self.assertLess(abs(error).max(), 4e-7)
        upper, lower = Picture(picture).panels()
        self.expect_drawn(upper, of_curves([((0, 1), (0, -1)), ((0, 1), (0, 0))], upper.shape))  # a fall, and a level
        self.expect_drawn(lower, of_curves([(file["snapshots/time"][:], energy - energy[0])], lower.shape))

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

    def test_hairer_figure_with_the_modified_energy(self):
        picture = self.path / "modified.png"
        done = subprocess.run([sys.executable, self.program("hairer_modified.py"), picture], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = numpy.array([line.split() for line in done.stdout.splitlines()], float)
        # Found with 113 bits: the largest sums of scaled error and H_3, the ranges of the energy and of the shadow energy.
        numpy.testing.assert_allclose(rows[:, 1], [0.20405, 0.049499, 0.012347, 0.0030883], atol=6e-6)
        numpy.testing.assert_allclose(rows[:, 2], [7.754128e-2, 1.902889e-2, 4.749489e-3, 1.187862e-3], rtol=1e-4)
        numpy.testing.assert_allclose(rows[:, 3], [4.4623e-5, 1.5318e-7, 5.8396e-10, 2.2683e-12], rtol=5e-3)
        upper, lower = Picture(picture).panels()
        for panel in (upper, lower):
            self.expect_drawn(panel, (panel.shape[1], panel.size / 4))

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


def load_tests(loader, tests, pattern):
    return with_completeness(loader, Examples, "examples")


if __name__ == "__main__":
    unittest.main()
