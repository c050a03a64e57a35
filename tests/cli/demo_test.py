#!/usr/bin/env python3
"""scripts/demo builds the program that it runs, and no tests, whose compilers' complaints are not its user's."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

DEMO = pathlib.Path(__file__).resolve().parents[2] / "scripts/demo"
# In place of scripts/build and of the program: write down what they are asked for.
BUILD = """#!/usr/bin/env bash
root=$(cd "$(dirname "$0")/.." && pwd)
echo "build $*" >>"$root/asked"
mkdir -p "$root/build/release" && cp "$root/program" "$root/build/release/polhode"
"""
PROGRAM = """#!/usr/bin/env bash
root=$(cd "$(dirname "$0")/../.." && pwd)
echo "$*" >>"$root/asked"
"""


class Demo(unittest.TestCase):
    def test_builds_what_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "scripts").mkdir()
            shutil.copy(DEMO, root / "scripts")
            for path, text in ((root / "scripts/build", BUILD), (root / "program", PROGRAM)):
                path.write_text(text)
                path.chmod(0o755)
            done = subprocess.run([root / "scripts/demo"], cwd=root, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            build, *asked = (root / "asked").read_text().splitlines()
        self.assertEqual(build, "build release polhode")
        self.assertEqual([line.split()[0] for line in asked], ["run", "plot"])


if __name__ == "__main__":
    unittest.main()
