#!/usr/bin/env python3
"""The documents: every command and every configuration of README and guide is run, page by page, the configuration
fragments have keys that exist, and the page of the file format has what is in a file. (tests/cli/tutorial_test.py runs
the tutorial, schema_test.py looks at the pages that are made with the site.)

Run with POLHODE set to the program and, for pages that need it, POLHODE_MPI to the one for many machines."""

import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib
import unittest

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["POLHODE"])
WITH_MPI = os.environ.get("POLHODE_MPI", "")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = os.environ | {
    "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
    # Open MPI's own words for a test: as root, and with more ranks than processors.
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def blocks(page):
    """(language, title, text) in the order of the page."""
    return BLOCK.findall(page.read_text())

# A run that leaves every dataset there is.
EVERYTHING = [argument for key in (
    "ensemble.grid=[4, 4]", "run.steps=1001", "record.snapshots=100", 'section.columns=["pi1", "gamma1"]', 'density.axes=["pi1", "gamma1"]', "density.bins=[4, 4]",
    "density.range=[[-1, 1], [-1, 1]]", "statistics.every=100", 'statistics.observables=["pi1"]', "statistics.bins=4", "statistics.range=[[-1, 1]]",
) for argument in ("--set", key)]


def contents(file):
    """Paths of all groups and datasets."""
    paths = []
    file.visit(lambda name: paths.append(f"/{name}"))
    return paths


# A row of the claims of a paper: its letters and number, what it says, and the last cell with the tests.
CLAIM = re.compile(r"^\| ([A-Z]+)-(\d+) \| (.*?) \|.*\| ([^|]*) \|$", re.MULTILINE)


@functools.cache
def listed_tests(program):
    """What a test program says that it has, (suite, name) without parameters; nothing where it has not been built."""
    path = pathlib.Path(os.environ.get("POLHODE_BUILD", ""), "tests", program)
    if "POLHODE_BUILD" not in os.environ or not path.exists():
        return None
    tests, suites = set(), []
    for line in subprocess.run([path, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split("#")[0].strip()
        if line.startswith(" "):
            tests |= {(suite, words.split("/")[0]) for suite in suites}
        else:
            suites = words.removesuffix(".").split("/")
    return tests


def is_run(path, test):
    """Whether a test, Suite.Name or that of a Python file, is there and neither disabled nor skipped without a reason."""
    text = path.read_text()
    if path.suffix == ".py":
        found = re.search(rf"((?:^ *@.*\n)*)^ +def {test}\(", text, re.MULTILINE)
        return bool(found) and "skip" not in found[1]
    suite, _, name = test.rpartition(".")
    found = re.search(rf"^(?:TYPED_)?TEST\w*\({suite},\s*{name}\) (?:\{{[^\n]*\}}\n|.*?^\}})", text, re.MULTILINE | re.DOTALL)
    if not found or re.search(r"GTEST_SKIP\(\)\s*;", found[0]) or re.search(r"^#if 0", text, re.MULTILINE):
        return False
    listed = listed_tests(path.parent.name)
    return listed is None or (suite, name) in listed


class Documents(unittest.TestCase):
    def test_every_command_runs(self):
        for page in PAGES:
            with self.subTest(page.name), tempfile.TemporaryDirectory() as folder:
                os.symlink(ROOT / "examples", f"{folder}/examples")
                for language, title, text in blocks(page):
                    if title:
                        pathlib.Path(folder, title).write_text(text)
                    if language == "sh":
                        self.run_block(folder, text)

    def run_block(self, folder, text):
        if not WITH_MPI and "mpi" in text:
            print(f"skipped, because there is no polhode-mpi:\n{text}")
            return
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=ENVIRONMENT, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")

    def test_every_key_exists(self):
        schema = json.loads(subprocess.run([PROGRAM, "list", "schema"], check=True, capture_output=True, text=True).stdout)
        known = {}
        for name, table in schema["properties"].items():
            known[name] = {key for kind in table.get("oneOf", [table]) for key in kind["properties"]}
        for page in PAGES:
            for language, title, text in blocks(page):
                if language != "toml":
                    continue
                with self.subTest(page.name, configuration=title or text):
                    for name, table in tomllib.loads(text).items():
                        self.assertIn(name, known)
                        self.assertLessEqual(set(table), known[name])

    def test_every_dataset_is_described(self):
        """Datasets and attributes of a run that has everything."""
        page = (ROOT / "docs" / "file-format.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "run", ROOT / "examples" / "heavy_top_section.toml", "--quiet", "-o", "all.h5", *EVERYTHING],
                           cwd=folder, check=True, capture_output=True)
            with h5py.File(f"{folder}/all.h5") as file:
                described = set(file.attrs)
                for name in contents(file):
                    described |= {name if isinstance(file[name], h5py.Dataset) else ""} | set(file[name].attrs)
        described = {re.sub("(?<=/cell_).*", "AXIS", name) for name in described if not re.match("/parameters/|[A-Z]|_|$", name)}
        self.assertGreater(len(described), 60)
        self.assertEqual([name for name in sorted(described) if f"`{name}`" not in page], [])

    def test_files_that_are_named_exist(self):
        """Files of the source on the page of the architecture, in part with the end of their path; and the way of a run."""
        page = (ROOT / "docs" / "architecture.md").read_text()
        files = [path.relative_to(ROOT).as_posix() for folder in ("src", "include", "kernels", "tests") for path in (ROOT / folder).rglob("*")]
        for name in set(re.findall(r"`([\w./]+\.(?:cpp|hpp|cuh))`", page)):
            self.assertTrue(any(f"/{file}".endswith(f"/{name}") for file in files), name)
        hops = re.findall(r"(?m)^\| (\d) \| `([^`]+)` \| `([^`]+)` \|", page)
        self.assertEqual([int(number) for number, _, _ in hops], list(range(1, len(hops) + 1)))
        self.assertTrue(5 <= len(hops) <= 7)
        for _, file, function in hops:
            self.assertRegex((ROOT / file).read_text(), rf"(?m)^.*[ >]{re.escape(function)}\(.*", file)

    def test_claims_of_the_papers_name_tests_that_run(self):
        named, rows = 0, CLAIM.findall((ROOT / "docs/papers.md").read_text())
        for paper, number, _, cell in rows:
            path = None
            words = re.findall(r"`([\w./]+_test\.\w+|[\w.]+)`", cell)
            self.assertTrue(words or cell == "the same" or "`polhode-bench`" in cell, f"{paper}-{number} names no test")
            for word in words:
                if word.endswith(("_test.cpp", "_test.py")):
                    folders = ("",) if "/" in word else ("papers", "numerics")
                    paths = [path for path in (ROOT / "tests" / folder / word for folder in folders) if path.exists()]
                    self.assertEqual(len(paths), 1, word)
                    path = paths[0]
                    continue
                self.assertIsNotNone(path, f"{paper}-{number}: {word} is in no file")
                self.assertTrue(is_run(path, word), f"{path.name}: {word}")
                named += 1
        self.assertGreater(named, 200)

    def test_claims_of_the_papers_are_counted(self):
        """Columns of the front table: all claims, those that the rows show and refute, and the others."""
        page = (ROOT / "docs/papers.md").read_text()
        counted = {}
        for paper, number, claim, _ in CLAIM.findall(page):
            self.assertNotIn(int(number), counted.setdefault(paper, {}), f"{paper}-{number} is there twice")
            counted[paper][int(number)] = "*Refuted*" in claim
        table = {paper: [int(n) for n in numbers.split("|")] for paper, numbers in re.findall(r"(?m)^\| [^|]+ \| (\w*) ?\|((?: \d+ \|){3} \d+) \|$", page)}
        self.assertEqual(set(counted), set(table) - {""})
        for paper, numbers in counted.items():
            claims, refuted = table[paper][0], sum(numbers.values())
            self.assertLessEqual(set(numbers), set(range(1, claims + 1)), paper)
            self.assertEqual(table[paper], [claims, len(numbers) - refuted, refuted, claims - len(numbers)], paper)
        self.assertEqual(table[""], [sum(column) for column in zip(*(table[paper] for paper in counted))])

    def test_pages_have_what_is_tested(self):
        """A change of the markup must not leave the tests above with nothing to do."""
        self.assertGreaterEqual(sum(language == "sh" for page in PAGES for language, _, _ in blocks(page)), 8)
        self.assertGreaterEqual(sum(bool(title) for page in PAGES for _, title, _ in blocks(page)), 2)


if __name__ == "__main__":
    unittest.main()
