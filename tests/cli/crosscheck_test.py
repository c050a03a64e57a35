#!/usr/bin/env python3
"""polhode crosscheck: every example passes its checks (that faults are found is tested in backends).

Run with POLHODE set to the program's path."""

import json
import subprocess
import sys
import unittest

import h5py

from command_line import CONFIG, EXAMPLES, CliTest

FEW = ["--trajectories", "8", "--steps", "400"]


class Crosscheck(CliTest):
    def report(self, *arguments, code=0):
        result = self.polhode("crosscheck", *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def verdicts(self, report):
        return {(finding["promise"], finding["subject"].split(" against")[0]): finding["verdict"] for finding in report["findings"]}

    def test_every_example(self):
        for example in sorted(EXAMPLES.glob("*.toml")):
            with self.subTest(example=example.name):
                more = []
                if example.stem in ("water", "butane"):
                    states = self.path / f"{example.stem}.h5"
                    subprocess.run([sys.executable, EXAMPLES / "molecule_states.py", example.stem, "8", states], check=True)
                    more = ["--set", f"ensemble.path={states}"]
                report = self.report(example, *FEW, *more, "--with-single")
                self.assertTrue(report["kept"])
                verdicts = self.verdicts(report)
                for promise in ("precision", "step", "trajectories"):
                    self.assertEqual(verdicts[promise, "single precision"], "kept")
                self.compare_precisions(report)
                self.assertEqual(verdicts["step", "reference"], "kept")
                self.assertEqual(verdicts["trajectories", "reference"], "kept")
                self.assertEqual("section" in [promise for promise, _ in verdicts], "[section]" in example.read_text())
        self.assertFalse(list(self.path.glob("*.part")))

    def test_orders_of_moser_veselov(self):
        body = EXAMPLES / "free_body.toml"
        # Steps for which errors are well above round-off; without gravity the section is any observable. Of order 10 a
        # halving leaves too little above round-off for two orders in turn.
        for order, step in ((4, 0.05), (6, 0.1), (8, 0.2), (10, 0.4)):
            with self.subTest(order=order):
                options = ["--set", f"method.order={order}", "--set", f"method.step={step}", "--set", "section.name=gamma1",
                           "--trajectories", "8", "--steps", "100"]
                report = self.report(body, *options, "--with-single", *(["--step-halving"] if order < 10 else []))
                verdicts = self.verdicts(report)
                self.assertNotIn("skipped", [verdict for (promise, subject), verdict in verdicts.items() if subject != "cuda"])
                declared = [finding["figures"]["declared"] for finding in report["findings"] if finding["promise"] == "order"]
                self.assertEqual(declared, [order] if order < 10 else [])
                self.run_with(body, "out.h5", "--set", f"method.order={order}", "--set", "run.steps=10", "--force")
                with h5py.File(self.path / "out.h5") as file:
                    self.assertEqual((file.attrs["map_order"], file.attrs["order"]), (order, order))
        for order, composition, declared in ((4, "yoshida4", 4), (4, "kahan-li6", 6), (8, "yoshida4", 8)):
            options = ["--set", f"method.order={order}", "--set", f"method.composition={composition}"]
            self.assertTrue(self.report(body, *FEW, *options)["kept"])
            self.run_with(body, "out.h5", *options, "--set", "run.steps=10")
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual((file.attrs["map_order"], file.attrs["order"]), (order, declared))

    def test_orders_that_there_are_not(self):
        body = EXAMPLES / "free_body.toml"
        for options, words in ((["method.order=3"], "moser-veselov has no map of order 3). Give one of 2, 4, 6, 8, 10"), (["method.order=12"], "cannot use method.order"),
                               (["method.order=4", "method.name=rattle"], "unknown key method.order (rattle has no such key"),
                               (["method.order=4.5"], "it is not an integer")):
            with self.subTest(options):
                result = self.polhode("run", body, "-o", "none.h5", *[word for option in options for word in ("--set", option)])
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(words, result.stderr)
                self.assertFalse((self.path / "none.h5").exists())

    def test_a_step_too_long_for_the_modified_moments(self):
        for backend in ("cpu", "reference"):
            result = self.polhode("run", EXAMPLES / "free_body.toml", "-o", "long.h5", "--force", "--backend", backend,
                                  "--set", "method.order=4", "--set", "method.step=3")
            self.assertEqual(result.returncode, 1, result.stderr)
            with h5py.File(self.path / "long.h5") as file:
                self.assertEqual(set(file["status/code"][:]), {6})
                self.assertIn("modified moment", file["status/code"].attrs["meaning"][6])
                self.assertTrue((file["final/state"][:] == file["initial/state"][:]).all())

    def test_neighbours_of_a_step_too_long_have_equal_bits(self):
        report = self.report(EXAMPLES / "free_body.toml", "--set", "method.order=8", "--set", "method.step=1.3", "--steps", "50", "--backends", "cpu")
        self.assertTrue(report["kept"])
        self.run_with(EXAMPLES / "free_body.toml", "some.h5", "--set", "method.order=8", "--set", "method.step=1.3", "--set", "run.steps=50")
        with h5py.File(self.path / "some.h5") as file:
            codes = set(file["status/code"][:])
        self.assertLessEqual({0, 6}, codes)

    def compare_precisions(self, report):
        """Single precision uses up as much of its bound as double does of the reference's, but for what is luck: that
        round-off is as many units in the last place in both is what the bound rests on."""
        steps = {finding["subject"].split(" against")[0]: finding["figures"] for finding in report["findings"] if finding["promise"] == "step"}
        single, double = steps["single precision"], steps["reference"]
        self.assertLessEqual(abs(single["compared"] - double["compared"]), 2)  # near the edge of a chart one may fail
        self.assertGreater(single["of_allowed"], double["of_allowed"] / 20)
        self.assertLess(single["of_allowed"], double["of_allowed"] * 20)
        self.assertGreater(single["largest"], 2e-8)  # a quarter of a unit in the last place

    def test_hard_cases_break_no_promise(self):
        """Chaos, rest, small oscillations, other units, momenta off the constraints, steps that fail."""
        def config(ensemble, m="[1, 1]", method="rattle", step=0.01):
            return (f'[system]\nname = "double-spherical-pendulum"\nm = {m}\nl = [1, 1]\n[method]\nname = "{method}"\nstep = {step}\n[ensemble]\n{ensemble}\n'
                    '[run]\nsteps = 2000\n[section]\nname = "q1z"\n')

        chaos = 'from = "random"\ndistribution = "microcanonical"\nenergy = {}\ncount = 32'
        cases = {
            "chaos": config(chaos.format(30)),
            "light": config(chaos.format(5e-9), m="[1e-9, 1e-9]"),
            "heavy": config(chaos.format(5e9), m="[1e9, 1e9]"),
            "shake": config(chaos.format(5), method="shake"),
            "rest": config('from = "states"\nstates = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 0, -1, 1e-5, 0, -1, 0, 0, 0, 0, 0, 0]]'),
            "still": config('from = "states"\nstates = [[0, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0]]'),
            "fine": config(chaos.format(5), step=1e-6),
            "failing": config(chaos.format(30), step=2),
        }
        for name, text in cases.items():
            with self.subTest(case=name):
                code = 1 if name == "failing" else 0  # all fail at once, and nothing is compared
                report = self.report(self.write(text), "--isa", "avx512,scalar" if self.has_avx512() else "scalar,scalar", "--step-halving", "--with-single", code=code)
                self.assertEqual((report["kept"], report["compared"]), (True, code == 0))
                verdicts = self.verdicts(report)
                self.assertEqual(verdicts["step", "reference"], "skipped" if name == "failing" else "kept")
                # Steps of a millionth move a position by no more than it is rounded in single precision.
                self.assertEqual(verdicts["step", "single precision"], "skipped" if name in ("failing", "fine") else "kept")
                self.assertEqual(verdicts["order", "halved steps"], "skipped" if name in ("still", "failing") else "kept")

    def test_trajectories_end_on_the_same_crossings(self):
        name = self.write(CONFIG.replace('name = "gamma3"', 'name = "gamma3"\nterminal = true'))
        report = self.report(name, "--steps", "600", "--with-single")
        self.assertTrue(report["kept"])
        events = {finding["subject"].split(" against")[0]: finding for finding in report["findings"] if finding["promise"] == "statuses"}
        # All cross within 600 steps; a tenth may be other trajectories by then, which single precision makes of them.
        self.assertGreater(events["reference"]["figures"]["events"], 20)
        for finding in events.values():
            self.assertEqual(finding["verdict"], "kept")
            self.assertEqual(finding["figures"]["other_events"], 0)
            self.assertEqual(finding["figures"]["failed_a"], 0)
        self.assertIn("ended with their event", events["reference"]["text"])
        sections = [finding for finding in report["findings"] if finding["promise"] == "section"]
        self.assertEqual([finding["verdict"] for finding in sections], ["kept"])
        self.assertGreater(sections[0]["figures"]["matched"], 20)

    def has_avx512(self):
        return "avx512" in self.polhode("list", "backends").stdout

    def test_what_is_compared_can_be_chosen(self):
        name = self.write()
        verdicts = self.verdicts(self.report(name, *FEW, "--backends", "reference"))
        self.assertEqual({subject for _, subject in verdicts}, {"reference"})
        verdicts = self.verdicts(self.report(name, *FEW, "--backends", "cpu", "--isa", "scalar,scalar"))
        self.assertEqual(verdicts, {("bits", "cpu scalar"): "kept"})
        report = self.report(name, *FEW, "--backends", "cpu", "--isa", "scalar", "--step-halving")
        self.assertAlmostEqual(report["findings"][-1]["figures"]["order"], 2, delta=0.1)
        single = self.verdicts(self.report(name, *FEW, "--precision", "single"))
        self.assertEqual(single["step", "reference"], "skipped")
        both = self.verdicts(self.report(name, *FEW, "--backends", "cpu", "--isa", "scalar,scalar", "--with-single"))
        self.assertEqual(both, {("bits", "cpu scalar"): "kept", ("bits", "cpu scalar single"): "kept"}
                         | {(promise, "single precision"): "kept" for promise in ("precision", "statuses", "step", "trajectories")})

    def test_instruction_sets_without_a_kernel_are_skipped_unless_they_are_asked_for(self):
        name = self.write()
        environment = self.compiled_alone(name)
        result = self.polhode("crosscheck", name, *FEW, "--json", env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        verdicts = self.verdicts(report)
        self.assertEqual((verdicts["bits", "cpu scalar"], verdicts["step", "reference"]), ("skipped", "kept"))
        scalar = next(finding for finding in report["findings"] if finding["subject"] == "cpu scalar")
        self.assertIn("there is no kernel heavy-top, rattle, cayley, double, scalar", scalar["text"])
        self.assertEqual(self.polhode("crosscheck", name, *FEW, "--isa", "scalar,scalar", env=environment).returncode, 3)

    def test_bad_arguments_are_one_line(self):
        name = self.write()
        for arguments, code in ((["--backends", "gpu"], 2), (["--isa", "sse"], 2), (["--steps", "0"], 2), (["--trajectories", "-1"], 2), (["--set", "run.stepz=1"], 2),
                                (["--backends", "reference", "--precision", "single"], 2), (["--precision", "single", "--with-single"], 2)):
            result = self.polhode("crosscheck", name, *arguments)
            self.assertEqual(result.returncode, code, arguments)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertEqual(result.stdout, "")
        for option in ("--steps", "--trajectories"):
            for value in ("0", "1.5", "x", "9" * 30):
                self.assertEqual(self.polhode("crosscheck", name, option, value).stderr,
                                 f'polhode: cannot use these arguments ({option}: "{value}" is not a positive integer, in digits). See polhode crosscheck --help.\n')
        listed = self.polhode("list", "backends", "--json").stdout
        if '"cuda"' in listed and not any(backend["name"] == "cuda" and backend.get("available") for backend in json.loads(listed)):
            self.assertEqual(self.polhode("crosscheck", name, "--backends", "cuda").returncode, 3)

    def test_text(self):
        result = self.polhode("crosscheck", self.write(), *FEW)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[-1], "all checks passed")
        # The words for people are not those of the JSON.
        words = {"kept": "passed", "broken": "failed", "skipped": "skipped"}
        findings = self.report(self.write(), *FEW)["findings"]
        self.assertEqual([line.split()[0] for line in lines[1:-1]], [words[finding["verdict"]] for finding in findings])
        self.assertEqual({word for finding in findings for word in finding}, {"subject", "promise", "verdict", "text", "figures"})
        self.assertIn("heavy-top by rattle (cayley), double precision, 8 trajectories, 400 steps of 0.05", result.stdout)


if __name__ == "__main__":
    unittest.main()
