"""tests: the GoogleTest programs, without ctest: those of the GPU, and all others where everything is asked for. Where
there is a GPU, a test of it that is skipped fails."""

import os
import re
import subprocess

GPU_TESTS = "*Cuda*:*CUDA*:*Gpu*:*GPU*"


def run(stage, context):
    programs = context.program.tests()
    if not programs:
        stage.skip("tests", f"there are none in {context.program.folder}")
    passed_on_gpu = [run_program(stage, context, program) for program in programs]
    if context.program.has_gpu and programs and sum(passed_on_gpu) == 0:
        stage.fail("no test of the GPU has run")


def run_program(stage, context, program):
    """All tests of a program, in shards side by side; returns what evaluate() does."""
    shards = context.workers
    of_shards = [[] for _ in range(shards)]

    def run_one(part, shard):
        log = context.folder / f"{program.name}-{shard}.log"
        try:
            run_shard(part, context, program, log, shard, shards)
        finally:  # also where the time is up
            of_shards[shard] = outcomes(log.read_text())

    try:
        stage.for_each(range(shards), run_one, shards)
    finally:
        passed_on_gpu = evaluate(stage, context, program, sum(of_shards, []))
    return passed_on_gpu


def evaluate(stage, context, program, found):
    """Reports a program's outcomes; returns how many tests of the GPU have passed."""
    failed = [name for name, result in found if result == "FAILED"]
    skipped = [name for name, result in found if result == "SKIPPED"]
    for name in failed:
        stage.fail(f"{program.name}: {name}")
    needing_gpu = [name for name in skipped if is_gpu_test(name)]
    if needing_gpu and context.program.has_gpu:
        stage.fail(f"{program.name} skipped on a GPU: {', '.join(needing_gpu)}")
    elif needing_gpu:
        stage.skip(f"{len(needing_gpu)} tests of {program.name}", context.program.why_no_gpu)
    for name in skipped:
        if name not in needing_gpu:
            stage.skip(name, f"{program.name} says why")
    passed = len(found) - len(failed) - len(skipped)
    stage.add(f"{program.name}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped",
              program=program.name, passed=passed, failed=len(failed), skipped=len(skipped))
    return sum(is_gpu_test(name) and result == "OK" for name, result in found)


def run_shard(stage, context, program, log, shard, shards):
    """Writes the log of a shard; a problem where it does not end as a test program does."""
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard))
    if context.program.has_gpu:
        environment["POLHODE_REQUIRE_GPU"] = "1"
    command = [program] + ([] if context.full else [f"--gtest_filter={GPU_TESTS}"])
    with open(log, "w") as file:
        process = stage.run(command, env=environment, stdout=file, stderr=subprocess.STDOUT)
    text = log.read_text()
    failed = any(result == "FAILED" for _, result in outcomes(text))
    if process.returncode != 0 and not failed:
        begun = re.findall(r"^\[ RUN      \] (.*)$", text, re.MULTILINE)
        stage.fail(f"{program.name}, shard {shard}, ended with {process.returncode} in {begun[-1] if begun else 'no test'}")
    if failed:
        print(text, end="")  # says where and how


def is_gpu_test(name):
    return any(word in name for word in GPU_TESTS.replace("*", "").split(":"))


def outcomes(text):
    """(name, OK | FAILED | SKIPPED) of every test that GoogleTest says has ended."""
    ended = re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:, where .*)? \(\d+ ms\)$", text, re.MULTILINE)
    return [(name, result) for result, name in ended]
