#!/usr/bin/env python3
"""The notebooks run from their first cell to their last, hold no output, and have their pictures in the gallery."""

import json
import subprocess
import sys
import unittest

from package_support import ROOT, Package

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


class Notebooks(Package):
    def test_they_run(self):
        self.assertGreaterEqual(len(NOTEBOOKS), 5)
        for notebook in NOTEBOOKS:
            with self.subTest(notebook.stem):
                done = subprocess.run([sys.executable, ROOT / "scripts" / "notebooks", notebook.stem, "--pictures", self.path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                self.assertTrue((self.path / f"notebook_{notebook.stem}.png").exists())

    def test_they_hold_no_output(self):
        for notebook in NOTEBOOKS:
            content = json.loads(notebook.read_text())
            self.assertEqual((content["nbformat"], content["nbformat_minor"]), (4, 5))
            self.assertTrue(all(not cell.get("outputs") and cell.get("execution_count") is None for cell in content["cells"]), notebook.name)

    def test_they_are_in_the_gallery(self):
        gallery = (ROOT / "docs" / "gallery.md").read_text()
        for notebook in NOTEBOOKS:
            self.assertIn(f"gallery/notebook_{notebook.stem}.png", gallery)
            self.assertTrue((ROOT / "docs" / "gallery" / f"notebook_{notebook.stem}.png").exists(), notebook.stem)


if __name__ == "__main__":
    unittest.main()
