#!/usr/bin/env python3
"""polhode-mpi: ranks that are killed or interrupted, or whose disk is full, stop together and go on to the same file."""

import os
import pathlib
import shutil
import signal
import subprocess

from command_line import datasets, wait_until
from ranks import MANY, SHARED, RanksTest, main, open_mpi

# So long that it is always interrupted.
LONG = MANY.replace("steps = 60", "steps = 900000000\ncheckpoint = 0").replace("step = 0.6", "step = 0.05").replace("snapshots = 15", "snapshots = 400000000").replace("every = 4", "every = 400000000")


class Interruptions(RanksTest):
    def test_killed_and_resumed(self):
        text = MANY.replace("steps = 60", "steps = 3000\nsegment = 10").replace("snapshots = 15", "snapshots = 1500").replace("every = 4", "every = 1000").replace("step = 0.6", "step = 0.3")
        name = self.write(text)
        self.assertEqual(self.polhode("run", name, "-o", "alone.h5").returncode, 0)
        expected = datasets(self.path / "alone.h5")
        for victim in range(3):
            for _ in range(20):  # as long as the run is faster
                process = self.start(["-n", 3, SHARED, "run", name, "--force", "--set", "run.checkpoint=0"])
                checkpoint = self.path / "out.h5.part" / ("" if victim == 0 else f"rank-{victim}") / "checkpoint"
                # Other ranks may have none yet.
                wait_until(lambda: process.poll() is not None or checkpoint.exists(), f"a checkpoint of rank {victim}", pause=0.02)
                for rank in self.ranks_of(process)[victim:victim + 1]:
                    os.kill(rank, signal.SIGKILL)
                if self.end(process).returncode != 0 and (self.path / "out.h5.part").exists() and not (self.path / "out.h5").exists():
                    break
                (self.path / "out.h5").unlink(missing_ok=True)
            else:
                self.fail("the runs ended before they were killed")
            self.expect_error(self.share(3, "run", name), 2, "--resume")
            result = self.share(3, "run", name, "--resume", "--set", "run.slice=4096")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("resumed", result.stdout)
            self.assert_same_datasets("out.h5", expected, f"rank {victim} killed and resumed")
            self.assertFalse((self.path / "out.h5.part").exists())
            (self.path / "out.h5").unlink()

    def test_interrupted(self):
        name = self.write(LONG)
        line = "polhode: interrupted on 3 ranks (checkpoints are in out.h5.part). Continue as many with --resume."
        how = "--force"
        for stop in (signal.SIGTERM, signal.SIGINT):
            # However busy the machine is, the launcher kills the ranks so long after it has told them: Open MPI 5 a
            # quarter of a second, which may be too short for checkpoints. The next run goes on from earlier ones then.
            for patience in (1, 8, 30):
                result = self.interrupt(["-n", 3, SHARED, "run", name, how], lambda process: process.send_signal(stop), patience)
                how = "--resume"
                self.assertNotEqual(result.returncode, 0)
                if result.stderr.splitlines() == [line]:
                    break
                self.assertEqual(result.stderr, "")
            if open_mpi() < 5:
                self.assertEqual(result.stderr.splitlines(), [line])
        # The launcher passes this signal on and waits.
        result = self.interrupt(["-n", 3, SHARED, "run", name, "--resume"], lambda process: process.send_signal(signal.SIGUSR1))
        self.assertEqual((result.returncode, result.stderr.splitlines()), (130, [line]))
        # One rank alone stops all of them, and what they leave is theirs.
        result = self.interrupt(["-n", 3, SHARED, "run", name, "--resume"], lambda process: os.kill(self.ranks_of(process)[1], signal.SIGTERM))
        self.assertEqual((result.returncode, result.stderr.splitlines()), (130, [line]))
        self.expect_error(self.polhode("run", name, "--resume"), 2, '"ranks = 3" there, "ranks = 1" here')
        self.expect_error(self.share(2, "run", name, "--resume"), 2, "ranks = 3", "ranks = 2")
        self.expect_error(self.share(3, "run", name, "--resume", "--set", "method.step=0.04"), 2, "method.step")
        checkpoint = self.path / "out.h5.part" / "rank-2" / "checkpoint"
        content = bytearray(checkpoint.read_bytes())
        content[len(content) // 2] ^= 1
        checkpoint.write_bytes(content)
        self.expect_error(self.share(3, "run", name, "--resume"), 2, "rank 2: ", "rank-2/checkpoint", "checksum")
        # Started again with fewer, nothing of the third is left.
        result = self.share(2, "run", name, "--force", "--set", "run.steps=100")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.content("."), [pathlib.Path("config.toml"), pathlib.Path("out.h5")])

    def test_full_disk(self):
        disk = self.path / "disk"
        disk.mkdir()

        def mount(*options):
            return subprocess.run(["mount", *options, str(disk)], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0

        if os.geteuid() != 0 or not shutil.which("mount") or not mount("-t", "tmpfs", "-o", "size=4k", "tmpfs"):
            self.skipTest("cannot mount a small file system (this needs root)")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], stdin=subprocess.DEVNULL)
        name = self.write(MANY)
        self.assertEqual(self.polhode("run", name, "-o", "alone.h5").returncode, 0)
        expected = datasets(self.path / "alone.h5")
        # Without room for what is known before a step, nothing is left.
        size = (self.path / "alone.h5").stat().st_size
        for room in ("64k", f"{size // 1024}k"):
            self.assertTrue(mount("-o", f"remount,size={room}"))
            self.expect_error(self.share(3, "run", name, "-o", "disk/out.h5"), 4, "does not fit on the disk")
            self.assertEqual(self.content("disk"), [])
        # With room for that, and not for the section points and their result, all ranks stop, and go on from there.
        self.assertTrue(mount("-o", f"remount,size={3 * size // 2048}k"))
        stopped = self.share(3, "run", name, "-o", "disk/out.h5", "--set", "run.segment=5")
        self.assertEqual(stopped.returncode, 130, stopped.stderr)
        self.assertRegex(stopped.stderr, r"^polhode: stopped on 3 ranks \(the result would not fit on the disk.*; checkpoints are in "
                                         r"disk/out\.h5\.part\)\. Free some space and continue as many with --resume\.\n$")
        self.assertTrue((disk / "out.h5.part" / "checkpoint").exists())
        self.assertTrue(mount("-o", f"remount,size={4 * size // 1024}k"))
        result = self.share(3, "run", name, "-o", "disk/out.h5", "--resume")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_same_datasets("disk/out.h5", expected, "after a full disk")
        self.assertEqual(self.content("disk"), [pathlib.Path("disk/out.h5")])


if __name__ == "__main__":
    main()
