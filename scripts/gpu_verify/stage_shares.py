"""shares: what is left of the time loop's speed where a run draws its starts and keeps a density, statistics or all
points: in memory, by `polhode bench`, and in a file. Every share is of the time loop measured in the same stage."""

import json
import re
import time

from verification.polhode import last_line

STEPS = 1000
MOST_IN_FILE = 2_000_000  # trajectories, whose points take 1.5 GB, and as much while they are written

HEAD = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "microcanonical"
energy = 1.0
momentum = 0.0
count = {n}
seed = 1
[run]
steps = {steps}
"""
SECTION = '[section]\nname = "gamma3"\n'
DENSITY = '[density]\naxes = ["pi2", "pi3"]\nbins = [400, 400]\nrange = [[-1.8, 1.8], [-1.5, 1.5]]\n'
STATISTICS = '[statistics]\nevery = 100\nobservables = ["pi1", "energy"]\n'
# What `polhode bench` calls a whole run: name of the row, and what the configuration of a file needs.
ROWS = {
    "final states": ("random starts", ""),
    "density": ("density", SECTION + "points = false\n" + DENSITY),
    "statistics": ("statistics", STATISTICS),
    "points": ("points", SECTION),
}


def run(stage, context):
    backend = "cuda" if context.program.has_gpu else "cpu"
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    for n in (1000,) if context.quick else (10**5, 10**6, 10**7):
        bench = measure(stage, context, n, backend)
        if bench is None:
            continue
        if bench["time_loop"]["share_of_limit"] is not None:
            stage.add(f"{n} trajectories: time loop {bench['time_loop']['steps_per_second']['median']:.3g} steps/s, "
                      f"{bench['time_loop']['share_of_limit']:.2f} of the limit", name="time loop", trajectories=n,
                      backend=backend, loop=bench["time_loop"], limits=bench["limits"])
        for whole in bench["whole_runs"]:
            report(stage, context, n, backend, bench, whole)


def measure(stage, context, n, backend):
    """What `polhode bench` says; None, and a problem, where it fails."""
    configuration = context.folder / "bench.toml"
    configuration.write_text(HEAD.format(n=n, steps=STEPS) + SECTION + DENSITY + STATISTICS)
    process = stage.run([context.program.path, "bench", configuration, "--backends", backend, "--json",
                         "--repeat", 7 if context.full else 3])
    if process.returncode != 0:
        stage.fail(f"bench of {n} trajectories on {backend}: {last_line(process)}")
        return None
    return json.loads(process.stdout)["backends"][0]


def report(stage, context, n, backend, bench, whole):
    name, records = ROWS[whole["recorded"]]
    if "problem" in whole:
        stage.fail(f"{name}, {n} trajectories: {whole['problem']}")
        return
    loop = bench["time_loop"]["steps_per_second"]["median"]
    result = {"name": name, "trajectories": n, "steps": bench["steps"], "backend": backend,
              "loop_steps_per_second": loop, "steps_per_second": whole["steps_per_second"]["median"],
              "share": whole["share_of_time_loop"]}
    if n <= MOST_IN_FILE:
        result.update(into_file(stage, context, n, bench["steps"], records, backend, loop))
    integrating = f", integrating into a file {result['share_integrating']:.3f}" if "share_integrating" in result else ""
    stage.add(f"{name}, {n} trajectories: {result['share']:.3f} of the time loop in memory{integrating}", **result)


def into_file(stage, context, n, steps, records, backend, loop):
    """Shares of a run by `polhode run`: of its integration, and of the process from its start to its end."""
    output = context.folder / "run.h5"
    begin = time.monotonic()
    process = context.polhode(stage, HEAD.format(n=n, steps=steps) + records, output, "--backend", backend)
    wall = time.monotonic() - begin
    rate = re.search(r"^  [0-9.]+ s, ([0-9.e+]+) steps/s", process.stdout, re.MULTILINE)
    if process.returncode != 0 or not rate:
        stage.fail(f"{steps} steps of {n} trajectories on {backend}: {last_line(process)}")
        return {}
    output.unlink()
    return {"share_integrating": float(rate[1]) / loop, "share_of_process": n * steps / wall / loop}
