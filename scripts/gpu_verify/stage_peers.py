"""peers: bench/gpu, the same work by polhode and by the libraries that the Python here has; states must agree."""

import json

from verification.polhode import last_line

LARGEST = 1 << 21  # trajectories; more are for bench/gpu/compare by itself
OPTIONS = {"quick": ["--quick", "--repeat", 1], "normal": ["--repeat", 5], "full": []}


def run(stage, context):
    compare = context.root / "bench" / "gpu" / "compare"
    if not compare.is_file():
        stage.skip("peers", f"there is no {compare}")
        return
    device = "cuda" if context.program.has_gpu else "cpu"
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    for problem in ("lorenz", "heavy-top"):
        folder = context.folder / problem
        command = [compare, problem, "--device", device, "--bin", context.program.folder, "--out", folder,
                   "--largest", LARGEST]
        try:
            process = stage.run(command + OPTIONS[context.size])
            if process.returncode != 0:
                stage.fail(f"{problem}: {last_line(process)}")
        finally:  # out of time, too
            keep(stage, problem, folder / "compare.json")


def keep(stage, problem, file):
    """What there is: nothing where the comparison failed before its first ensemble."""
    if not file.is_file():
        return
    found = json.loads(file.read_text())
    for note in found["notes"]:
        stage.skip(problem, note)
    for row in found["rows"]:
        rate = row["kernel"]["steps_per_second"]
        stage.add(f"{row['problem']}, {row['precision']}, {row['trajectories']} trajectories, {row['contender']}: "
                  f"{rate:.3g} steps/s", name=f"{problem} {row['contender']}", **row)
