"""sanitizer: small runs under compute-sanitizer; where there is no GPU, the same runs on the CPU without it."""

import shutil

from gpu_verify import ensembles
from gpu_verify.stage import last_line

OTHER_TOOLS = ("racecheck", "initcheck", "synccheck")
ERRORS_FOUND = 99


def run(stage, context):
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    why_not = context.program.why_no_gpu or (None if sanitizer else "it comes with the CUDA toolkit, which is not here")
    if why_not:
        stage.skip("compute-sanitizer", why_not)
        sanitizer = None
    backend = "cuda" if context.program.has_gpu else "cpu"
    systems = set()
    for entry, method, solver in ensembles.pairs(context.program):
        states = context.folder / f"{entry['name']}.h5"
        try:
            if not states.is_file():
                ensembles.write_states(states, entry, 300, difficult=True)
        except ensembles.UnknownSystem as error:
            stage.fail(str(error))
            continue
        text = ensembles.configuration(entry, method, solver, states, 100, snapshots=40)
        name = f"{entry['name']} {method} {solver}"
        # What the other tools look for is in code that all methods of a system share.
        others = OTHER_TOOLS if sanitizer and entry["name"] not in systems else ()
        systems.add(entry["name"])
        for precision, tool in [("double", "memcheck"), ("single", "memcheck"), *(("double", tool) for tool in others)]:
            wrapper = (sanitizer, "--tool", tool, "--error-exitcode", ERRORS_FOUND) if sanitizer else ()
            process = context.polhode(stage, text, context.folder / "run.h5", "--precision", precision, "--backend",
                                      backend, "--force", wrapper=wrapper)
            if sanitizer and "Device not supported" in process.stdout + process.stderr:
                stage.skip("compute-sanitizer", "it does not support this machine's device")
                return
            judge(stage, f"{name} {precision}" + (f" {tool}" if sanitizer else ""), backend, process)


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
