#!/usr/bin/env python3
"""Outputs that cannot be written, or that must not be: one line, the exit code, and what was there stays.

Run with POLHODE set to the program's path."""

import os
import subprocess
import unittest

import h5py

from command_line import CONFIG, PROGRAM, CliTest, datasets


class Outputs(CliTest):
    def test_outputs_that_are_no_files(self):
        """Nor are links to them, as /dev/stdout is one: they are left as they are."""
        os.mkfifo(self.path / "pipe")
        (self.path / "to_pipe").symlink_to("pipe")
        (self.path / "to_device").symlink_to("/dev/null")
        for output in ("pipe", "to_pipe", "to_device"):
            for options in ([], ["--force"]):
                self.expect_rejected(2, f"cannot write '{output}' (it is not a regular file)", arguments=["-o", output, *options])
        self.assertTrue((self.path / "to_pipe").is_symlink() and (self.path / "to_device").is_symlink())

    def test_existing_output(self):
        name = self.write()
        (self.path / "out.h5").write_text("precious")
        self.expect_printed(["run", name], "output 'out.h5' already exists (nothing has been written). Use --force to replace "
                            "it or choose another with -o.")
        self.assertEqual((self.path / "out.h5").read_text(), "precious")
        self.assertEqual(self.polhode("run", name, "--force").returncode, 0)
        self.assertTrue(h5py.is_hdf5(self.path / "out.h5"))

    def test_output_must_not_be_an_input(self):
        name = self.write()
        self.expect_printed(["run", name, "-o", name, "--force"],
                            "cannot write config.toml (it is an input of this run). Choose another output with -o.")
        self.assertEqual((self.path / name).read_text(), CONFIG)

    def test_file_size_limit(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 200000\ncheckpoint = 0"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        result = subprocess.run(["bash", "-c", f"ulimit -f 200; exec {PROGRAM} run {name}"], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(result.returncode, 4)
        self.assertRegex(result.stderr, r"^polhode: cannot write 'out.h5.part/section-[0-3]' \(File too large\). Raise the limit on file "
                                        r"sizes \(ulimit -f\) and run again, with --resume if there is a .part folder.\n$")
        self.assertEqual(self.polhode("run", name, "--resume").returncode, 0)  # with room again
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "after a file size limit")

    def test_full_standard_output(self):
        for topic in ("systems", "schema"):  # which fits into a buffer, and which does not
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, "list", topic], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((result.returncode, result.stderr),
                             (4, "polhode: cannot write to standard output (No space left on device). Check where it goes.\n"))

    def test_unwritable_output(self):
        for output in ("absent/out.h5", "/proc/out.h5"):
            self.expect_message(f"cannot write '{output}' (No such file or directory). Create the folder or choose another "
                                "with -o.", 4, arguments=["-o", output])


if __name__ == "__main__":
    unittest.main()
