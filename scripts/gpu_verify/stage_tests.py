"""tests: the GoogleTest programs, without ctest: those of the GPU, and all others where everything is asked for. Where
there is a GPU, a test of it that is skipped fails."""

import json
import os

from verification.polhode import last_line

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
        of_shards[shard] = run_shard(part, context, program, shard, shards)

    try:
        stage.for_each(range(shards), run_one, shards)
    finally:  # also where the time is up
        passed_on_gpu = evaluate(stage, context, program, sum(of_shards, []))
    return passed_on_gpu


def evaluate(stage, context, program, outcomes):
    """Reports a program's outcomes; returns how many tests of the GPU have passed."""
    failed = [name for name, result in outcomes if result == "FAILED"]
    skipped = [name for name, result in outcomes if result == "SKIPPED"]
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
    passed = len(outcomes) - len(failed) - len(skipped)
    stage.add(f"{program.name}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped",
              program=program.name, passed=passed, failed=len(failed), skipped=len(skipped))
    return sum(is_gpu_test(name) and result == "PASSED" for name, result in outcomes)


def run_shard(stage, context, program, shard, shards):
    """The outcomes of a shard; a problem where it does not end as a test program does."""
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard))
    if context.program.has_gpu:
        environment["POLHODE_REQUIRE_GPU"] = "1"
    report = context.folder / f"{program.name}-{shard}.json"
    command = [program, f"--gtest_output=json:{report}", "--gtest_brief=1"]
    process = stage.run(command + ([] if context.full else [f"--gtest_filter={GPU_TESTS}"]), env=environment)
    if not report.is_file():
        stage.fail(f"{program.name}, shard {shard}, ended with {process.returncode} and without a report: "
                   f"{last_line(process)}")
        return []
    outcomes = list(read(report))
    if process.returncode != 0:
        if not any(result == "FAILED" for _, result in outcomes):
            stage.fail(f"{program.name}, shard {shard}, ended with {process.returncode}")
        print(process.stdout, end="")  # says where and how
    return outcomes


def is_gpu_test(name):
    return any(word in name for word in GPU_TESTS.replace("*", "").split(":"))


def read(report):
    """(name, PASSED | FAILED | SKIPPED) of every test that GoogleTest's report says was run."""
    for suite in json.loads(report.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            if test["status"] == "RUN":
                result = "FAILED" if test.get("failures") else "SKIPPED" if test["result"] == "SKIPPED" else "PASSED"
                yield f"{suite['name']}.{test['name']}", result
