#!/usr/bin/env python3
"""Types: the package's own, those that a user's mistakes meet, and the names in `__init__.pyi`."""

import ast
import os
import pathlib
import subprocess
import sys
import unittest

from package_support import ROOT, Package

import polhode as ph

PACKAGE = pathlib.Path(ph.__file__).parent

USE = """import polhode as ph

good = ph.run(ph.System("heavy-top", c=1.0), ph.Method("rattle", step=0.05), ph.starts.Section((4, 4), 1.0), 10, section=ph.Section("gamma3"))
good.section.to_pandas(), good.plot.section(colour="drift"), ph.open("x.h5").configuration.replace(**{"run.steps": 3}).run()
ph.Section("gamma3", directoin="up")
ph.run(ph.Method("rattle", step=0.05), ph.Method("rattle", step=0.05), ph.starts.Section((4, 4), 1.0), 10)
ph.Section("gamma3", direction="upward")
good.sektion
ph.sistem
"""


UNLIKE = r"""
polhode\._core\..*  # functions of nanobind's, which are none of Python's; it has written their types itself
polhode\.arrays\.pandas  # imported for its types alone
polhode\.picture\.Page\.set  # matplotlib gives each artist one of its own
"""


class Types(Package):
    def test_the_package_is_strict_and_a_users_mistakes_are_seen(self):
        files = [file for file in sorted(PACKAGE.glob("*.py")) if file.name != "__init__.py"]
        self.assertGreater(len(files), 45)
        use = self.path / "use.py"
        use.write_text(USE)
        options = ["--strict", "--follow-imports=silent", "--disable-error-code=import-untyped", f"--cache-dir={self.path}"]
        done = subprocess.run([sys.executable, "-m", "mypy", *options, *files, use], capture_output=True, text=True, env=os.environ | {"MYPYPATH": str(PACKAGE.parent)})
        errors = [line for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual([line for line in errors if "use.py:" not in line], [], done.stderr)
        self.assertEqual(sorted({int(line.split("use.py:")[1].split(":")[0]) for line in errors}), [5, 6, 7, 8, 9], done.stdout)

    def test_the_types_are_those_at_run_time(self):
        settings, unlike = self.path / "mypy.ini", self.path / "unlike"
        settings.write_text("[mypy]\ndisable_error_code = import-untyped\n")
        unlike.write_text(UNLIKE)
        options = ["--concise", "--ignore-unused-allowlist", f"--allowlist={unlike}", f"--mypy-config-file={settings}"]
        environment = os.environ | {"MYPYPATH": str(PACKAGE.parent)}
        done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "polhode", *options], capture_output=True, text=True, env=environment, cwd=self.path)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_package_is_clean(self):
        done = subprocess.run([sys.executable, "-m", "ruff", "check", "--output-format=concise", ROOT / "python"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "All checks passed!\n"))

    def test_all_names_are_on_the_page_of_the_api(self):
        page = (ROOT / "docs" / "python-api.md").read_text()
        defined = {f"{value.__module__}.{value.__name__}" for name in ph.__all__ if name != "starts" for value in [getattr(ph, name)]}
        defined |= {f"polhode.vocabulary.{getattr(ph.starts, name).__name__}" for name in ph.starts.__all__}
        for name in defined:
            self.assertIn(f"::: {name}\n", page + "\n")

    def test_the_names_are_those_of_the_package(self):
        tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
        imported = {alias.asname: (node.module, alias.name) for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
        self.assertEqual(sorted({*imported, "open"}), sorted(ph.__all__))
        for name, (module, there) in imported.items():
            value = getattr(ph, name)
            self.assertEqual((getattr(value, "__module__", module), getattr(value, "__name__", there).removeprefix("polhode.")), (module, there), name)


if __name__ == "__main__":
    unittest.main()
