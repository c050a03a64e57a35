"""examples: each of them whole by cpu and by cuda, whose datasets must agree bit for bit, with what the sections,
densities and statistics of users are made of; and cross-checked, which has the reference look at it too."""

import json

from verification import compare, examples
from verification.polhode import Unusable, last_line

MOLECULES = 1000  # of an example that reads its states from a file
QUICK = ("heavy_top_section",)


def run(stage, context):
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    files = [file for file in examples.files() if not context.quick or file.stem in QUICK]
    if not files:
        stage.fail(f"there are none in {examples.FOLDER}")
    stage.for_each(files, lambda part, example: verify(part, context, example), context.workers)


def verify(stage, context, example):
    try:
        options = examples.write_states(example, context.folder, MOLECULES)
    except Unusable as error:
        stage.fail(f"{example.stem}: {error}")
        return
    datasets = compare_runs(stage, context, example, options) if context.program.has_gpu else 0
    kept = crosscheck(stage, context, example, options)
    compared = f"cpu = cuda in {datasets} datasets, " if datasets else ""
    stage.add(f"{example.stem}: {compared}{kept} promises kept", name=example.stem, datasets=datasets, promises=kept)


def compare_runs(stage, context, example, options):
    """How many datasets both backends have the same of."""
    outputs = []
    for backend in ("cpu", "cuda"):
        outputs.append(context.folder / f"{example.stem}-{backend}.h5")
        process = stage.run([context.program.path, "run", example, *options, "-o", outputs[-1], "--quiet",
                             "--backend", backend])
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
    process = stage.run([context.program.path, "crosscheck", example, *options, *few, "--json"])
    try:
        findings = json.loads(process.stdout)["findings"]
    except (json.JSONDecodeError, KeyError):
        stage.fail(f"{example.stem}: crosscheck: {last_line(process)}")
        return 0
    for finding in findings:
        if finding["verdict"] == "broken":
            stage.fail(f"{example.stem}: {finding['promise']}, {finding['subject']}: broken")
    kept = sum(finding["verdict"] == "kept" for finding in findings)
    if kept == 0:
        stage.fail(f"{example.stem}: crosscheck found nothing to look at")
    looked_at = [finding["subject"] for finding in findings if finding["verdict"] != "skipped"]
    if context.program.has_gpu and not any("cuda" in subject for subject in looked_at):
        stage.fail(f"{example.stem}: crosscheck left cuda out")
    return kept
