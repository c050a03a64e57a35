#!/usr/bin/env python3
"""Kernels for GPUs, compiled where there is none: by a stand-in of nvcc, and by nvcc itself, without which that part is
skipped.

Run with POLHODE set to the program's path."""

import json
import os
import re
import shutil
import stat
import subprocess
import unittest

from command_line import CliTest
from modules_test import SHORT

STAND_IN = """#!/usr/bin/env python3
import sys
if "--version" in sys.argv:
    print("Cuda compilation tools, release {version}, V{version}.88")
    sys.exit()
with open({arguments!r}, "a") as file:
    print(*sys.argv[1:], file=file)
print({log!r})
with open(sys.argv[sys.argv.index("-o") + 1], "w") as file:
    file.write("a shared object")
"""
SPILL = ("ptxas warning : Registers are spilled to local memory in function '_ZN7polhode8isa_cuda16propagate_kernelINS0_9X', "
         "16 bytes spill stores, 24 bytes spill loads")
BODY = """
[system]
name = "{name}"
alpha = [1.0, 2.0, 3.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "canonical"
temperature = 1.0
count = 4
[run]
steps = 4
"""
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


class GpuKernels(CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.path / "cache"
        self.environment = os.environ | {"POLHODE_CACHE": str(self.cache)}
        for name in ("POLHODE_NO_COMPILE", "POLHODE_NVCC"):
            self.environment.pop(name, None)
        self.name = self.write(SHORT)

    def stand_in(self, version="13.0", log=""):
        """Makes the program use a compiler of this version that says so much."""
        self.arguments = self.path / "arguments"
        program = self.path / "nvcc"
        program.write_text(STAND_IN.format(version=version, arguments=str(self.arguments), log=log))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.environment["POLHODE_NVCC"] = str(program)

    def compile(self, *arguments):
        return self.polhode("compile", *arguments, env=self.environment)

    def compile_well(self, *arguments):
        result = self.compile(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def modules(self):
        return sorted(self.cache.rglob("*.so"))

    def test_a_kernel_and_what_its_system_needs(self):
        self.stand_in()
        self.assertEqual(self.compile_well(self.name, "--for", "sm_90"), "2 kernels compiled, 0 were there\n")
        self.assertEqual(self.compile_well(self.name, "--for", "sm_90"), "0 kernels compiled, 2 were there\n")
        self.assertTrue(all("-sm_90-" in module.name for module in self.modules()))
        lines = self.arguments.read_text().splitlines()
        self.assertEqual(len(lines), 2)
        for line in lines:
            self.assertIn("arch=compute_90,code=sm_90", line)
            for flag in ("-no-stack-coloring", "--fmad=false", "-ffp-contract=off", "--compress-mode=size"):
                self.assertIn(flag, line)

    def test_targets_beside_each_other(self):
        self.stand_in("12.4")
        self.assertEqual(self.compile_well(self.name, "--for", "scalar,sm_75,sm_120"), "6 kernels compiled, 0 were there\n")
        self.assertNotIn("--compress-mode", self.arguments.read_text(), "which this release does not know")

    def test_a_kernel_that_spills_is_refused(self):
        self.stand_in(log=SPILL)
        self.expect_error(self.compile(self.name, "--for", "sm_90"), 3, "propagate_kernel spills registers to memory, 16 bytes spill stores",
                          "See ")
        self.assertEqual(self.modules(), [])
        # Others are allowed to.
        large = self.write(BODY.format(name="rigid-body-matrix"), "large.toml")
        self.compile_well(large, "--for", "sm_90")
        self.assertEqual(len(self.modules()), 2)

    def test_without_nvcc_or_with_an_old_one(self):
        self.environment["POLHODE_NVCC"] = "/nowhere/nvcc"
        self.expect_error(self.compile(self.name, "--for", "sm_90"), 3, "POLHODE_NVCC names /nowhere/nvcc, which is no program")
        self.stand_in("12.3")
        self.expect_error(self.compile(self.name, "--for", "sm_90"), 3, "is nvcc 12.3.88", "12.4 or newer")
        self.assertEqual(self.modules(), [])

    def test_targets_that_are_none(self):
        for name in ("sm_9x", "sm_", "sm_05", "compute_90"):
            self.expect_error(self.compile(self.name, "--for", name), 2, name, "unknown value")
        self.expect_error(self.compile(self.name, "--for", "sm90"), 2, '"sm_90"')

    def test_for_a_device_that_is_not_there(self):
        if any(backend["name"] == "cuda" and backend["available"] for backend in json.loads(self.polhode("list", "backends", "--json").stdout)):
            self.skipTest("there is a GPU")
        name = self.write(SHORT.replace("steps = 256", 'steps = 256\nbackend = "cuda"'))
        self.expect_error(self.compile(name), 3, "cannot tell for which GPU", "--for sm_90")

    @unittest.skipIf(NVCC is None, "there is no nvcc")
    def test_by_nvcc_itself(self):
        self.compile_well(self.name, "--for", "sm_90")
        self.assertEqual(len(self.modules()), 2)
        for module in self.modules():
            symbols = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
            self.assertEqual([line.split()[-1] for line in symbols.splitlines()], ["polhode_module"])
            needed = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
            libraries = {name for name in re.findall(r"NEEDED.*\[(.*)\]", needed) if not name.startswith(("libcudart.so", "ld-linux"))}
            self.assertLessEqual(libraries, {"libc.so.6", "libm.so.6"})
        self.expect_error(self.compile(self.name, "--for", "sm_11"), 3, "cannot compile", "sm_11")


if __name__ == "__main__":
    unittest.main()
