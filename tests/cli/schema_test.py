#!/usr/bin/env python3
"""The schema of the configuration that the program prints: for editors, for people, and against what it accepts; and the
pages of the site that are made of the schema and the catalog.

Run with POLHODE set to the program's path."""

import json
import re
import subprocess
import sys
import tomllib
import unittest

import jsonschema

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest, datasets

sys.path.insert(0, str(EXAMPLES.parent / "site"))
import catalog_pages


class Schema(CliTest):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([PROGRAM, "list", "schema"], capture_output=True, text=True, check=True)
        cls.schema = json.loads(done.stdout)

    def errors(self, text):
        return [error.message for error in jsonschema.Draft202012Validator(self.schema).iter_errors(tomllib.loads(text))]

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_examples_are_valid(self):
        examples = sorted(EXAMPLES.glob("*.toml"))
        self.assertGreater(len(examples), 10)
        for example in examples:
            with self.subTest(example.name):
                self.assertEqual(self.errors(example.read_text()), [])

    def test_an_own_system_needs_no_name(self):
        done = self.polhode("list", "schema", "--system", str(EXAMPLES / "own_system" / "neumann.hpp"))
        self.assertEqual(done.returncode, 0, done.stderr)
        validator = jsonschema.Draft202012Validator(json.loads(done.stdout))
        text = (EXAMPLES / "own_system" / "neumann.toml").read_text()
        self.assertIn("header = ", text)
        wrong = lambda text: [error.message for error in validator.iter_errors(tomllib.loads(text))]
        self.assertEqual(wrong(text), [])
        self.assertEqual(wrong(text.replace("header = ", 'name = "neumann"\nheader = ')), [])
        self.assertIn('name = "rattle"', text)
        self.assertEqual(len(wrong(text.replace('name = "rattle"', 'name = "moser-veselov"'))), 1)

    def test_agrees_with_the_program_on_what_is_wrong(self):
        """Each change is one that neither lets pass."""
        changes = [
            ("steps = 600", "steps = 0"), ("steps = 600", "steps = 600.5"), ("steps = 600", "stepz = 600"),
            ("steps = 600", 'steps = 600\nbackend = "gpu"'), ("steps = 600", "steps = 600\nthreads = -1"),
            ("step = 0.05", "step = 0"), ("step = 0.05", 'step = "small"'), ("step = 0.05", ""),
            ("step = 0.05", 'step = 0.05\nsolver = "caley"'), ('"rattle"', '"ratle"'), ('"heavy-top"', '"heavy-topp"'),
            ("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5]"), ("alpha = [0.44, 0.5, 1.0]", "alfa = [0.44, 0.5, 1.0]"),
            ("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, -1]"), ('"gamma3"', '"gama3"'),
            ('"gamma3"', '"gamma3"\ndirection = "upp"'), ("grid = [6, 6]", "grid = [6]"), ("grid = [6, 6]", "grid = [0, 6]"),
            ("grid = [6, 6]", "grid = [6, 6]\nstates = [[1, 2, 3, 0, 0, 1]]"), ('from = "section"', 'from = "sektion"'),
            ('file = "out.h5"', 'file = "out.h5"\ncompression = 10'), ("[output]", "[outptu]"),
            ("[output]", '[density]\naxes = ["pi1", "pi9"]\nbins = [4, 4]\nrange = [[0, 1], [0, 1]]\n[output]'),
            ("[output]", '[statistics]\nevery = 0\nobservables = ["pi1"]\n[output]'),
        ]
        self.assertEqual(self.errors(CONFIG), [])
        for old, new in changes:
            with self.subTest(new):
                self.assertIn(old, CONFIG)
                text = CONFIG.replace(old, new)
                self.assertNotEqual(self.errors(text), [])
                self.assertEqual(self.polhode("run", self.write(text)).returncode, 2)

    def test_tables_are_names_or_rows(self):
        for table, is_right in (("'dop853'", True), ("[[0, 0], [1, 0], [0.5, 0.5]]", True), ("'rk5'", False), ("[0.5, 0.5]", False), ("4", False),
                                ("[[0], ['a']]", False), ("[[0], [1001]]", False)):
            with self.subTest(table):
                text = CONFIG.replace('"rattle"', f'"runge-kutta"\ntable = {table}')
                self.assertEqual(self.errors(text) == [], is_right)
                self.assertEqual(self.polhode("run", self.write(text), "--dry-run").returncode, 0 if is_right else 2)

    def test_defaults_are_those_of_the_program(self):
        """A run that is told every default is the run that is told none: it resumes the other's checkpoint."""
        defaults = []
        for name in ("run", "section", "record"):
            for key, row in self.schema["properties"][name]["properties"].items():
                if "default" in row:
                    defaults += ["--set", f"{name}.{key}={json.dumps(row['default'])}"]
        self.assertGreater(len(defaults), 20)
        config = self.write()
        for arguments, file in (([], "plain.h5"), (defaults, "told.h5")):
            done = self.polhode("run", config, "-o", file, *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same_datasets("told.h5", datasets(self.path / "plain.h5"), "with every default given")

    def test_list_of_keys_has_all(self):
        text = self.polhode("list", "keys").stdout
        for table in self.schema["properties"].values():
            for kind in table.get("oneOf", [table]):
                for key in kind["properties"] if "from" in kind["properties"] or "oneOf" not in table else ("name",):
                    self.assertIn(f"\n  {key} ", text)
        self.assertEqual(json.loads(self.polhode("list", "keys", "--json").stdout), self.schema)


class Pages(CliTest):
    """The tables of the site."""

    def sections(self, page, heading="## "):
        """Text of each section of a page, by its title."""
        parts = f"\n{catalog_pages.TABLES[page]()}".split(f"\n{heading}")
        return {title: text for title, text in (part.split("\n", 1) for part in parts[1:])}

    def assert_rows(self, names, text):
        for name in names:
            self.assertRegex(text, rf"(?m)^\| [^|]*`{re.escape(name)}`")

    def test_configuration_has_every_key(self):
        schema = catalog_pages.listed("schema")
        sections = self.sections("configuration.md")
        self.assertEqual([title.split(",")[0] for title in sections], [f"[{name}]" for name in schema["properties"]])
        for table, text in zip(schema["properties"].values(), sections.values()):
            kinds = table.get("oneOf", [table])
            parts = text.split("\n### ")[1:] if "oneOf" in table else [text]
            self.assertEqual(len(parts), len(kinds))
            for kind, part in zip(kinds, parts):
                is_system = {"header", "hamiltonian"} & kind["properties"].keys()
                self.assert_rows(kind["properties"].keys() - ({"name", "header"} if is_system else {}), part)

    def test_systems_and_methods_are_all_there(self):
        systems, methods = (catalog_pages.listed(topic, "--json") for topic in ("systems", "methods"))
        sections = self.sections("systems.md")
        self.assertEqual(list(sections), [system["name"] for system in systems])
        for system in systems:
            text = sections[system["name"]]
            for quantities in ("columns", "parameters", "observables", "invariants"):
                self.assert_rows([quantity["name"] for quantity in system[quantities]], text)
        sections = self.sections("methods.md")
        self.assertEqual(set(sections), {method["name"] for method in methods})
        for method in methods:
            text = sections[method["name"]]
            self.assertIn(f"[`{method['system']}`](systems.md#{method['system']})", text)
            self.assert_rows([solver["name"] for solver in method["solvers"] if solver["name"]], text)
            self.assert_rows([option["name"] for option in method["options"] if option["name"] != "composition"], text)

    def test_introductions_say_where_the_tables_are(self):
        for page in catalog_pages.TABLES:
            text = " ".join((EXAMPLES.parent / "docs" / page).read_text().split())
            self.assertRegex(text, r"The site lists all \w+ here; `polhode list")


if __name__ == "__main__":
    unittest.main()
