"""bits: every system, method, solver and precision by two backends, whose datasets must agree bit for bit. Where there
is no GPU, the instruction sets of the processor are compared."""

import os

from gpu_verify import compare
from gpu_verify import ensembles
from gpu_verify.stage import last_line


N, STEPS = 10_000, 10_000
QUICK_N, QUICK_STEPS = 257, 200


def run(stage, context):
    n, most_steps = (QUICK_N, QUICK_STEPS) if context.quick else (N, STEPS)
    runs = comparisons(context.program, most_steps)
    if not context.program.has_gpu:
        stage.skip("cuda", context.program.why_no_gpu)
    if not runs:
        stage.skip("instruction sets", "this processor has one")
    for entry, method, solver in ensembles.pairs(context.program):
        name = f"{entry['name']} {method} {solver}"
        states = context.folder / f"{entry['name']}.h5"
        try:
            if not states.is_file():
                ensembles.write_states(states, entry, n, difficult=True)
            for precision in ("double", "single"):
                for expected, found, steps in runs:
                    text = ensembles.configuration(entry, method, solver, states, steps, snapshots=max(1, steps // 4))
                    compare_runs(stage, context, f"{name} {precision}", text, steps, precision, expected, found)
        except ensembles.UnknownSystem as error:
            stage.fail(str(error))


def comparisons(program, steps):
    """(backend and instruction set that are right, those to compare, steps)."""
    if program.has_gpu:
        return [("cpu", "cuda", steps)]
    # Two cores have to get through it in the stage's time, and plain scalar code is slow: its fma is a call of the C
    # library.
    share = {"scalar": 50, "avx2": 5}
    best = program.isas[-1]
    return [(f"cpu {best}", f"cpu {isa}", max(20, steps // share[isa])) for isa in program.isas[:-1]]


def compare_runs(stage, context, name, text, steps, precision, expected, found):
    outputs = []
    for place, which in enumerate((expected, found)):
        output = context.folder / f"run{place}.h5"
        backend, *isa = which.split()
        process = context.polhode(stage, text, output, "--precision", precision, "--backend", backend,
                                  *(("--isa", *isa) if isa else ()))
        if process.returncode != 0:
            stage.fail(f"{name} on {which}: {last_line(process)}")
            return
        outputs.append(output)
    lines = compare.differences(*outputs)
    content = compare.content(outputs[0])
    for line in lines:
        stage.fail(f"{name}: {expected} and {found} differ in {line}")
    if min(content["section_points"], content["snapshots"], content["invariants"]) == 0:
        stage.fail(f"{name}: nothing to compare ({content})")
    if 2 * content["failed"] > content["trajectories"]:
        stage.fail(f"{name}: {content['failed']} of {content['trajectories']} trajectories failed")
    stage.add(f"{name}: {expected} {'=' if not lines else '!='} {found}, {content['section_points']} section points",
              name=name, steps=steps, expected=expected, found=found, same=not lines, **content)
    for output in outputs:
        os.remove(output)
