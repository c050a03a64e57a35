#!/usr/bin/env python3
"""bench/gpu: who agrees and who does not, the Lorenz ensemble, and the whole comparison on small ensembles on the CPU with
whatever peers this Python has. No test asks how fast anything is.

Run with POLHODE set to the program's path, in a build directory."""

import contextlib
import dataclasses
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import numpy

PROGRAM = pathlib.Path(os.environ["POLHODE"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "gpu"), str(ROOT / "bench" / "peers"), str(ROOT / "scripts")]
sys.dont_write_bytecode = True

import agreement  # noqa: E402
import compare  # noqa: E402
import contender  # noqa: E402
import lorenz  # noqa: E402
import lorenz_library  # noqa: E402
import steps as equations  # noqa: E402


class Agreement(unittest.TestCase):
    def setUp(self):
        self.ends = numpy.random.default_rng(1).normal(size=(6, 1000))
        self.of_shift = agreement.distances(agreement.shifted(self.ends), self.ends)

    def test_a_shift_is_a_thousand_ulps(self):
        for dtype, ulp in ((numpy.float64, 2**-52), (numpy.float32, 2**-23)):
            ones = numpy.ones(4, dtype)
            self.assertEqual(agreement.shifted(ones).dtype, dtype)
            # Rounded to one more or less.
            numpy.testing.assert_allclose((agreement.shifted(ones) - ones) / ulp, 1000, atol=1)

    def test_round_off_agrees_and_an_error_does_not(self):
        round_off = self.ends * (1 + 2**-52)
        self.assertTrue(agreement.report(round_off, self.ends, self.of_shift)["agrees"])
        self.assertFalse(agreement.report(round_off, self.ends, self.of_shift)["same_bits"])
        self.assertTrue(agreement.report(self.ends.copy(), self.ends, self.of_shift)["same_bits"])
        self.assertFalse(agreement.report(self.ends * (1 + 1e-12), self.ends, self.of_shift)["agrees"])

    def test_one_orbit_that_is_wrong_does_not_agree(self):
        one = self.ends.copy()
        one[:, 17] *= 1 + 1e-11
        self.assertFalse(agreement.report(one, self.ends, self.of_shift)["agrees"])

    def test_what_is_not_finite_does_not_agree(self):
        one = self.ends.copy()
        one[0, 3] = numpy.nan
        self.assertFalse(agreement.report(one, self.ends, self.of_shift)["agrees"])


class EnergyError(unittest.TestCase):
    """Of states whose energy is their first number: those of the reference are wrong by 1e-3."""

    def judge(self, states):
        return agreement.energy_report(lambda x: x[0], numpy.zeros((6, 100)), numpy.full((6, 100), 1e-3), states, 10)

    def test_as_good_as_the_reference_or_not(self):
        found = self.judge(numpy.full((6, 100), 9e-4))
        self.assertTrue(found["agrees"])
        self.assertAlmostEqual(found["energy_error"], 9e-4)
        self.assertAlmostEqual(found["energy_error_of_rattle"], 1e-3)
        self.assertFalse(self.judge(numpy.full((6, 100), 1.1e-3))["agrees"])

    def test_orbits_beyond_the_sample(self):
        for value, agrees in ((1.1e-3, True), (1.0, False), (numpy.nan, False)):
            states = numpy.full((6, 100), 9e-4)
            states[0, 50] = value
            self.assertEqual(self.judge(states)["agrees"], agrees, value)


class Timing(unittest.TestCase):
    def test_median_and_quartiles(self):
        self.assertEqual(dataclasses.astuple(contender.times_of([5.0, 1.0, 3.0, 2.0, 4.0])), (3, 2, 4, 5))

    def test_the_parts_are_called_as_often_as_they_should_be(self):
        calls = []
        part = lambda name: lambda *_: calls.append(name)
        found = contender.measure(contender.Contender("a", "b", part("place"), part("loop"), part("fetch"), drop=part("drop")), 5)
        self.assertEqual([calls.count(name) for name in ("place", "loop", "fetch", "drop")], [6, 11, 6, 6])
        self.assertEqual((found.kernel.repetitions, found.end_to_end.repetitions), (5, 5))


class LorenzEnsemble(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        try:
            self.library = lorenz_library.library("cpu", PROGRAM.parent, pathlib.Path(folder.name))
        except contender.Unusable as error:
            self.skipTest(error)

    def states(self, problem):
        ours = lorenz_library.lorenz(problem, self.library)
        placed = ours.place()
        states = ours.fetch(ours.loop(placed))
        ours.drop(placed)
        return states

    def by_numpy(self, rho, steps, h):
        """The same steps in extended precision."""
        rho = rho.astype(numpy.longdouble)
        step = equations.lorenz(equations.multiplied_and_added, equations.plain, numpy.longdouble, h)
        u = numpy.ones_like(rho), numpy.zeros_like(rho), numpy.zeros_like(rho)
        for _ in range(steps):
            u = step(*u, rho)
        return numpy.array(u)

    def test_states_are_those_of_extended_precision(self):
        for dtype in (numpy.float64, numpy.float32):
            problem = lorenz.ensemble(77, dtype)  # packs, and a rest
            exact = self.by_numpy(problem.rho, problem.steps, dtype(problem.h))
            apart = agreement.distances(self.states(problem), exact)
            # Round-off of 1000 steps: far below one unit a step to one side.
            self.assertLess(apart.largest, 1000 * numpy.finfo(dtype).eps)

    def test_the_order_is_four(self):
        coarse = [self.states(lorenz.Lorenz(numpy.linspace(0, 21, 50), n, 1 / n)) for n in (400, 800, 1600)]
        ratio = numpy.linalg.norm(coarse[0] - coarse[1]) / numpy.linalg.norm(coarse[1] - coarse[2])
        self.assertAlmostEqual(numpy.log2(ratio), 4, delta=0.2)  # in the asymptotic range

    def test_equations_as_published(self):
        """sigma = 10, beta = 8/3, from (1, 0, 0), and not those with another name: by differences."""
        h = 1e-6
        rho = numpy.array([3.0, 21.0])
        x, y, z = (self.states(lorenz.Lorenz(rho, 1, h)) - [[1], [0], [0]]) / h
        # Of a step this short, to its second derivative times h.
        numpy.testing.assert_allclose(x, -10, atol=1e-3)
        numpy.testing.assert_allclose(y, rho, atol=1e-3)
        numpy.testing.assert_allclose(z, 0, atol=1e-3)
        before, u, after = (self.states(lorenz.Lorenz(rho, steps, 0.001)) for steps in (499, 500, 501))
        # A central difference: rates of up to 30 a unit of time leave 1e-3.
        numpy.testing.assert_allclose((after - before)[2] / 0.002, u[0] * u[1] - 8 / 3 * u[2], rtol=2e-3)


class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def compare(self, *options):
        command = [ROOT / "bench" / "gpu" / "compare", "--bin", PROGRAM.parent, "--out", self.path, *options]
        environment = os.environ | {"POLHODE_PYTHON": sys.executable}
        return subprocess.run(command, capture_output=True, text=True, timeout=1000, env=environment)

    def test_all_of_it_on_the_cpu(self):
        done = self.compare("--device", "cpu", "--quick", "--repeat", "3")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads((self.path / "compare.json").read_text())
        problems = {(row["problem"], row["precision"]) for row in found["rows"]}
        self.assertEqual(problems, {("heavy-top", "double"), ("lorenz", "double"), ("lorenz", "single")})
        for row in found["rows"]:
            for what in ("kernel", "end_to_end"):
                self.assertLess(0, row[what]["lower_quartile"])
                self.assertLessEqual(row[what]["lower_quartile"], row[what]["steps_per_second"])
                self.assertLessEqual(row[what]["steps_per_second"], row[what]["upper_quartile"])
                self.assertEqual(row[what]["seconds"]["repetitions"], 3)
            self.assertTrue(row.get("agrees", True), row)
            if row["contender"] == "numba":
                self.assertTrue(row["same_bits"], row)  # on a CPU, where its compiler fuses nothing
        page = (self.path / "compare.md").read_text()
        self.assertEqual(page.count("\n| heavy-top, double | "), sum(row["problem"] == "heavy-top" for row in found["rows"]))

    def compare_with(self, peer, *options):
        """Lorenz on the CPU beside a peer with this function for it: exit code, standard error and the file."""
        peers = {"peer": types.SimpleNamespace(VERSION="peer 1", lorenz=peer)}
        words = ["compare", "lorenz", "--device", "cpu", "--quick", "--repeat", "1", "--bin", str(PROGRAM.parent), "--out", str(self.path), *options]
        errors = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", words), unittest.mock.patch.object(compare, "available_peers", lambda device, notes: peers):
            with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
                code = compare.main()
        return code, errors.getvalue(), json.loads((self.path / "compare.json").read_text()) if not options else None

    def peer(self, change):
        """polhode's states, changed."""
        def of(problem, device):
            with tempfile.TemporaryDirectory() as folder:
                ours = lorenz_library.lorenz(problem, lorenz_library.library("cpu", PROGRAM.parent, pathlib.Path(folder)))
            return dataclasses.replace(ours, name="peer", fetch=lambda placed: change(ours.fetch(placed)))
        return of

    def test_who_comes_to_other_states_is_named(self):
        code, errors, found = self.compare_with(self.peer(lambda ends: ends * ends.dtype.type(1.01)))
        self.assertEqual(code, 1)
        self.assertEqual(errors.splitlines(), [f"compare: other states than polhode's: peer on lorenz, {precision}, 8 trajectories" for precision in ("double", "single")])
        self.assertEqual([row["agrees"] for row in found["rows"] if row["contender"] == "peer"], [False, False])
        self.assertEqual(self.compare_with(self.peer(lambda ends: ends))[:2], (0, ""))

    def test_who_fails_is_a_note_and_the_others_stay(self):
        def fails(problem, device):
            raise MemoryError("no room\nand more")
        code, errors, found = self.compare_with(fails)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(found["notes"], [f"peer is left out on lorenz, {precision}, 8 trajectories: MemoryError: no room" for precision in ("double", "single")])
        self.assertEqual([row["contender"] for row in found["rows"]], ["polhode's scalars"] * 2)

    def test_nothing_compared_is_said(self):
        self.assertEqual(self.compare_with(self.peer(lambda ends: ends), "--largest", "1")[:2], (1, "compare: nothing was compared\n"))

    def test_refusals(self):
        for options, words in ((["pendulum"], "no problem pendulum"), (["--repeat", "0"], "It must be positive"), (["--bin", self.path], "No such file")):
            done = self.compare("--device", "cpu", *options)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(words, done.stderr)
        self.assertFalse((self.path / "compare.json").exists())


if __name__ == "__main__":
    unittest.main()
