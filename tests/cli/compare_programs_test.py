#!/usr/bin/env python3
"""scripts/compare-programs: a program is equal to itself, and whatever is planted in its files, bits or messages is found.

Run with POLHODE set to the program's path."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

PROGRAM = pathlib.Path(os.environ["POLHODE"])
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True

from compare_programs import catalog_runs, example_runs, feature_runs, known  # noqa: E402
from compare_programs.run import Run, execute  # noqa: E402
from verification import examples  # noqa: E402
from verification.polhode import Polhode, Unusable  # noqa: E402

# A program that does what polhode does, with something planted before or after a run.
PLANTED = f"""#!{sys.executable}
import os, pathlib, subprocess, sys
arguments = sys.argv[1:]
BEFORE
if arguments[0] != "run": os.execv("{PROGRAM}", ["polhode", *arguments])
import h5py, numpy
process = subprocess.run(["{PROGRAM}", *arguments], capture_output=True, text=True)
code, message = process.returncode, process.stderr
if arguments[0] == "run" and pathlib.Path("out.h5").exists():
    with h5py.File("out.h5", "r+") as file:
        pass
        INSIDE
AFTER
print(process.stdout, end="")
print(message, end="", file=sys.stderr)
sys.exit(code)
"""
BEST = json.loads(subprocess.run([PROGRAM, "list", "backends", "--json"], capture_output=True).stdout)[1]["isa"][-1]
ONE = f"^heavy-top rattle cayley double, {BEST}$"
REFERENCE = "^heavy-top rattle cayley, reference$"
INTERRUPTED = f"^interrupted and resumed, {BEST}$"
SOME_FAIL = f"^a step too long for some, {BEST}$"

# As a program was that repeats the last state where nothing is known, and takes a run of failures for done.
REPEATED = """
        steps, every = file["status/step"][()], 50
        for name in ("snapshots/state", "snapshots/invariants"):
            values = file[name][()]
            for k, step in enumerate(steps):
                values[k, step // every + 1:] = values[k, step // every]
            file[name][()] = values
        drift = file["invariants/max_drift"][()]
        drift[steps < 16] = 0
        file["invariants/max_drift"][()] = drift
"""
DONE = 'if arguments[0] == "run": code, message = 0, ""'

# As the file of a program is that writes NaN for what is unknown.
NAN_AFTER_END = """
        steps, every = file["status/step"][()], 50
        for name in ("snapshots/state", "snapshots/invariants"):
            values = file[name][()]
            for k, step in enumerate(steps):
                values[k, step // every + 1:] = numpy.nan
            file[name][()] = values
        drift = file["invariants/max_drift"][()]
        drift[steps < 16] = numpy.nan
        file["invariants/max_drift"][()] = drift
"""


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def planted(self, before="", inside="", after="", name="planted"):
        program = self.path / name
        program.write_text(PLANTED.replace("BEFORE", before).replace("INSIDE", inside).replace("AFTER", after))
        program.chmod(0o755)
        return program

    def compare(self, new, *options, old=PROGRAM):
        return subprocess.run([SCRIPTS / "compare-programs", old, new, *options], capture_output=True, text=True,
                              timeout=600)

    def expect_different(self, process, *patterns):
        """Exit code 1, and a line for each pattern before the summary."""
        self.assertEqual((process.returncode, process.stderr), (1, ""), process.stdout)
        lines = process.stdout.splitlines()
        summary = next(i for i, line in enumerate(lines) if " runs with each program, " in line)
        self.assertEqual(len(lines[:summary]), len(patterns), process.stdout)
        for line, pattern in zip(lines, patterns):
            self.assertRegex(line, pattern)

    def expect_equal(self, process, *patterns):
        """Exit code 0, and no more lines than the patterns after the first one of the summary, and "equal"."""
        self.assertEqual((process.returncode, process.stderr), (0, ""), process.stdout)
        first, *others, last = process.stdout.splitlines()
        self.assertRegex(first, r"^[1-9]\d* runs with each program, [1-9]\d* datasets, [1-9]\d* bytes$")
        self.assertEqual(last, "equal")
        self.assertEqual(len(others), len(patterns), process.stdout)
        for line, pattern in zip(others, patterns):
            self.assertRegex(line, pattern)


class Completeness(InTemporaryFolder):
    def test_every_example_and_every_entry_of_the_catalog_on_every_instruction_set(self):
        program = Polhode(PROGRAM)
        names = [run.name for run in example_runs.runs(program, self.path, full=False)]
        expected = [f"examples/{file.name}, {isa}" for file in examples.FOLDER.glob("*.toml") for isa in program.isas]
        self.assertEqual(sorted(names), sorted(expected))
        names = [run.name for run in catalog_runs.runs(program, self.path)]
        entries = [f"{method['system']} {method['name']} {solver['name']}"
                   for method in program.list("methods") for solver in method["solvers"]]
        self.assertGreater(len(entries), 100)
        fast = [f"{entry} {precision}, {isa}" for entry in entries for precision in ("double", "single")
                for isa in program.isas]
        self.assertEqual(sorted(names), sorted(fast + [f"{entry}, reference" for entry in entries]))

    def test_what_is_cut_exists(self):
        self.assertLessEqual(set(example_runs.CUTS), {file.stem for file in examples.files()})


class Equality(InTemporaryFolder):
    def test_a_program_is_equal_to_itself(self):
        some = "heavy-top rattle cayley|^heavy-top moser-veselov.*single|molecule-water rattle newton double, reference|" \
               "free_body|terminal|too long|interrupted|compressed|rejected"
        process = self.compare(PROGRAM, "--only", some)
        self.expect_equal(process)
        runs, datasets, size = (int(number) for number in process.stdout.split() if number.isdigit())
        self.assertGreater(runs, 30)
        self.assertGreater(datasets, 15 * (runs - 9))  # but for what is rejected
        self.assertGreater(size, 1e6)

    def test_what_is_new_is_named_and_no_difference(self):
        plant = 'file["section/colours"] = [1.0]; file["final"].attrs["unit"] = "m"; file.create_group("orbits"); ' \
                'file.attrs["git"] = "abc"; file.attrs["created"] = "today"; file.attrs["version"] = "9"; file.attrs["compiler"] = "cc"; ' \
                'file.attrs["identity"] = file.attrs["identity"].replace(", headers ", ", headers 0")'
        self.expect_equal(self.compare(self.planted(inside=plant), "--only", ONE),
                          "^only in the new files: /orbits, in 1 of them$",
                          "^only in the new files: /section/colours, in 1 of them$",
                          "^only in the new files: attribute unit of /final, in 1 of them$")

    def test_a_new_method_is_named_and_no_difference(self):
        before = 'if arguments == ["list", "methods", "--json"]:\n' \
                 '    import json\n' \
                 f'    methods = json.loads(subprocess.run(["{PROGRAM}", *arguments], capture_output=True).stdout)\n' \
                 '    print(json.dumps(methods + [dict(methods[0], name="gauss")]))\n' \
                 '    sys.exit()'
        process = self.compare(self.planted(before=before), "--only", ONE)
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assertRegex(process.stdout, "^only in the new catalog: heavy-top gauss cayley\n"
                                         "only in the new catalog: heavy-top gauss hadamard\n1 runs with")

    def test_without_h5py(self):
        process = subprocess.run([SCRIPTS / "compare-programs", PROGRAM, PROGRAM], capture_output=True, text=True,
                                 env={**os.environ, "POLHODE_PYTHON": "false"})
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertRegex(process.stderr, r"^compare-programs: .* h5py .*\n$")

    def test_without_states_of_an_example(self):
        with self.assertRaisesRegex(Unusable, "molecule_states.py: .*Error: .*none/water-states.h5"):
            examples.write_states(examples.FOLDER / "water.toml", self.path / "none", 3)

    def test_unusable_arguments(self):
        for new, options, message in ((self.path / "none", [], "cannot run .*/none "),
                                      (PROGRAM, ["--only", "^nothing$"], "no run has a name with "),
                                      (PROGRAM, ["--expect", "anything"], "invalid choice: 'anything'")):
            process = self.compare(new, *options)
            self.assertEqual((process.returncode, process.stdout), (2, ""))
            self.assertRegex(process.stderr.splitlines()[-1], f"^compare-programs: .*{message}")


class Faults(InTemporaryFolder):
    def test_one_bit_of_one_parameter_of_one_method(self):
        before = 'if arguments[0] == "run" and \'name = "constraint-euler"\\n\' in pathlib.Path("run.toml").read_text():\n' \
                 '    arguments += ["--set", "system.c=1.0000000000000002"]'
        program = self.planted(before=before)
        process = self.compare(program, "--only", f"^heavy-top .* cayley double, {BEST}$")
        run = f"^heavy-top constraint-euler cayley double, {BEST}: "
        lines = process.stdout.splitlines()
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertTrue(all(line.startswith(run[1:]) for line in lines[:-2]), process.stdout)
        for pattern in ("attribute config of /: .*system", r"/parameters/c: its value: 1\.0 and 1\.0000000000000002 ",
                        r"/final/state: trajectory \d+, step \d+, (pi|gamma)\d: \S+ and \S+ \(\d+ of 420 differ\)$",
                        r"/snapshots/state: trajectory \d+, step \d+, (pi|gamma)\d: ",
                        r"/section/state: trajectory \d+, step \d+, (pi|gamma)\d: ",
                        r"/statistics/mean: index \d+, \d+: "):
            self.assertTrue(any(re.search(run + pattern, line) for line in lines), (pattern, process.stdout))
        self.assertEqual(lines[-1], "1 runs differ")

    def test_one_bit_of_one_number(self):
        plant = 'row = file["final/state"][5]; row.view("u8")[3] ^= numpy.uint64(1); file["final/state"][5] = row'
        process = self.compare(self.planted(inside=plant), "--only", f"{ONE}|^heavy-top rattle .* single, {BEST}$")
        self.assertEqual(process.returncode, 1)
        lines = process.stdout.splitlines()
        self.assertRegex(lines[0], rf"{ONE[:-1]}: /final/state: trajectory 5, step \d+, gamma1: \S+ and \S+ \(1 of 420 differ\)$")

    def test_messages_exit_codes_and_files_left(self):
        rejected = f"^rejected: a bound, {BEST}$"
        process = self.compare(self.planted(after='message = message.replace("must", "should")'), "--only", rejected)
        self.expect_different(process, "message: 'polhode: .* must be .*' and 'polhode: .* should be .*'$")
        process = self.compare(self.planted(after="code = 4 if code == 2 else code"), "--only", rejected)
        self.expect_different(process, r"exit code 2 \(polhode: .*\) and 4 \(polhode: .*\)$")
        process = self.compare(self.planted(after='arguments[0] == "run" and pathlib.Path("core").touch()'), "--only", ONE)
        self.expect_different(process, r"files: \('out.h5', 'run.toml'\) and \('core', 'out.h5', 'run.toml'\)$")

    def test_runs_that_fail_alike_are_not_equal(self):
        failing = self.planted(before='if arguments[0] == "run": sys.exit("polhode: no")')
        self.expect_different(self.compare(failing, "--only", ONE, old=failing),
                              r"nothing to compare: both end with 1 \(polhode: no\)$")

    def test_a_file_that_cannot_be_read(self):
        after = 'if pathlib.Path("out.h5").exists(): pathlib.Path("out.h5").write_bytes(b"no HDF5")'
        self.expect_different(self.compare(self.planted(after=after), "--only", ONE), r"cannot be read \(.*\)$")

    def test_runs_that_do_nothing_alike_are_not_equal(self):
        idle = self.planted(before='if arguments[0] == "run": sys.exit()')
        self.expect_different(self.compare(idle, "--only", ONE, old=idle), r"nothing to compare: both end with 0 \(\)$")
        patient = self.planted(before='if arguments[0] == "run": arguments += ["--set", "run.steps=1"]')
        process = self.compare(patient, "--only", INTERRUPTED, old=patient)
        self.expect_different(process, r"nothing to compare: both end with -1 \(it was to be interrupted, and ended with ")

    def test_it_is_in_the_middle_that_a_run_is_interrupted(self):
        before = f'if arguments[0] == "run" and "--resume" not in arguments: os.execv("{PROGRAM}", ["polhode", *arguments])\n' \
                 'if arguments[0] == "run" and pathlib.Path("out.h5.part/checkpoint").read_bytes()[40:48] != bytes(8):\n' \
                 '    sys.exit("polhode: in the middle")'
        self.expect_different(self.compare(self.planted(before=before), "--only", INTERRUPTED),
                              r"exit code 0 \(\) and 1 \(polhode: in the middle\)$")

    def test_a_program_that_hangs_is_ended(self):
        hanging = self.planted(before='if arguments[0] == "run":\n'
                                      '    import signal, time\n'
                                      '    signal.signal(signal.SIGINT, signal.SIG_IGN)\n'
                                      '    pathlib.Path("pid").write_text(str(os.getpid()))\n'
                                      '    time.sleep(600)')
        for interrupted in (False, True):
            folder = self.path / str(interrupted)
            with unittest.mock.patch("compare_programs.run.TIME_LIMIT", 3.0):
                outcome = execute(hanging, Run("hangs", "", interrupted=interrupted), folder)
            self.assertEqual((outcome.code, outcome.message), (-1, "it does not end within 3 s"))
            with self.assertRaises(ProcessLookupError):
                os.kill(int((folder / "pid").read_text()), 0)

    def test_where_both_have_nothing_nothing_is_compared(self):
        plant = 'del file["section/time"]; file["section/time"] = numpy.zeros(0)'
        without_times = self.planted(inside=plant)
        self.expect_different(self.compare(without_times, "--only", ONE, old=without_times),
                              "/section/time is empty: there is nothing to compare$")


class Known(InTemporaryFolder):
    """Runs some of whose trajectories fail at once, and some later."""

    def expect(self, *options, **plant):
        """Of a program that repeats the last state and one that writes NaN, with something planted."""
        return self.compare(self.planted(**plant), "--only", SOME_FAIL, *options,
                            old=self.planted(inside=REPEATED, name="repeats"))

    def test_nan_after_the_end(self):
        process = self.expect()
        self.expect_different(process, "/invariants/max_drift: trajectory ", "/snapshots/invariants: trajectory ",
                              r"/snapshots/state: trajectory \d+, step \d+, pi1: \S+ and nan \(0x7ff8000000000000\) ")
        self.expect_equal(self.expect("--expect", "nan-after-end"),
                          r"^[1-9]\d+ numbers in 1 files differ as expected$")

    def test_nan_where_something_is_known(self):
        # Also in snapshots right at the end.
        at_end = NAN_AFTER_END.replace("step // every + 1:", "-(-step // every):")
        self.expect_different(self.expect("--expect", "nan-after-end", inside=at_end),
                              r"/snapshots/invariants: trajectory \d+, step \d+, energy: \S+ and nan ",
                              r"/snapshots/state: trajectory \d+, step \d+, pi1: \S+ and nan ")
        drift = NAN_AFTER_END.replace("steps < 16", "steps < 400")
        self.expect_different(self.expect("--expect", "nan-after-end", inside=drift), "/invariants/max_drift: ")

    def test_another_nan(self):
        other = NAN_AFTER_END.replace("numpy.nan", 'numpy.uint64(0x7ff8000000000001).view("f8")')
        self.expect_different(self.expect("--expect", "nan-after-end", inside=other), "max_drift", "snapshots/invariants",
                              r"snapshots/state: .* and nan \(0x7ff8000000000001\)")

    def test_all_failed(self):
        old, all_fail = self.planted(after=DONE, name="done"), ("--only", f"^a step too long for all, {BEST}$")
        self.expect_different(self.compare(PROGRAM, *all_fail, old=old), r"exit code 0 \(\) and 1 \(polhode: every ")
        all_fail += ("--expect", "failure-if-all-failed")
        self.expect_equal(self.compare(PROGRAM, *all_fail, old=old))
        other = self.planted(after='message = message.replace("every", "a")')
        self.expect_different(self.compare(other, *all_fail, old=old), r"exit code 0 \(\) and 1 \(polhode: a trajectory failed ")
        leaving = self.planted(after='arguments[0] == "run" and pathlib.Path("core").touch()')
        self.expect_different(self.compare(leaving, *all_fail, old=old), r"files: \('out.h5', .*\) and \('core', 'out.h5', ")
        known = ("--expect", "failure-if-all-failed", "--expect", "nan-after-end")
        after = 'if arguments[0] == "run": code, message = 1, "polhode: every trajectory failed (why). Do.\\n"'
        self.expect_different(self.expect(*known, after=after), r"exit code 0 \(\) and 1 \(polhode: every trajectory ")


class OfReference(InTemporaryFolder):
    def disturbed(self, by, *plants, before=""):
        """With states off by so much of them from the first step on, and something planted."""
        plant = f'states = file["snapshots/state"][()]; states[:, 1:] *= 1 + {by} * numpy.sin(numpy.arange(6)); ' \
                'file["snapshots/state"][()] = states'
        return self.planted(before=before, inside="; ".join((plant, *plants)))

    def of_reference(self, new, old=PROGRAM):
        return self.compare(new, "--only", REFERENCE, old=old)

    def test_round_off_is_allowed_and_no_more(self):
        self.expect_equal(self.of_reference(self.disturbed(1e-14)),
                          r"^1 runs of the reference differ by round-off, 0\.0\d+ of what is allowed")
        self.expect_different(self.of_reference(self.disturbed(1e-9)),
                              r"/snapshots/state: trajectory \d, step \d+: \S+e-10 apart, \S+e-1[12] allowed$")

    def test_what_follows_from_states_is_judged_with_them(self):
        for name, change in (("section/time", "* 1.1"), ("section/state", "+ 1"), ("section/state", "* (1 + 1e-9)"),
                             ("final/state", "* 2"), ("final/state", "* (1 + 1e-9)"),
                             ("invariants/max_drift", "* 0 + 7"), ("invariants/max_drift", "+ 1e-9"),
                             ("invariants/initial", "+ 1e-9"), ("snapshots/invariants", "+ 1e-9")):
            with self.subTest(name, change=change):
                plant = f'file["{name}"][()] = file["{name}"][()] {change}'
                self.expect_different(self.of_reference(self.disturbed(1e-14, plant)),
                                      rf"/{name}: trajectory \d, step \d+: \S+ apart, \S+ allowed$")
        # Round-off of states is no reason where they have the same bits.
        plant = 'row = file["section/state"][0]; row.view("u8")[3] ^= numpy.uint64(1); file["section/state"][0] = row'
        self.expect_different(self.of_reference(self.planted(inside=plant)),
                              r"/section/state: trajectory \d, step \d+, gamma1: \S+ and \S+ \(1 of \d+ differ\)$")

    def test_at_the_start(self):
        plant = 'states[2, 0] *= 1 + 1e-9; file["snapshots/state"][()] = states'
        self.expect_different(self.of_reference(self.disturbed(1e-14, plant)),
                              r"/snapshots/state: trajectory 2, step 0: \S+e-\d+ apart, \S+e-12 allowed$")

    def test_a_trajectory_that_fails_later_on(self):
        longer = 'if arguments[0] == "run": arguments += ["--set", "method.step=0.7"]'
        old = self.planted(before=longer, name="longer")
        ends = 'k = numpy.flatnonzero(file["status/step"][()] == 2)[0]; '
        plant = ends + 'states[k, 2] *= 1 + 1e-6; file["snapshots/state"][()] = states'
        self.expect_equal(self.of_reference(self.disturbed(1e-14, before=longer), old), "by round-off, 0.0")
        self.expect_different(self.of_reference(self.disturbed(1e-14, plant, before=longer), old),
                              r"/snapshots/state: trajectory \d, step 2: 1\.0e-06 apart, \S+e-12 allowed$")
        # After its end nothing follows from states.
        plant = ends + 'states[k, 5] = 1; file["snapshots/state"][()] = states'
        self.expect_different(self.of_reference(self.disturbed(1e-14, plant, before=longer), old),
                              r"/snapshots/state: trajectory \d, step \d+, \w+: \S+ and \S+ \(\d+ of 612 differ\)$")

    def test_what_is_no_round_off(self):
        states = r"/snapshots/state: trajectory \d, step 1, \w+: \S+ and \S+ \(\d+ of 612 differ\)$"
        plant = 'file["section/step"][0] += 1; file.attrs["sweeps"] = numpy.int64(99)'
        self.expect_different(self.of_reference(self.disturbed(1e-14, plant)), r"attribute sweeps of /: \d+ and 99$",
                              r"/section/step: trajectory \d+, step \d+: ", states)
        replace = 'node = file["{0}"]; values, attributes = node[()], dict(node.attrs); del file["{0}"]; ' \
                  'file.create_dataset("{0}", data={1}).attrs.update(attributes)'
        for plant, words in ((replace.format("final/state", 'values.astype("f4")'), "/final/state: float64 and float32$"),
                             (replace.format("section/time", "values[1:]"), r"/section/time: \[3\] and \[2\] elements"),
                             (replace.format("invariants/initial", "values, chunks=(1, 1)"),
                              "/invariants/initial is stored differently: "),
                             ('del file["invariants/max_drift"]', "/invariants/max_drift is missing$")):
            with self.subTest(words):
                self.expect_different(self.of_reference(self.disturbed(1e-14, plant)), words, states)


if __name__ == "__main__":
    unittest.main()
