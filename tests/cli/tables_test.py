#!/usr/bin/env python3
"""Runge-Kutta methods by their tables: named ones and one's own, what is refused, and where a table is seen afterwards.

Run with POLHODE set to the program's path."""

import json
import os
import re
import subprocess
import unittest

import h5py

from command_line import EXAMPLES, PROGRAM, CliTest, datasets

CONFIG = """
[system]
name = "{system}"
{parameters}
[method]
name = "{method}"
step = {step}
[ensemble]
from = "random"
distribution = "cloud"
state = {state}
width = 0.01
count = 33
[run]
steps = 200
backend = "cpu"
[output]
file = "out.h5"
"""
HENON_HEILES = CONFIG.format(system="henon-heiles", parameters="", method="runge-kutta", step=0.1, state=[0.1, 0.1, 0.2, 0.1])
PENDULUM = CONFIG.format(system="spherical-pendulum", parameters="m = [1.0]\nl = [1.0]\ng = 1.0", method="runge-kutta-projected", step=0.05,
                         state=[0.6, 0, -0.8, 0, 0.5, 0])
ORDERS = {"euler": 1, "heun": 2, "midpoint": 2, "kutta3": 3, "rk4": 4, "dopri5": 5, "verner6": 6, "dop853": 8}
RALSTON = "[[0, 0, 0], [0.5, 0, 0], [0, 0.75, 0], [0.2222222222222222, 0.3333333333333333, 0.4444444444444444]]"
KUTTA_ROWS = f"[[0, 0, 0], [0.5, 0, 0], [-1, 2, 0], [{1 / 6}, {2 / 3}, {1 / 6}]]"
RALSTON_ROWS = [[0, 0, 0], [0.5, 0, 0], [0, 0.75, 0], [2 / 9, 1 / 3, 4 / 9]]


def with_table(table):
    return ("--set", f"method.table={table}")


class Tables(CliTest):
    def setUp(self):
        super().setUp()
        self.name = self.write(HENON_HEILES)

    def json_of(self, *arguments):
        done = self.polhode(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_named_tables(self):
        """The better the order, the smaller the change of the energy; the file and the report say which table it was."""
        drifts = []
        for table, order in ORDERS.items():
            said = self.run_with(self.name, f"{table}.h5", *with_table(table))
            self.assertIn(f"by runge-kutta ({table}, order {order}; stages)", said)
            with h5py.File(self.path / f"{table}.h5") as file:
                self.assertEqual([file.attrs[key] for key in ("method", "table", "order")], ["runge-kutta", table, order])
                drifts.append(file["invariants/max_drift"][:].max())
            self.assertRegex(self.polhode("info", f"{table}.h5").stdout, rf"\n  table +{table}\n")
        for coarse, fine in ((0, 1), (1, 3), (3, 4), (4, 5), (5, 6), (6, 7)):
            self.assertGreater(drifts[coarse], 3 * drifts[fine], (coarse, fine, drifts))
        # The default is rk4.
        self.run_with(self.name, "default.h5")
        self.assert_same_datasets("default.h5", datasets(self.path / "rk4.h5"), "the default table")

    def test_a_table_of_ones_own_that_has_a_name_is_that_one(self):
        for table, rows in (("heun", "[[0, 0], [1, 0], [0.5, 0.5]]"), ("euler", "[[0], [1]]"),
                            ("rk4", f"[[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0], [{1 / 6}, {1 / 3}, {1 / 3}, {1 / 6}]]")):
            self.run_with(self.name, "named.h5", *with_table(table))
            said = self.run_with(self.name, "own.h5", *with_table(rows))
            self.assertIn(f"({table}, order {ORDERS[table]}; stages)", said)
            self.assert_same_datasets("own.h5", datasets(self.path / "named.h5"), table)

    def test_a_table_of_ones_own(self):
        said = self.run_with(self.name, "own.h5", *with_table(RALSTON))
        self.assertIn("by runge-kutta (own table, order 3; stages)", said)
        with h5py.File(self.path / "own.h5") as file:
            self.assertEqual(file.attrs["order"], 3)
            self.assertEqual(list(file.attrs["table"]), [x for row in RALSTON_ROWS for x in row])
        # The result runs again as it says.
        self.run_with("own.h5", "again.h5")
        self.assert_same_datasets("again.h5", datasets(self.path / "own.h5"), "from the result")
        # A stage that nothing depends on changes nothing: not a bit.
        rows = [[*row, 0] for row in RALSTON_ROWS]
        rows.insert(3, [0.1, 0.2, 0.3, 0])
        self.run_with(self.name, "longer.h5", *with_table(rows))
        self.assert_same_datasets("longer.h5", datasets(self.path / "own.h5"), "with an unused stage")
        # Another table is another method.
        other = RALSTON.replace("0.5, 0, 0", "0.5000001, 0, 0")
        said = self.run_with(self.name, "other.h5", *with_table(other))
        self.assertIn("(own table, order 1; stages)", said)
        self.assertNotEqual(datasets(self.path / "other.h5")["final/state"], datasets(self.path / "own.h5")["final/state"])

    def test_an_order_that_is_missed_by_little_is_remarked(self):
        """What digits that are left out do. Order 2 holds to the change of one coefficient, times its weight."""
        other = RALSTON.replace("0.5, 0, 0", "0.5000001, 0, 0")
        self.assertIn("\n  own table, order 1: it misses order 3 by 3e-08; are all of its digits given?\n", self.run_with(self.name, "other.h5", *with_table(other)))
        for table in (RALSTON, "rk4", "[[0, 0], [1, 0], [0.75, 0.25]]"):  # the last one is not near to another order
            self.assertNotIn("digits", self.run_with(self.name, "whole.h5", *with_table(table)))

    def test_instruction_sets_and_the_reference_agree(self):
        for name, table in ((self.name, "dop853"), (self.name, RALSTON), (self.write(PENDULUM, "pendulum.toml"), "verner6"), ("pendulum.toml", RALSTON)):
            findings = self.json_of("crosscheck", name, *with_table(table), "--steps", "50", "--trajectories", "8", "--backends", "cpu,reference", "--json")
            self.assertRegex(findings["subject"], r"by runge-kutta(-projected)? \((verner6|dop853|own table), order [368]; ")
            self.assertEqual({finding["verdict"] for finding in findings["findings"]}, {"kept"}, findings)
            self.assertTrue(any(finding["subject"].startswith("reference against cpu") for finding in findings["findings"]), findings)

    def test_the_order_is_seen(self):
        for table, order in (("verner6", 6), (RALSTON, 3)):
            self.assertIn(f"declared {order}\n", self.polhode("order", self.name, "--trajectories", "4", *with_table(table)).stdout)
            done = self.polhode("order", self.name, "--trajectories", "4", *with_table(table), "-o", "order.json", "--force")
            self.assertEqual(done.returncode, 0, done.stderr)
            method = json.loads((self.path / "order.json").read_text())["method"]
            self.assertEqual((method["name"], method["options"]["table"]), ("runge-kutta", table if order == 6 else RALSTON_ROWS))

    def test_what_is_refused(self):
        cases = [
            ("'rk5'", 'unknown value "rk5"; nearest known: "rk4"'),
            ("[]", "neither a string nor a list of lists"), ("[0.5, 0.5]", "neither a string nor a list of lists"), ("4", "neither a string nor a list of lists"),
            ("[[]]", "an element is empty"), ("[[0, 0], [1], [0.5, 0.5]]", "row 1 has 1 numbers"), ("[[0, 0], 1, [0.5, 0.5]]", "an element is not a list"),
            ("[[0, 0], [1, 0]]", "it has 2 rows of 2 numbers", "a last row with the weights"),
            ("[[0]]", "it has 1 row of 1 number)"),
            ("[[0, 0], [1, 0], [0.5, 0.5], [0, 1]]", "it has 4 rows of 2 numbers"),
            ("[[0, 0.5], [1, 0], [0.5, 0.5]]", "it has 0.5 in row 0, column 1, counted from 0, and is not explicit"),
            ("[[0, 0], [1, 2], [0.5, 0.5]]", "row 1, column 1", "not explicit"),
            ("[[0, 0], [nan, 0], [0.5, 0.5]]", "not finite in row 1, column 0"),
            ("[[0, 0], [1e4, 0], [0.5, 0.5]]", "row 1, column 0", "from -1000 to 1000"),
            ("[[0, 0], ['a', 0], [0.5, 0.5]]", "not a number in row 1, column 0"),
            ("[[0, 0], [1, 0], [0.5, 0.25]]", "its weights sum up to 0.75)"), ("[[0, 0], [1, 0], [0.5, 0.4]]", "its weights sum up to 0.9)"),
            ("[[0], [1.000000000000004]]", "its weights sum up to 1.000000000000004)"),
            (str([[0] * 18] * 18 + [[1] + [0] * 17]), "it has 18 stages", "Give 17 at most"),
        ]
        for table, *words in cases:
            with self.subTest(table):
                before = sorted(self.path.rglob("*"))
                self.expect_error(self.polhode("run", self.name, *with_table(table)), 2, "cannot use method.table", *words)
                self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")
        # Nothing is compiled for a user's own system but its description, which says what methods it has.
        header = self.write((EXAMPLES / "own_system/neumann.hpp").read_text(), "neumann.hpp")
        own = self.write((EXAMPLES / "own_system/neumann.toml").read_text().replace('"rattle"', '"runge-kutta-projected"'), "own.toml")
        for number, (table, words) in enumerate((("[[0, 0.5], [1, 0], [0.5, 0.5]]", "not explicit"), ("[[0, 0], [1e4, 0], [0.5, 0.5]]", "from -1000 to 1000"),
                                                 ("[[0, 0], [1, 0], [0.5, 0.25]]", "its weights sum up to 0.75"), ("[[0, 0], [1, 0]]", "it has 2 rows"), ("'rk5'", "unknown value"))):
            with self.subTest(table, header=header):
                cache = self.path / f"cache-{number}"
                done = self.polhode("run", own, "--backend", "cpu", *with_table(table), env=os.environ | {"POLHODE_CACHE": str(cache)})
                self.expect_error(done, 2, "cannot use method.table", words)
                self.assertEqual([re.sub("-[0-9a-f]{16}", "", path.name) for path in cache.rglob("*.so")], ["neumann-description-scalar.so"])
        self.expect_error(self.polhode("run", self.name, "--set", "method.name=rk4", *with_table("rk4")), 2, "unknown key method.table", "rk4 has no such key")
        self.expect_error(self.polhode("run", self.name, "--set", "method.composition=yoshida4"), 2, "neither symmetric nor has an adjoint")
        self.run_with(self.name, "long.h5", *with_table(str([[0] * 17] * 17 + [[1] + [0] * 16])), "--set", "run.steps=1")

    def test_resume_asks_for_the_same_table(self):
        name = self.write(HENON_HEILES.replace("steps = 200", "steps = 900000000\nsegment = 1000\ncheckpoint = 0").replace("step = 0.1", f"step = 0.01\ntable = {RALSTON}"))
        self.run_until(self.has_checkpoint, name)
        for other in ("rk4", RALSTON.replace("0.5, 0, 0", "0.25, 0, 0")):
            self.expect_error(self.polhode("run", name, "--resume", *with_table(other)), 2, "cannot resume", "method.table")
        self.assertTrue((self.path / "out.h5.part").exists())
        name = self.write(HENON_HEILES.replace("steps = 200", "steps = 200000").replace("step = 0.1", "step = 0.01\ntable = 'dopri5'"))
        self.polhode("run", name, "--force", "--set", "run.steps=1")  # in place of what was begun above
        self.assertFalse((self.path / "out.h5.part").exists())
        (self.path / "out.h5").unlink()
        self.expect_same_after_kills(2, name, ["--set", "run.segment=500", "--set", "run.checkpoint=0", "--threads", "1"], ["--set", "run.segment=333"])

    def test_cite_has_the_source_of_the_table(self):
        for table, source in (("kutta3", "Kutta1901"), ("dopri5", "DormandPrince1980"), ("verner6", "Verner1978"), (RALSTON, None), (KUTTA_ROWS, "Kutta1901")):
            self.run_with(self.name, "out.h5", "--set", "run.steps=1", *with_table(table))
            cited = set(re.findall(r"^@\w+\{(\w+),", self.polhode("cite", "out.h5").stdout, re.M))
            self.assertIn("HairerNorsettWanner1993", cited)
            self.assertEqual(cited & {"Kutta1901", "DormandPrince1980", "Verner1978"}, {source} if source else set())

    def test_list_says_whose_order_it_is(self):
        self.assertIn("\n  order of its table, 4 by default\n", self.polhode("list", "methods", "runge-kutta").stdout)
        self.assertIn("\n  order 4\n", self.polhode("list", "methods", "rk4").stdout)
        methods = self.json_of("list", "methods", "--json")
        self.assertEqual({method["name"] for method in methods if method.get("table") == "table"}, {"runge-kutta", "runge-kutta-projected"})

    def test_kernels_are_made_for_a_table(self):
        """A configuration's own in advance; of all methods, the default table alone."""
        cache = self.path / "cache"
        environment = os.environ | {"POLHODE_CACHE": str(cache)}

        def compiled(*arguments):
            done = subprocess.run([PROGRAM, *arguments], cwd=self.path, capture_output=True, text=True, timeout=600, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            return {re.sub(r"-[0-9a-f]{16}\.so$", "", path.name) for path in cache.rglob("*.so")}

        names = [self.write(HENON_HEILES.replace("step = 0.1", f"step = 0.1\ntable = {table}").replace('"cpu"', '"cpu"\nisa = "scalar"'), f"{k}.toml")
                 for k, table in enumerate(("'dopri5'", RALSTON))]
        kernel = "HenonHeiles-ExplicitRungeKuttaMap-{}-stages-double-scalar"
        expected = {kernel.format("dopri5"), "HenonHeiles-scalar"}
        self.assertEqual(compiled("compile", names[0]), expected)
        self.assertEqual(compiled("run", names[0]), expected)
        expected.add(kernel.format("own-table"))
        self.assertEqual(compiled("compile", names[1]), expected)
        self.assertEqual(compiled("run", names[1], "--force"), expected)


if __name__ == "__main__":
    unittest.main()
