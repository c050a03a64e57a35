#!/usr/bin/env python3
"""Kernels that are compiled when a run needs them: the cache, what is not trusted, what fails, and other compilers.

Run with POLHODE set to the program's path."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from command_line import PROGRAM, CliTest, datasets

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

PENDULUM = """
[system]
name = "spherical-pendulum"
m = [1.0]
l = [1.0]
g = 1.0
[method]
name = "{method}"
step = 0.05
[ensemble]
from = "random"
distribution = "canonical"
temperature = 1.0
count = 257
[run]
steps = 256
[section]
name = "q1x"
[record]
snapshots = 64
"""
SHORT = PENDULUM.format(method="rattle")


class Modules(CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.path / "cache"
        self.environment = os.environ | {"POLHODE_CACHE": str(self.cache)}
        self.environment.pop("POLHODE_NO_COMPILE", None)
        self.name = self.write(SHORT)

    def run_here(self, output="out.h5", *options, program=PROGRAM, **environment):
        changed = {key: value for key, value in (self.environment | environment).items() if value is not None}
        command = [program, "run", self.name, "-o", output, "--force", *options]
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=300, env=changed)

    def run_well(self, *arguments, **environment):
        result = self.run_here(*arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def modules(self):
        return sorted(self.cache.rglob("*.so"))

    def files(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def wait_for_compilers(self, seconds):
        """Until none is there any more."""
        end = time.monotonic() + seconds
        while running := subprocess.run(["pgrep", "-f", str(self.cache)], capture_output=True, text=True).stdout:
            self.assertLess(time.monotonic(), end, running)
            time.sleep(0.01)

    def test_a_kernel_is_compiled_once(self):
        said = self.run_well("first.h5")
        self.assertRegex(said, r"(?m)^polhode: compiled spherical-pendulum, rattle, newton, double, \w+; spherical-pendulum, \w+: [\d.]+ s\n$")
        self.assertEqual(len(self.modules()), 2)
        self.assertEqual(self.files(), self.modules(), "nothing else is left")
        self.assertEqual(self.run_well("second.h5"), "")
        self.assert_same_datasets("second.h5", datasets(self.path / "first.h5"), "from the cache")
        # Methods of one step map share a kernel.
        self.name = self.write(PENDULUM.format(method="constraint-euler"))
        self.assertEqual(self.run_well(), "")

    def test_a_wrong_output_is_told_before_kernels_are_compiled(self):
        (self.path / "there.h5").write_text("old")
        for output, code, words in (("there.h5", 2, "already exists"), ("missing/out.h5", 4, "Create the folder"), (".", 2, "not a regular file")):
            done = subprocess.run([PROGRAM, "run", self.name, "-o", output], cwd=self.path, capture_output=True, text=True, timeout=300, env=self.environment)
            self.expect_error(done, code, words)
        self.assertEqual(self.files(), [])

    def test_modules_export_one_symbol_and_need_no_library_of_cxx(self):
        self.run_well()
        for module in self.modules():
            symbols = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
            self.assertEqual([line.split()[-1] for line in symbols.splitlines()], ["polhode_module"])
            needed = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
            self.assertLessEqual(set(re.findall(r"NEEDED.*\[(.*)\]", needed)), {"libc.so.6", "libm.so.6"})

    def test_compilers_give_the_same_bits(self):
        """Of one step map in double; of four in both precisions on all instruction sets where nothing is left out."""
        everything = "POLHODE_TEST_ALL" in os.environ
        configurations = [self.path / self.name]
        if everything:
            configurations += [EXAMPLES / f"{name}.toml" for name in ("heavy_top_mixing", "henon_heiles_section", "double_pendulum_routh")]
        compilers = [name for name in ("g++", "clang++") if shutil.which(name)]
        if subprocess.run(["python3", "-c", "import ziglang"], capture_output=True).returncode == 0:
            compilers.append("python3 -m ziglang c++")
        if len(compilers) < 2:
            self.skipTest(f"no second compiler: {', '.join(compilers)} alone")
        for configuration in configurations:
            self.name = configuration
            for precision in ("double", "single") if everything else ("double",):
                options = ("--backend", "cpu", "--set", "run.steps=256", "--precision", precision)
                self.run_well("own.h5", *options)
                expected = datasets(self.path / "own.h5")
                for compiler in compilers:
                    for isa in ("avx2", "scalar", "avx512") if everything else ("avx2", "scalar"):
                        with self.subTest(configuration=configuration, compiler=compiler, isa=isa, precision=precision):
                            self.run_well("other.h5", *options, "--isa", isa, POLHODE_COMPILER=compiler)
                            self.assert_same_datasets("other.h5", expected, compiler)

    def test_a_damaged_or_foreign_file_is_compiled_again(self):
        self.run_well("first.h5")
        expected = datasets(self.path / "first.h5")
        kernel, system = sorted(self.modules(), key=lambda path: "rattle" not in path.name and "Map" not in path.name)
        sound = kernel.read_bytes()

        def flipped(position):
            return sound[:position] + bytes([sound[position] ^ 1]) + sound[position + 1:]

        for damaged in (sound[:len(sound) // 2], b"", flipped(len(sound) // 3), flipped(len(sound) - 1), system.read_bytes()):
            kernel.write_bytes(damaged)
            self.assertIn("compiled spherical-pendulum, rattle", self.run_well())
            self.assert_same_datasets("out.h5", expected, "compiled again")
        kernel.unlink()
        kernel.symlink_to(system)
        self.assertIn("compiled", self.run_well())

    def test_where_others_may_write_nothing_is_loaded(self):
        self.run_well()
        for place in (self.cache, self.modules()[0].parent, self.modules()[0]):
            mode = place.stat().st_mode
            place.chmod(mode | 0o022)
            self.expect_error(self.run_here(), 3, "others may write to it", f"chmod go-w '{place}'")
            place.chmod(mode)
        self.assertEqual(self.run_well(), "")

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_what_belongs_to_another_user_is_not_loaded(self):
        self.run_well()
        kernel = self.modules()[0]
        os.chown(kernel, 12345, 12345)
        self.expect_error(self.run_here(), 3, "it belongs to another user")

    def test_without_a_compiler(self):
        for compiler, *words in (("/nowhere/g++", "which is no program"), ("false", "cannot compile spherical-pendulum")):
            self.expect_error(self.run_here(POLHODE_COMPILER=compiler), 3, *words)
            self.assertFalse((self.path / "out.h5").exists())
        logs = list(self.cache.rglob("*.log"))
        self.assertEqual(len(logs), 1)
        self.expect_error(self.run_here(POLHODE_COMPILER="false"), 3, str(logs[0]))
        self.assertEqual(self.modules(), [])

    def test_files_say_which_compiler_made_the_kernel(self):
        named = self.path / "named"
        named.write_text('#!/bin/sh\n[ "$1" != --version ] || { echo "ours 1.2"; exit; }\nexec g++ "$@"\n')
        named.chmod(0o755)
        self.run_well(POLHODE_COMPILER=str(named))
        self.assertRegex(self.polhode("info", "out.h5").stdout, r"\n  isa +\w+\n  compiler +ours 1\.2\n")
        # Of the one that made it, not of the one that is there now.
        self.run_well(POLHODE_COMPILER="/nowhere/g++")
        self.assertIn('"compiler": "ours 1.2"', self.polhode("info", "--json", "out.h5").stdout)
        # Of a run that goes on with another, that of the latter.
        self.run_well("out.h5", POLHODE_COMPILER="g++")
        first = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        self.assertIn(first, self.polhode("info", "out.h5").stdout)
        longer = subprocess.run([PROGRAM, "run", self.name, "-o", "out.h5", "--resume", "--set", "run.steps=512"], cwd=self.path, capture_output=True, text=True,
                                env=self.environment | {"POLHODE_COMPILER": str(named)})
        self.assertEqual((longer.returncode, longer.stderr), (0, ""))
        self.assertIn("ours 1.2", self.polhode("info", "out.h5").stdout)

    def test_who_ignores_the_end_of_children_can_compile(self):
        result = subprocess.run([PROGRAM, "run", self.name, "-o", "out.h5"], cwd=self.path, env=self.environment, capture_output=True, text=True,
                                preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_compiler_may_be_several_words(self):
        self.run_well("own.h5")
        self.run_well(POLHODE_COMPILER="env g++ -pipe")
        self.assert_same_datasets("out.h5", datasets(self.path / "own.h5"), "env g++ -pipe")
        self.expect_error(self.run_here(POLHODE_COMPILER="g++ -ffast-math"), 3, "do not compile it with -ffast-math")

    def test_a_compilation_that_takes_long_is_told_of(self):
        compiler = self.path / "slow"
        compiler.write_text('#!/bin/sh\ncase "$*" in *--version*) ;; *) sleep 9 ;; esac\nexec c++ "$@"\n')
        compiler.chmod(0o755)
        said = self.run_well(POLHODE_COMPILER=str(compiler)).splitlines()
        before = next(k for k, line in enumerate(said) if line.startswith("polhode: still compiling spherical-pendulum"))
        self.assertTrue(said[before + 1].startswith("polhode: compiled spherical-pendulum"), said)

    def test_kernels_that_cannot_be_written_are_read(self):
        self.run_well()
        for folder in (self.cache, self.modules()[0].parent):
            folder.chmod(0o500)
        try:
            self.assertEqual(self.run_well(POLHODE_NO_COMPILE="1"), "")
        finally:
            for folder in (self.cache, self.modules()[0].parent):
                folder.chmod(0o700)

    def test_kernels_of_a_configuration_are_those_of_its_instruction_set(self):
        compiled = self.polhode("compile", self.write(SHORT.replace("steps = 256", 'steps = 256\nisa = "scalar"')), env=self.environment)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        self.assertTrue(all("-scalar-" in module.name for module in self.modules()))

    def test_nothing_is_compiled_where_that_is_forbidden(self):
        for forbidden in ({"POLHODE_NO_COMPILE": "1"}, {}):
            options = [] if forbidden else ["--no-compile"]
            self.expect_error(self.run_here("out.h5", *options, **forbidden), 3, "none may be compiled", "polhode compile")
            self.assertFalse((self.path / "out.h5").exists())
        compiled = self.polhode("compile", self.name, env=self.environment)
        self.assertEqual((compiled.returncode, compiled.stdout), (0, "2 kernels compiled, 0 were there\n"), compiled.stderr)
        self.assertEqual(self.run_well(POLHODE_NO_COMPILE="1"), "")
        again = self.polhode("compile", self.name, env=self.environment)
        self.assertEqual(again.stdout, "0 kernels compiled, 2 were there\n")

    def test_kernels_of_the_cache_need_no_compiler(self):
        self.run_well()
        self.assertEqual(self.run_well(POLHODE_COMPILER="/nowhere/g++"), "")

    def test_kernels_are_found_beside_the_program(self):
        self.run_well("own.h5")
        prefix = self.path / "prefix"
        (prefix / "bin").mkdir(parents=True)
        program = shutil.copy(PROGRAM, prefix / "bin")
        into = prefix / "lib" / "polhode" / "kernels"
        compiled = self.polhode("compile", self.name, "--into", into, env=self.environment)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        shutil.rmtree(self.cache)
        result = self.run_here(program=program, POLHODE_NO_COMPILE="1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_same_datasets("out.h5", datasets(self.path / "own.h5"), "installed")
        # Also where the shell finds the program, and for others than who has compiled them.
        path = f"{prefix / 'bin'}:{os.environ['PATH']}"
        self.assertEqual(self.run_here(program="polhode", PATH=path, POLHODE_NO_COMPILE="1").returncode, 0)
        self.assertTrue(all(file.stat().st_mode & 0o777 == 0o755 for file in into.glob("*.so")))
        # Where others may write to one it is not loaded.
        for file in into.glob("*.so"):
            file.chmod(0o777)
        self.expect_error(self.run_here(program=program, POLHODE_NO_COMPILE="1"), 3, "polhode compile CONFIG first")

    def test_kernels_for_other_processors(self):
        compiled = self.polhode("compile", self.name, "--for", "scalar,avx2", env=self.environment)
        self.assertEqual(compiled.stdout, "4 kernels compiled, 0 were there\n", compiled.stderr)
        self.assertEqual(self.run_well("out.h5", "--isa", "scalar", POLHODE_NO_COMPILE="1"), "")
        self.expect_error(self.polhode("compile", "--for", "sse2", self.name), 2, "sse2")
        self.expect_error(self.polhode("compile"), 2, "--all")

    def test_without_a_cache_kernels_are_of_the_process_alone(self):
        temporary = self.path / "temporary"
        temporary.mkdir()
        file = self.path / "file"
        file.write_text("")
        for environment, why in (({"POLHODE_CACHE": None, "HOME": None, "XDG_CACHE_HOME": None}, "HOME is not set"),
                                 ({"POLHODE_CACHE": str(file)}, "Not a directory"),
                                 ({"POLHODE_CACHE": None, "HOME": None, "XDG_CACHE_HOME": "relative"}, "HOME is not set")):
            said = self.run_well(TMPDIR=str(temporary), **environment)
            self.assertIn(f"({why}): they are compiled for this process alone", said)
            self.assertEqual(list(temporary.iterdir()), [])
        self.assertFalse((self.path / "relative").exists())

    def test_folders_of_the_cache(self):
        cache, home = self.path / "xdg", self.path / "home"
        self.run_well(POLHODE_CACHE=None, XDG_CACHE_HOME=str(cache), HOME=str(home))
        self.assertTrue((cache / "polhode").is_dir())
        self.run_well(POLHODE_CACHE=None, XDG_CACHE_HOME="relative", HOME=str(home))
        self.assertEqual((home / ".cache" / "polhode").stat().st_mode & 0o777, 0o700)

    def test_what_is_killed_leaves_nothing_that_is_loaded(self):
        for send, codes in ((signal.SIGKILL, (-9,)), (signal.SIGINT, (130,)), (signal.SIGTERM, (130,))):
            for file in self.cache.rglob("*.cpp"):
                file.unlink()
            process = subprocess.Popen([PROGRAM, "run", self.name, "-o", "out.h5"], cwd=self.path, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not list(self.cache.rglob("*.cpp")):
                time.sleep(0.002)
            time.sleep(0.3)
            process.send_signal(send)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, codes, errors)
            self.assertEqual(self.modules(), [])
            self.wait_for_compilers(60 if send == signal.SIGKILL else 1)  # which go with it, but for that one
        self.run_well()
        self.assertEqual(self.files(), self.modules())

    def test_processes_share_the_work(self):
        processes = [subprocess.Popen([PROGRAM, "run", self.name, "-o", f"{k}.h5"], cwd=self.path, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                     for k in range(3)]
        said = "".join(process.communicate(timeout=300)[1] for process in processes)
        self.assertEqual([process.returncode for process in processes], [0, 0, 0], said)
        compiled = "".join(line for line in said.splitlines() if line.startswith("polhode: compiled"))
        self.assertEqual(compiled.count("newton, double"), 1, said)
        for k in (1, 2):
            self.assert_same_datasets(f"{k}.h5", datasets(self.path / "0.h5"), "at once")


if __name__ == "__main__":
    unittest.main()
