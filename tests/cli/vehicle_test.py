#!/usr/bin/env python3
"""A body in an ideal fluid: the section of its reduced system, its two descriptions, and configurations that are refused.

Run with POLHODE set to the program's path."""

import tomllib
import unittest

import h5py
import numpy

from command_line import CliTest

BODY = "inertia = [0.218, 0.357, 0.335]\nmass = [1.234, 1.341, 2.253]\n"
REDUCED = f'[system]\nname = "underwater-vehicle-reduced"\n{BODY}p = 1.0\n'
IN_SPACE = f'[system]\nname = "underwater-vehicle"\n{BODY}'
SECTION = '[section]\nname = "gamma3"\ndirection = "up"\n'

# Two orbits on the section at energy 0.52, in the chaotic sea and outside, and six crossings of each in 18 digits: Pi,
# P1, P2 (Taylor series in 36 digits).
STARTS = [[0.22847244656196041135, 0.08, 0.1, 0.33047791591109987464, -0.94381372478633515595, 0],
          [0.15323647157121580571, 0.22, 0.05, 0.8205676063856535739, -0.57154947585534456869, 0]]
CROSSINGS = numpy.array([
    [[0.222458046891126317, 0.0785259592492555321, -0.11980252104360747, 0.332862916359533488, -0.942975227093811947],
     [0.054021556402557743, 0.0797287711205585124, -0.270723463999551499, 0.827862064800383264, -0.560931726384277555],
     [-0.216282250952342257, 0.105121384111338792, -0.110426375810972166, 0.437139489956205231, 0.899393721526245004],
     [-0.192627067597781658, 0.100668146313076064, 0.165561158055500906, 0.463170099943972525, 0.886269405157309096],
     [0.128559335396716659, 0.109618290400302489, 0.229769703024404357, 0.648825785414364178, -0.76093698831206349],
     [0.22207617458231169, 0.123203570987987998, -0.0588067816868320704, 0.485125067618554284, -0.87444477742627815]],
    [[-0.0754437354445019924, 0.200392875807339415, -0.182167641165718944, 0.935873286033123602, 0.352336760059979002],
     [-0.0694065156131645556, 0.199314494869379426, 0.185975554031387264, 0.944379512006251493, 0.328857624668844029],
     [0.151060722668809451, 0.219993502773680694, -0.0581788675110935793, 0.824365091481452974, -0.566058473964285486],
     [-0.138618790601209293, 0.218625527597977279, -0.0935776022230522405, 0.844546642144029603, 0.535481997123380798],
     [0.0400509565747449383, 0.195878865492697472, 0.198306105153365264, 0.979729831308775631, -0.200323382668319691],
     [0.0980395271809705901, 0.205987135182989738, -0.162294452862348213, 0.902944872173490169, -0.429756393571520351]]])


class Section(CliTest):
    def section(self, method, starts, steps, more=""):
        self.write(f"{REDUCED}[method]\n{method}\nstep = 0.05\n[ensemble]\n{starts}\n[run]\nsteps = {steps}\n{SECTION}{more}")
        self.run_with("config.toml", "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            drift = dict(zip(file["invariants/names"].asstr(), file["invariants/max_drift"][:].max(axis=0)))
            return file["section/state"][:], file["section/trajectory"][:], drift

    def test_crossings(self):
        state, trajectory, _ = self.section('name = "gauss"\nstages = 8', f'from = "states"\nstates = {STARTS}', 760)
        for k, expected in enumerate(CROSSINGS):
            numpy.testing.assert_allclose(state[trajectory == k][:6, :5], expected, rtol=0, atol=1e-11)  # round-off, growing

    def test_starts(self):
        """Those over the box sqrt(2 E J_i), of which 124 of 26 x 26 have one."""
        half = numpy.sqrt(2 * 0.52 * numpy.array([0.357, 0.335]))
        window = f"window = [[{-half[0]}, {half[0]}], [{-half[1]}, {half[1]}]]"
        self.write(f'{REDUCED}[method]\nname = "rattle"\nstep = 0.05\n[ensemble]\nfrom = "section"\ngrid = [26, 26]\nenergy = 0.52\n{window}\n[run]\nsteps = 1\n{SECTION}')
        self.run_with("config.toml", "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            pi, gamma = numpy.split(file["initial/state"][:], 2, axis=1)
        self.assertEqual(len(pi), 124)
        self.assertLess(abs((pi**2 / [0.218, 0.357, 0.335] + gamma**2 / [1.234, 1.341, 2.253]).sum(axis=1) / 2 - 0.52).max(), 4e-16)
        self.assertLess(abs((pi * gamma).sum(axis=1)).max(), 1e-16)

    def test_rattle(self):
        """60000 steps in the island round the stable translation and outside of the sea: counts, and ranges of points that are
        interpolated between steps, which were computed elsewhere."""
        start = [0.24475583426221354145, 0.01, 0.08, 0.040822985792280434479, -0.99916639446640881797, 0]
        state, trajectory, drift = self.section('name = "rattle"', f'from = "states"\nstates = [{start}, {STARTS[1]}]', 60000, "[record]\nsnapshots = 1\n")
        with h5py.File(self.path / "out.h5") as file:
            steps = file["snapshots/state"][:]
        for k, counts, ranges in ((0, (659, 659), ((0.24165, 0.25273), (-0.02003, 0.02003), (-0.09408, 0.09408))),
                                  (1, (481, 237), ((0.00086, 0.15968), (0.19440, 0.22007), (-0.20364, 0.20311)))):
            points, x = state[trajectory == k], steps[k]
            self.assertEqual((len(points), (points[:, 0] > 0).sum()), counts)
            before = numpy.flatnonzero((x[:-1, 5] < 0) & (x[1:, 5] >= 0))
            share = (x[before, 5] / (x[before, 5] - x[before + 1, 5]))[:, None]
            between = (1 - share) * x[before] + share * x[before + 1]
            between = between[between[:, 0] > 0]
            numpy.testing.assert_allclose(numpy.transpose([between.min(axis=0), between.max(axis=0)])[:3], ranges, rtol=0, atol=5.1e-6)  # as printed
        self.assertAlmostEqual(drift["energy"], 3.7984e-4, delta=2e-7)  # which is seen every 16th step
        self.assertLess(drift["gamma_squared"], 1e-13)
        self.assertLess(drift["pi_dot_gamma"], 1e-13)


class Descriptions(CliTest):
    RUN = '[method]\nname = "rattle"\nstep = 0.05\n[run]\nsteps = 10\n'

    def test_are_converted(self):
        """To space and back; the energies are the same."""
        self.write(f'{REDUCED}{self.RUN}[ensemble]\nfrom = "states"\nstates = {STARTS}\n')
        there = self.polhode("convert", "config.toml", "--to", "underwater-vehicle", "-o", "space.toml")
        self.assertEqual((there.returncode, there.stderr), (0, ""))
        back = self.polhode("convert", "space.toml", "--to", "underwater-vehicle-reduced")
        self.assertEqual((back.returncode, back.stderr), (0, ""))
        again = tomllib.loads(back.stdout)
        self.assertEqual(again["system"]["p"], 1)
        numpy.testing.assert_allclose(again["ensemble"]["states"], STARTS, rtol=0, atol=1e-15)
        energies = []
        for name in ("config.toml", "space.toml"):
            self.run_with(name, "out.h5")
            with h5py.File(self.path / "out.h5") as file:
                energies.append(file["invariants/initial"][:, 0])
        numpy.testing.assert_allclose(*energies, rtol=0, atol=2e-16 * 2)

    def test_starts_are_given_in_the_other(self):
        self.write(f'{IN_SPACE}{self.RUN}[ensemble]\nfrom = "states"\nas = "underwater-vehicle-reduced"\nmu = 1.0\nstates = {STARTS}\n')
        self.run_with("config.toml", "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            momenta = file["initial/state"][:, 21:]
        numpy.testing.assert_array_equal(momenta, [[0, 0, 1]] * 2)


class Refusals(CliTest):
    def expect_refused(self, message, system, ensemble='from = "states"\nstates = [[0, 0, 0, 1, 0, 0]]'):
        self.write(f'{system}[method]\nname = "rattle"\nstep = 0.05\n[ensemble]\n{ensemble}\n[run]\nsteps = 1\n')
        done = self.polhode("run", "config.toml")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"polhode: {message}\n"))

    def test_parameters(self):
        coupled = "coupling = [0, 0.03, 0, -0.03, 0, 0, 0, 0, 0]\n"
        for message, system in (
            ("coupling must be 0: with it the torque depends on Pi, and the body is no top", REDUCED + coupled),
            ("p must not be negative where c = 0: it is the length of P", REDUCED.replace("p = 1.0", "p = -1.0")),
            ("J1 must be below J2 + J3: the mass matrix of R would not be positive definite", IN_SPACE.replace("0.218", "0.8")),
            ("the mass matrix is not positive definite: coupling is too large for inertia and mass", IN_SPACE + coupled.replace("0.03", "0.9")),
        ):
            with self.subTest(message=message):
                self.expect_refused(f"cannot use the system {tomllib.loads(system)['system']['name']} ({message}). Choose other parameters.", system)


if __name__ == "__main__":
    unittest.main()
