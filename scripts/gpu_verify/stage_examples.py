"""examples: each of them whole by cpu and by cuda, whose datasets must agree bit for bit, with what the sections, densities and
statistics of users are made of; and cross-checked, which has the reference look at it too."""

import json
import subprocess
import sys

from gpu_verify import compare
from gpu_verify.stage import last_line

STATES = {"water": 1000, "butane": 1000}  # examples that read theirs from a file, and how many they get
QUICK = ("heavy_top_section",)


def run(stage, context):
    folder = context.program.examples
    if folder is None:
        stage.skip("examples", f"there are none beside {context.program.folder}")
        return
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    examples = [file for file in sorted(folder.glob("*.toml")) if not context.quick or file.stem in QUICK]
    stage.for_each(examples, lambda part, example: verify(part, context, example), context.workers)


def verify(stage, context, example):
    options = []
    if example.stem in STATES:
        states = context.folder / f"{example.stem}-states.h5"
        stage.run([sys.executable, example.parent / "molecule_states.py", example.stem, STATES[example.stem], states])
        options = ["--set", f"ensemble.path={states}"]
    datasets = compare_runs(stage, context, example, options) if context.program.has_gpu else 0
    kept = crosscheck(stage, context, example, options)
    compared = f"cpu = cuda in {datasets} datasets, " if datasets else ""
    stage.add(f"{example.stem}: {compared}{kept} promises looked at", name=example.stem, datasets=datasets, promises=kept)


def compare_runs(stage, context, example, options):
    """How many datasets both backends have the same of."""
    outputs = []
    for backend in ("cpu", "cuda"):
        outputs.append(context.folder / f"{example.stem}-{backend}.h5")
        process = stage.run([context.program.polhode, "run", example, *options, "-o", outputs[-1], "--quiet", "--backend", backend])
        if process.returncode != 0:
            stage.fail(f"{example.stem} on {backend}: {last_line(process)}")
            return 0
    lines = compare.differences(*outputs)
    for line in lines:
        stage.fail(f"{example.stem}: cpu and cuda differ in {line}")
    count = compare.count(outputs[0])
    for output in outputs:
        output.unlink()
    return count - len(lines)


def crosscheck(stage, context, example, options):
    """How many promises the program's own comparison has looked at, and found kept."""
    few = ["--trajectories", "4", "--steps", "50"] if context.quick else []
    try:
        process = stage.run([context.program.polhode, "crosscheck", example, *options, *few, "--json"])
        findings = json.loads(process.stdout)["findings"]
    except (json.JSONDecodeError, KeyError, subprocess.SubprocessError):
        stage.fail(f"{example.stem}: crosscheck: {last_line(process)}")
        return 0
    for finding in findings:
        if finding["verdict"] == "broken":
            stage.fail(f"{example.stem}: {finding['promise']}, {finding['subject']}: broken")
    kept = sum(finding["verdict"] == "kept" for finding in findings)
    if kept == 0:
        stage.fail(f"{example.stem}: crosscheck found nothing to look at")
    if context.program.has_gpu and not any("cuda" in finding["subject"] for finding in findings):
        stage.fail(f"{example.stem}: crosscheck left cuda out")
    return kept
