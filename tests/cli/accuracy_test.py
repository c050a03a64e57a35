#!/usr/bin/env python3
"""polhode order and workprec: tables, JSON, pictures, and what they refuse (that the figures are right is tested in
backends).

Run with POLHODE set to the program's path."""

import json
import unittest

from command_line import CONFIG, EXAMPLES, CliTest

TOP = CONFIG.replace("1.0]", "1.0]\nc = 1")
FEW = ["--trajectories", "8", "--steps", "200"]


class Accuracy(CliTest):
    def measure(self, *arguments, code=0):
        result = self.polhode(*arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def test_order_of_rattle(self):
        self.write(TOP)
        table = self.measure("order", "config.toml", *FEW)
        self.assertTrue(table.startswith("heavy-top by rattle (cayley): 8 trajectories after a time of "), table)
        self.assertEqual(table.splitlines()[-1], "order 2.00, declared 2")
        report = json.loads(self.measure("order", "config.toml", *FEW, "--json"))
        self.assertEqual((report["polhode"], report["system"], report["method"]["name"], report["declared"], report["settled"]), ("order", "heavy-top", "rattle", 2, True))
        self.assertAlmostEqual(report["measured"], 2, delta=0.05)
        steps = [row["step"] for row in report["rows"]]
        for longer, shorter in zip(steps, steps[1:]):
            self.assertAlmostEqual(longer, 2 * shorter)
        self.assertEqual({row["steps"] * row["step"] for row in report["rows"] if row["in_range"]}, {report["time"]})

    def test_no_order_is_said_so(self):
        self.write(TOP)
        table = self.measure("order", "config.toml", "--steps", "1", "--set", "method.step=1e-9", code=1)
        self.assertIn("no order can be seen", table)
        self.assertIsNone(json.loads(self.measure("order", "config.toml", "--steps", "1", "--set", "method.step=1e-9", "--json", code=1))["measured"])

    def test_work_and_precision(self):
        self.write(TOP)
        table = self.measure("workprec", "config.toml", *FEW, "--methods", "rattle,splitting", "-o", "figures.json")
        self.assertIn("heavy-top: 8 trajectories over a time of 10, section gamma3 = 0, up, double precision, one thread, ", table)
        for share in ("50%", "90%"):
            self.assertIn(f"cheapest for an error of the state, in {share} of the orbits, of", table)
        self.assertRegex(table, r"(?m)^method +step +ns +stages +state 50% +90% +99% +largest +points +energy$")
        report = json.loads((self.path / "figures.json").read_text())
        self.assertEqual((report["polhode"], report["trajectories"], report["time"]), ("work-precision", 8, 10))
        self.assertEqual(len(report["references"]["methods"]), 2)
        self.assertTrue(report["references"]["independent"])
        self.assertLess(report["references"]["states_apart"], 1e-11)
        self.assertEqual({curve["method"]["name"] for curve in report["curves"]}, {"rattle", "splitting"})
        self.assertEqual(report["shares"], [0.5, 0.9, 0.99, 1])
        self.assertRegex(table, r"\n  (no orbit is|\d of 8 orbits (is|are)) chaotic over this time")
        self.assertTrue(0 <= report["chaotic"] <= 8)
        for row in (row for curve in report["curves"] for row in curve["rows"] if row["failed"] == 0 and row["state_error"] is not None):
            errors = row["state_errors"]
            self.assertEqual((errors[0], len(errors), len(row["states_resolved"])), (row["state_error"], 4, 4))
            self.assertEqual(errors, sorted(errors))
            self.assertEqual(errors[1:], [errors[3]] * 3)  # of 8 orbits more than nine tenths are all
        for curve in report["curves"]:
            # Shorter steps have less, until round-off is what is left: at most half a unit of the last place a stage.
            errors = [row["state_error"] for row in curve["rows"] if row["failed"] == 0 and row["state_resolved"]
                      and row["state_error"] > row["stages_per_time"] * report["time"] * 2**-53]
            self.assertEqual(errors, sorted(errors, reverse=True), curve["label"])
            self.assertGreater(len(errors), 1, curve["label"])
            self.assertTrue(all(row["nanoseconds_per_time"] > 0 for row in curve["rows"]))
        self.assertEqual(list(self.path.glob("*.part")), [])

    def test_methods_that_cannot_be_used_are_named(self):
        self.write(TOP)
        table = self.measure("workprec", "config.toml", *FEW)
        self.assertIn("without moser-veselov: it is for the free body: c must be 0", table)
        report = json.loads(self.measure("workprec", "config.toml", *FEW, "--json"))
        self.assertEqual([method["label"] for method in report["unusable"]], ["moser-veselov"])

    def test_methods_without_a_kernel_are_named(self):
        environment = self.compiled_alone(self.write(TOP))
        result = self.polhode("workprec", "config.toml", *FEW, "--json", env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual({curve["method"]["name"] for curve in report["curves"]},
                         {"rattle", "constraint-euler", "constraint-euler-adjoint"})  # by one kernel
        why = {method["label"]: method["why"] for method in report["unusable"]}
        self.assertIn("there is no kernel heavy-top, splitting", why["splitting"])
        self.assertEqual([method["label"] for method in report["unusable"]].count("splitting"), 1)  # not for each table
        result = self.polhode("workprec", "config.toml", *FEW, "--methods", "rattle,splitting", env=environment)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("there is no kernel heavy-top, splitting", result.stderr)

    def test_without_a_section_or_with_one_that_ends_orbits(self):
        self.write(TOP.replace('[section]\nname = "gamma3"\n', ""))
        report = json.loads(self.measure("workprec", "config.toml", *FEW, "--methods", "rattle", "--json"))
        self.assertEqual({row["point_error"] for curve in report["curves"] for row in curve["rows"]}, {None})
        self.assertEqual(report["section"], "")
        self.write(TOP.replace('"gamma3"', '"gamma3"\nterminal = true'))
        report = json.loads(self.measure("workprec", "config.toml", *FEW, "--methods", "rattle", "--json"))
        self.assertEqual(report["curves"][0]["rows"][-1]["failed"], 0)  # orbits go on
        self.assertEqual(report["section"], "gamma3 = 0, up")

    def test_pictures(self):
        self.write(TOP)
        self.measure("order", "config.toml", *FEW, "-o", "order.json")
        self.assertIn("order.png: order 2.00 of rattle on heavy-top", self.measure("plot", "order.json"))
        self.measure("workprec", "config.toml", *FEW, "-o", "all.json")
        self.assertIn("work and precision of ", self.measure("plot", "all.json", "-o", "all.svg"))
        for picture, magic in (("order.png", b"\x89PNG"), ("all.svg", b"<?xml")):
            self.assertEqual((self.path / picture).read_bytes()[: len(magic)], magic)

    def test_every_example_has_an_order(self):
        for example in sorted(EXAMPLES.glob("*.toml")):
            if example.stem in ("water", "butane"):  # whose states a script makes
                continue
            with self.subTest(example=example.name):
                report = json.loads(self.measure("order", example, *FEW, "--json"))
                self.assertAlmostEqual(report["measured"], report["declared"], delta=0.5)

    def test_refusals_are_one_line_and_leave_nothing(self):
        self.write(TOP)
        (self.path / "there.json").write_text("mine")
        for arguments, words in (
            (["order", "config.toml", "-o", "there.json"], "already exists"),
            (["workprec", "config.toml", "-o", "there.json"], "already exists"),
            (["order", "config.toml", "-o", "order.txt"], "ends in .json"),
            (["order", "config.toml", "-o", "nowhere/order.json"], "its folder does not exist or"),
            (["workprec", "config.toml", "--methods", "ratle"], 'no method "ratle"; nearest known: "rattle"'),
            (["workprec", "config.toml", "--methods", "moser-veselov"], "none of the methods can be used"),
            (["order", "config.toml", "--steps", "0"], "not a positive integer"),
            (["order", "config.toml", "--set", "method.step=0"], "method.step"),
            (["order", "missing.toml"], "missing.toml"),
            (["plot", "there.json"], "it is no JSON"),
            (["plot", "there.json", "config.toml"], "Give it alone"),
            (["plot", "there.json", "--view", "section"], "cannot use --view with a measurement"),
        ):
            with self.subTest(arguments):
                result = self.polhode(*arguments)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(sorted(path.name for path in self.path.iterdir()), ["config.toml", "there.json"])
        self.assertEqual((self.path / "there.json").read_text(), "mine")
        self.measure("order", "config.toml", *FEW, "-o", "there.json", "--force")
        self.assertEqual(json.loads((self.path / "there.json").read_text())["polhode"], "order")
        for text, words in (
            ('{"polhode": "run"}', "not from polhode order or workprec"),
            ("[]", "not from polhode order or workprec"),
            ('{"polhode": ["order"]}', "not from polhode order or workprec"),
            ("[" * 100000, "it is no JSON"),
            ('{"polhode": "order"}', "it has no system"),
            ((self.path / "there.json").read_text().replace('"in_range"', '"other"'), "it has no row: in_range"),
            ('{"polhode": "work-precision", "system": "", "trajectories": 1, "time": 1, "isa": "", "references": {"independent": true}, "curves": [{"label": 1}]}', "it has no curve: label"),
        ):
            (self.path / "other.json").write_text(text)
            result = self.polhode("plot", "other.json")
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
            self.assertIn(words, result.stderr)
            self.assertFalse((self.path / "other.png").exists())

    def test_steps_that_are_too_long_are_halved_until_they_are_not(self):
        text = CONFIG.replace('"heavy-top"\nalpha = [0.44, 0.5, 1.0]', '"henon-heiles"').replace('"rattle"\nstep = 0.05', '"stoermer-verlet"\nstep = 10')
        text = text[: text.index("[ensemble]")] + '[ensemble]\nfrom = "states"\nstates = [[0, 0.1, 0.3, 0.2], [0.2, 0, 0.2, -0.1]]\n[run]\nsteps = 4\n'
        self.write(text)
        self.assertEqual(self.measure("order", "config.toml").splitlines()[-1], "order 2.00, declared 2")
        self.assertIn("2 trajectories over a time of 40", self.measure("workprec", "config.toml", "--methods", "splitting"))

    def test_steps_that_all_fail(self):
        self.write(TOP.replace("step = 0.05", "step = 4e9"))
        table = self.measure("order", "config.toml", "--steps", "4", code=1)
        self.assertIn("no order can be seen: by no two steps do half of the trajectories come to the end", table)
        result = self.polhode("workprec", "config.toml", "--steps", "4", "--methods", "rattle")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stdout)
        self.assertIn("by none of this system do half of the trajectories come to the end", result.stderr)

    def test_states_at_rest(self):
        text = TOP[: TOP.index("[ensemble]")] + '[ensemble]\nfrom = "states"\nstates = [[0, 0, 0, 0, 0, 1]]\n[run]\nsteps = 100\n'
        self.write(text)
        self.assertIn("no order can be seen", self.measure("order", "config.toml", code=1))
        table = self.measure("workprec", "config.toml", "--methods", "splitting")
        self.assertIn("1 trajectory over a time of 5", table)
        # Two lists of targets, for half and for most of the orbits, down to round-off and no further.
        self.assertLess(len(table.splitlines()), 56)


if __name__ == "__main__":
    unittest.main()
