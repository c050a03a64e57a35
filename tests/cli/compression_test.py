#!/usr/bin/env python3
"""output.compression: smaller files that hold the same.

Run with POLHODE set to the program's path."""

import re
import shutil
import subprocess
import unittest

import h5py

from command_line import CONFIG, CliTest, datasets, paths_with_content

MORE = """
[record]
snapshots = 20
[statistics]
every = 20
observables = ["pi1", "energy"]
bins = 100
range = [[-2, 2], [0.9, 1.1]]
"""
# 448 trajectories with 30 snapshots and some ten thousand section points.
MANY = CONFIG.replace("grid = [6, 6]", "grid = [24, 24]").replace("steps = 600", "steps = 600\ncheckpoint = 0") + MORE


class Compression(CliTest):
    def run_at(self, output, level, *options):
        done = self.polhode("run", self.write(MANY), "-o", output, "--set", f"output.compression={level}", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path / output

    def compressed(self, path):
        """The datasets that are compressed, with their levels; every one that is large is."""
        with h5py.File(path) as file:
            found = {name: file[name] for name in paths_with_content(file)}
            levels = {name: node.compression_opts for name, node in found.items() if node.compression == "gzip"}
            if levels:
                self.assertEqual(set(levels), {name for name, node in found.items() if node.size >= 4096})
            return levels

    def test_the_same_datasets_in_less_space(self):
        plain = self.run_at("plain.h5", 0)
        self.assertEqual(self.compressed(plain), {})
        expected, sizes = datasets(plain), [plain.stat().st_size]
        for level in (1, 9):
            path = self.run_at(f"level{level}.h5", level)
            self.assertEqual(set(self.compressed(path).values()), {level})
            self.assertIn("snapshots/state", self.compressed(path))
            self.assert_same_datasets(path.name, expected, f"level {level}")
            if shutil.which("h5diff"):
                # Its own reading of both files. Attributes of the root differ: the configuration, and when it was run.
                # It cannot compare lists of dimensions, which are references, and says so.
                for group in sorted({"/" + name.split("/")[0] for name in expected}):
                    done = subprocess.run(["h5diff", plain, path, group], capture_output=True, text=True)
                    said = re.sub(r"-+\nSome objects are not comparable\n-+\nUse -c for a list of objects\.\n", "", done.stdout)
                    self.assertEqual((done.returncode, said + done.stderr), (0, ""), group)
            sizes.append(path.stat().st_size)
        # Digits of a state are noise but for the first ones: a tenth goes at least, and no more than half.
        self.assertLess(sizes[1], 0.9 * sizes[0])
        self.assertGreater(sizes[1], 0.5 * sizes[0])
        self.assertLessEqual(sizes[2], sizes[1])

    def test_what_reads_results_reads_compressed_ones(self):
        for level in (0, 6):
            self.run_at(f"{level}.h5", level)
        info = [self.polhode("info", f"{level}.h5").stdout.splitlines() for level in (0, 6)]
        first = info[0].index("data")
        self.assertIn("data", info[1])
        self.assertEqual(info[0][first : info[0].index("configuration")], info[1][info[1].index("data") : info[1].index("configuration")])
        self.assertIn("compression = 6", info[1])
        # Trajectories that start where these ended.
        ends = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "{}.h5"')
        for level in (0, 6):
            done = self.polhode("run", self.write(ends.format(level)), "-o", f"from{level}.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_datasets("from6.h5", datasets(self.path / "from0.h5"), "from a compressed file")
        for view in ("section", "statistics", "invariants"):
            done = self.polhode("plot", "6.h5", "--view", view, "-o", f"{view}.png")
            if done.returncode == 3:
                self.skipTest(done.stderr)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual((self.path / f"{view}.png").read_bytes()[1:4], b"PNG")

    def test_a_run_can_be_resumed_with_another_level(self):
        """The level is one of the file, as its name is, and not of the run."""
        whole = datasets(self.run_at("whole.h5", 0, "--set", "run.steps=30000", "--set", "record.snapshots=1000"))
        options = ["--set", "run.steps=30000", "--set", "record.snapshots=1000"]
        for before, after in ((0, 5), (5, 0)):
            for _ in range(20):
                self.run_until(self.has_checkpoint, self.write(MANY), *options, "--set", f"output.compression={before}", "--threads", "1", "--force")
                if self.has_checkpoint():  # otherwise it ended before it was killed
                    break
            done = self.polhode("run", "config.toml", *options, "--set", f"output.compression={after}", "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(set(self.compressed(self.path / "out.h5").values()), {after} - {0})
            self.assert_same_datasets("out.h5", whole, f"from level {before} to {after}")
            (self.path / "out.h5").unlink()

    def test_bad_values_are_one_line(self):
        for value in ("-1", "10", "6.0", '"high"', "true", "[1]", str(2**62)):
            with self.subTest(value=value):
                self.expect_rejected(2, "output.compression", config=CONFIG + f"compression = {value}\n")


if __name__ == "__main__":
    unittest.main()
