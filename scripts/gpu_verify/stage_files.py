"""files: whole runs of the heavy top by RATTLE, from reading initial states to the HDF5 file, by the clock on the
wall."""

import re
import shutil
import time

from verification import ensembles
from verification.polhode import last_line

SIZES = {"quick": (1000,), "normal": (10**6,), "full": (10**4, 10**5, 10**6, 10**7)}  # trajectories
SECONDS = 2.0  # of integration that a run is to take
LEAST_STEPS = 100
MAX_SECTION_BYTES = 4e9
CROSSINGS_PER_STEP = 0.02  # about twice what this ensemble has
SECTION_POINT = 9 * 8  # bytes: six columns, trajectory, time, step


def run(stage, context):
    entry = next(entry for entry in context.program.list("systems") if entry["name"] == "heavy-top")
    backend = "cuda" if context.program.has_gpu else "cpu"
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    for n in SIZES[context.size]:
        needed = n * 500 + 2 * MAX_SECTION_BYTES * (not context.quick)  # journals and file
        free = shutil.disk_usage(context.folder).free
        if free < needed:
            stage.skip(f"{n} trajectories", f"{needed / 1e9:.1f} GB of disk are needed, {free / 1e9:.1f} are free")
            continue
        states = context.folder / "states.h5"
        ensembles.write_states(states, entry, n)
        steps = 20 if context.quick else choose_steps(stage, context, entry, states, n, backend)
        if steps:
            measure(stage, context, entry, states, n, steps, False, backend)
            fitting = int(MAX_SECTION_BYTES / (n * CROSSINGS_PER_STEP * SECTION_POINT))
            measure(stage, context, entry, states, n, min(steps, fitting), True, backend)


def choose_steps(stage, context, entry, states, n, backend):
    """As many steps as take SECONDS, judged by ever longer runs, since a short one shows mostly its start."""
    steps = max(LEAST_STEPS, 10**7 // n)
    while True:
        result = whole_run(stage, context, entry, states, steps, False, backend)
        if result is None:
            return None
        if result["integration_seconds"] >= SECONDS / 4:
            return max(LEAST_STEPS, int(steps * SECONDS / result["integration_seconds"]))
        steps *= 4


def measure(stage, context, entry, states, n, steps, section, backend):
    result = whole_run(stage, context, entry, states, steps, section, backend)
    if result is None:
        return
    advanced = n * steps
    words = "with a section" if section else "without a section"
    stage.add(f"{n} trajectories, {steps} steps, {words}: {advanced / result['wall_seconds']:.3g} steps/s in all, "
              f"{advanced / max(result['integration_seconds'], 0.01):.3g} integrating, {result['bytes'] / 1e6:.0f} MB",
              backend=backend, trajectories=n, steps=steps, section=section,
              steps_per_second=advanced / result["wall_seconds"], **result)


def whole_run(stage, context, entry, states, steps, section, backend):
    """Seconds and bytes of a run; None, and a problem, where it fails."""
    output = context.folder / "run.h5"
    text = ensembles.configuration(entry, "rattle", "cayley", states, steps, section)
    begin = time.monotonic()
    process = context.polhode(stage, text, output, "--backend", backend)
    wall = time.monotonic() - begin
    integration = re.search(r"^  ([0-9.]+) s, ", process.stdout, re.MULTILINE)
    if process.returncode != 0 or not integration:
        stage.fail(f"{steps} steps on {backend}: {last_line(process)}")
        return None
    result = {"wall_seconds": round(wall, 3), "integration_seconds": float(integration[1]),
              "bytes": output.stat().st_size}
    output.unlink()
    return result
