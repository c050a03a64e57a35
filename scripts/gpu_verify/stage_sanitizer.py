"""sanitizer: small runs under compute-sanitizer; where there is no GPU, the same runs on the CPU without it."""

import shutil

from gpu_verify.states import write_all_states
from verification import ensembles
from verification.polhode import last_line

OTHER_TOOLS = ("racecheck", "initcheck", "synccheck")
ERRORS_FOUND = 99
N, STEPS, CONSTRAINED_STEPS = 300, 100, 20


def run(stage, context):
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    why_not = context.program.why_no_gpu or (None if sanitizer else "it comes with the CUDA toolkit, which is not here")
    if why_not:
        stage.skip("compute-sanitizer", why_not)
        sanitizer = None
    backend = "cuda" if context.program.has_gpu else "cpu"
    chosen = None if context.full else one_of_each_kind(context.program)
    pairs = write_all_states(stage, context, lambda entry: N, chosen)
    work = list(checks(pairs, bool(sanitizer)))
    stage.for_each(work, lambda part, item: check(part, context, sanitizer, backend, *item), context.workers)


def one_of_each_kind(program):
    """Names of systems."""
    return list({entry["kind"]: entry["name"] for entry in reversed(program.list("systems"))}.values())


def checks(pairs, all_tools):
    """(entry, method, solver, states, precision, tool). Methods of a system with the same solver share their code but for
    a few coefficients: the first is enough for single precision and, of a system, for the other tools."""
    seen = set()
    for entry, method, solver, states in pairs:
        what = [("double", "memcheck")]
        if (entry["name"], solver) not in seen:
            what.append(("single", "memcheck"))
        if entry["name"] not in seen and all_tools:
            what += [("double", tool) for tool in OTHER_TOOLS]
        seen |= {entry["name"], (entry["name"], solver)}
        for precision, tool in what:
            yield entry, method, solver, states, precision, tool


def check(stage, context, sanitizer, backend, entry, method, solver, states, precision, tool):
    steps = STEPS if not ensembles.is_constrained(entry) else CONSTRAINED_STEPS
    text = (ensembles.configuration(entry, method, solver, states, steps, snapshots=steps // 2) +
            ensembles.records(entry, states, every=steps // 4))
    name = f"{entry['name']} {method} {solver} {precision}" + (f" {tool}" if sanitizer else "")
    wrapper = (sanitizer, "--tool", tool, "--error-exitcode", ERRORS_FOUND) if sanitizer else ()
    output = context.folder / f"{name}.h5".replace(" ", "-")
    process = context.polhode(stage, text, output, "--precision", precision, "--backend", backend, wrapper=wrapper)
    output.unlink(missing_ok=True)
    if sanitizer and "Device not supported" in process.stdout + process.stderr:
        stage.skip("compute-sanitizer", "it does not support this machine's device")
    else:
        judge(stage, name, backend, process)


def judge(stage, name, backend, process):
    clean = process.returncode == 0
    stage.add(f"{name}: {'no error' if clean else 'errors'} on {backend}", name=name, backend=backend, clean=clean)
    if not clean:
        stage.fail(f"{name}: {findings(process)}")


def findings(process):
    """The first error that the sanitizer reports, else what the program said last."""
    marked = [line.strip("= ") for line in process.stdout.splitlines() if line.startswith("=========")]
    errors = [line for line in marked if line and not line.startswith(("COMPUTE-SANITIZER", "ERROR SUMMARY"))]
    return errors[0] if errors else last_line(process)
