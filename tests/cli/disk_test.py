#!/usr/bin/env python3
"""Runs that a disk has no room for: refused before anything is made, or stopped as by Ctrl-C when it is seen.

Run with POLHODE set to the program's path."""

import os
import re
import shutil
import subprocess
import unittest

from command_line import CONFIG, CliTest, datasets

CLOUD = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0',
                       'from = "random"\ndistribution = "cloud"\nstate = [1, 0, 0, 0, 0, 1]\nwidth = 0.1\ncount = 4000000000')
REFUSED = (r"^polhode: the result does not fit on the disk \(at least \S+ [TPE]B for it, \S+ [TPE]B for the journals that it is "
           r"made of, and \S+ [kMGT]B are free\)\. Record less, or write elsewhere with -o\.\n$")


class BeforeStarts(CliTest):
    def expect_refused(self, config, *arguments):
        """By all that is known without a step: before starts are made, which progress would tell of."""
        name = self.write(config)
        for options in ((), ("--dry-run",)):
            done = self.polhode("run", name, "--progress=json", *arguments, *options)
            self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
            self.assertRegex(done.stderr, REFUSED)
        self.assertEqual(list(self.path.iterdir()), [self.path / name], "something was left behind")

    def test_snapshots(self):
        every_step = "[record]\nsnapshots = 1\n"
        self.expect_refused(CLOUD + every_step)
        self.expect_refused(CONFIG.replace("grid = [6, 6]", "grid = [3000, 3000]").replace("steps = 600", "steps = 6000000") + every_step)
        self.expect_refused(CONFIG.replace("steps = 600", "steps = 1000000000000") + every_step)

    def test_statistics(self):
        self.expect_refused(CLOUD.replace("steps = 600", "steps = 1000000000").replace("4000000000", "10") +
                            "[statistics]\nevery = 1\nobservables = ['pi1']\nbins = 1000000\nrange = [[-3, 3]]\n")

    def test_compressed_results_are_known_by_their_journals(self):
        self.expect_refused(CLOUD + "[record]\nsnapshots = 1\n", "--set", "output.compression=9")

    def test_what_is_not_recorded_takes_no_room(self):
        """Four hundred thousand trajectories a step, of which a density is left."""
        config = CLOUD.replace("4000000000", "400000").replace("steps = 600", "steps = 2") + "[record]\nfinal = false\ninitial = false\n"
        text = self.run_with(self.write(config), "out.h5")
        self.assertIn("400000 trajectories", text)


class SmallDisk(CliTest):
    """A file system of some megabytes; skipped where none can be mounted."""

    def mount(self, *options):
        return subprocess.run(["mount", *options, str(self.disk)], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0

    def setUp(self):
        super().setUp()
        self.disk = self.path / "disk"
        self.disk.mkdir()
        if os.geteuid() != 0 or not shutil.which("mount") or not self.mount("-t", "tmpfs", "-o", "size=6m", "tmpfs"):
            self.skipTest("cannot mount a small file system (this needs root)")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.disk)], stdin=subprocess.DEVNULL)

    def free(self):
        return shutil.disk_usage(self.disk).free

    def test_section_points_stop_a_run(self):
        """Some 10 MB of them, in segments of a few kB: the run ends when the result of what there is would not fit any more,
        and not at a full disk; it goes on from there to the bytes of a run that had room."""
        name = self.write(CONFIG.replace("steps = 600", "steps = 300000\nsegment = 500"))
        self.run_with(name, "whole.h5")
        expected, size = datasets(self.path / "whole.h5"), (self.path / "whole.h5").stat().st_size
        self.assertGreater(size, 6 << 20)
        stopped = (r"^polhode: stopped at step (\d+) of 300000 \(the result would not fit on the disk: \S+ [kM]B are still needed, and "
                   r"\S+ [kM]B are free; a checkpoint is in disk/out\.h5\.part\)\. Free some space and continue with --resume\.\n$")
        done = self.polhode("run", name, "-o", "disk/out.h5")
        self.assertEqual((done.returncode, done.stdout), (130, ""), done.stderr)
        self.assertRegex(done.stderr, stopped)
        # Half of the disk is left for the result of the other half, but for a segment and a checkpoint.
        self.assertGreater(self.free(), 2.5e6)
        self.assertLess(self.free(), 3.3e6)
        step = int(re.match(stopped, done.stderr)[1])
        self.assertGreater(step, 0)
        # Without more room it goes no further.
        done = self.polhode("run", name, "-o", "disk/out.h5", "--resume")
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertLess(int(re.match(stopped, done.stderr)[1]), step + 5000)
        self.assertTrue(self.mount("-o", f"remount,size={2 * size + (2 << 20)}"))
        self.run_to_the_end(name, expected)

    def run_to_the_end(self, name, expected):
        done = self.polhode("run", name, "-o", "disk/out.h5", "--resume")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same_datasets("disk/out.h5", expected, "after a small disk")

    def test_what_another_process_takes(self):
        """The guard looks at the disk, not at the run alone: room that is taken away meanwhile."""
        name = self.write(CONFIG.replace("steps = 600", "steps = 300000\nsegment = 500"))
        self.assertTrue(self.mount("-o", "remount,size=64m"))
        filler = self.disk / "filler"

        def fills():
            if (self.disk / "out.h5.part" / "checkpoint").exists() and not filler.exists():
                filler.write_bytes(bytes(self.free() - (6 << 20)))  # and what the run writes meanwhile
            return False

        code, errors = self.run_until(fills, name, "-o", "disk/out.h5")
        self.assertEqual(code, 130, errors)
        self.assertIn("the result would not fit on the disk", errors)
        filler.unlink()
        self.run_with(name, "whole.h5")
        self.run_to_the_end(name, datasets(self.path / "whole.h5"))

    def test_density_that_does_not_fit(self):
        cells = "points = false\n[density]\naxes = ['pi1', 'pi2']\nbins = [1000, 1000]\nrange = [[-3, 3], [-3, 3]]\n"
        name = self.write(CONFIG.replace('name = "gamma3"\n', 'name = "gamma3"\n' + cells))
        self.expect_error(self.polhode("run", name, "-o", "disk/out.h5"), 4, "does not fit on the disk", "at least 8")
        self.assertEqual(list(self.disk.iterdir()), [])
        self.assertTrue(self.mount("-o", "remount,size=40m"))
        self.run_with(name, "disk/out.h5")

    def test_what_is_there_already_counts(self):
        """A run that is resumed needs less than one that begins."""
        name = self.write(CONFIG + "[record]\nsnapshots = 1\n")  # 1 MB each of journals and result
        self.run_with(name, "whole.h5")
        size = (self.path / "whole.h5").stat().st_size
        long = ("--set", "run.checkpoint=0", "--set", "run.segment=5")
        self.assertTrue(self.mount("-o", f"remount,size={2 * size + (1 << 18)}"))
        self.run_until(lambda: (self.disk / "out.h5.part" / "snapshots").exists() and
                       (self.disk / "out.h5.part" / "snapshots").stat().st_size > size / 2, name, "-o", "disk/out.h5", *long)
        if (self.disk / "out.h5").exists():
            self.skipTest("the run was faster than this test")
        self.expect_error(self.polhode("run", name, "-o", "disk/other.h5"), 4, "does not fit on the disk")
        self.run_to_the_end(name, datasets(self.path / "whole.h5"))


if __name__ == "__main__":
    unittest.main()
