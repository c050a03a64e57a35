"""tests: the GoogleTest programs, without ctest. Where there is a GPU, a test of it that is skipped fails."""

import json
import os

GPU_TESTS = "*Cuda*:*CUDA*:*Gpu*:*GPU*"


def run(stage, context):
    programs = context.program.tests()
    if not programs:
        stage.skip("tests", f"there are none in {context.program.folder}")
    environment = dict(os.environ)
    if context.program.has_gpu:
        environment["POLHODE_REQUIRE_GPU"] = "1"
    passed_on_gpu = 0
    for program in programs:
        report = context.folder / f"{program.name}.json"
        command = [program, f"--gtest_output=json:{report}", "--gtest_brief=1"]
        process = stage.run(command + ([f"--gtest_filter={GPU_TESTS}"] if context.quick else []), env=environment)
        if not report.is_file():
            stage.fail(f"{program.name} ended with {process.returncode} and without a report")
            continue
        outcomes = list(read(report))
        failed = [name for name, result in outcomes if result == "FAILED"]
        skipped = [name for name, result in outcomes if result == "SKIPPED"]
        passed_on_gpu += sum(is_gpu_test(name) and result == "PASSED" for name, result in outcomes)
        for name in failed:
            stage.fail(f"{program.name}: {name}")
        if process.returncode != 0 and not failed:
            stage.fail(f"{program.name} ended with {process.returncode}")
        needing_gpu = [name for name in skipped if is_gpu_test(name)]
        if needing_gpu and context.program.has_gpu:
            stage.fail(f"{program.name} skipped on a GPU: {', '.join(needing_gpu)}")
        elif needing_gpu:
            stage.skip(", ".join(needing_gpu), context.program.why_no_gpu)
        for name in skipped:
            if name not in needing_gpu:
                stage.skip(name, f"{program.name} says why")
        passed = len(outcomes) - len(failed) - len(skipped)
        stage.add(f"{program.name}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped",
                  program=program.name, passed=passed, failed=len(failed), skipped=len(skipped))
    if context.program.has_gpu and programs and passed_on_gpu == 0:
        stage.fail("no test of the GPU has run")


def is_gpu_test(name):
    return any(word in name for word in GPU_TESTS.replace("*", "").split(":"))


def read(report):
    """(name, PASSED | FAILED | SKIPPED) of every test that GoogleTest's report says was run."""
    for suite in json.loads(report.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            if test["status"] == "RUN":
                result = "FAILED" if test.get("failures") else "SKIPPED" if test["result"] == "SKIPPED" else "PASSED"
                yield f"{suite['name']}.{test['name']}", result
