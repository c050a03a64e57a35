"""bits: every system, method, solver and precision by two backends, whose datasets must agree bit for bit. Where there
is no GPU, the instruction sets of the processor are compared."""

import os
import typing

from gpu_verify import machine
from gpu_verify.states import write_all_states
from verification import compare, ensembles
from verification.polhode import last_line


class Size(typing.NamedTuple):
    """Trajectories and steps. Of systems with constraints there are many; their steps are divided by the dimension."""
    n: int
    steps: int
    constrained_n: int
    constrained_steps: int


SIZES = {"quick": Size(257, 200, 257, 200), "normal": Size(1100, 1000, 1100, 6000), "full": Size(10_000, 10_000, 4_096, 20_000)}
MOST_CONSTRAINED_ON_CPU = 257
LEAST_STEPS = 20

# On the CPU the steps are divided by this: two cores have to get through it in minutes, and plain scalar code is slow,
# since its fma is a call of the C library.
SHARE = {"scalar": 50, "avx2": 5}


def run(stage, context):
    program = context.program
    if not program.has_gpu:
        stage.skip("cuda", program.why_no_gpu)
        if len(program.isas) == 1:
            stage.skip("instruction sets", "this processor has one")
    size = SIZES[context.size]

    def trajectories(entry):
        if not ensembles.is_constrained(entry):
            return size.n
        return size.constrained_n if program.has_gpu else min(size.constrained_n, MOST_CONSTRAINED_ON_CPU)

    precisions = ["double", "single"]
    if program.has_gpu and not machine.nvcc():
        stage.skip(precisions.pop(), "there is no nvcc to compile its kernels, and a portable directory has those in double")
    work = [(*pair, precision) for pair in write_all_states(stage, context, trajectories) for precision in precisions]
    stage.for_each(work, lambda part, item: compare_all(part, context, *item), context.workers)


def compare_all(stage, context, entry, method, solver, states, precision):
    size = SIZES[context.size]
    most_steps = size.steps
    if ensembles.is_constrained(entry) and not context.quick:
        most_steps = size.constrained_steps // len(entry["columns"])
    name = f"{entry['name']} {method} {solver} {precision}"
    for expected, found, steps in comparisons(context.program, most_steps):
        text = (ensembles.configuration(entry, method, solver, states, steps, snapshots=max(1, steps // 4)) +
                ensembles.records(entry, states, every=max(1, steps // 5)))
        compare_runs(stage, context, name, text, steps, precision, expected, found)


def comparisons(program, steps):
    """(backend and instruction set that are right, those to compare, steps)."""
    if program.has_gpu:
        return [("cpu", "cuda", steps)]
    best = program.isas[-1]
    return [(f"cpu {best}", f"cpu {isa}", max(LEAST_STEPS, steps // SHARE[isa])) for isa in program.isas[:-1]]


def compare_runs(stage, context, name, text, steps, precision, expected, found):
    outputs = []
    for which in (expected, found):
        output = context.folder / f"{name} {which}.h5".replace(" ", "-")
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
