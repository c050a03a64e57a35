#!/usr/bin/env python3
"""The schema of the configuration that the program prints: for editors, for people, and against what it accepts.

Run with POLHODE set to the program's path."""

import json
import subprocess
import sys
import tomllib
import unittest

import jsonschema

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest, datasets

ROOT = EXAMPLES.parent


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

    def test_help_and_page_have_every_key(self):
        text = self.polhode("run", "--help").stdout
        for table in self.schema["properties"].values():
            for kind in table.get("oneOf", [table]):
                for key in kind["properties"] if "from" in kind["properties"] or "oneOf" not in table else ("name",):
                    self.assertIn(f"\n  {key} ", text)
        done = subprocess.run([sys.executable, ROOT / "scripts" / "document-catalog", PROGRAM, "--check"],
                              capture_output=True, text=True)
        self.assertEqual((done.stdout + done.stderr, done.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
