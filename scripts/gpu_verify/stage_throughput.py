"""throughput: polhode-bench, with the share of the issue limit; its CUDA rows, or the best instruction set's where there
is no GPU."""

import json

from verification.polhode import last_line


def run(stage, context):
    program = context.program
    if program.bench is None:
        stage.skip("throughput", f"there is no polhode-bench in {program.folder}")
        return
    backend = "cuda" if program.has_gpu else program.isas[-1]
    if not program.has_gpu:
        stage.skip("cuda", program.why_no_gpu)
    if context.quick:
        rows = "cayley/double/(256|10000)(/real_time)?$"
    else:
        rows = "" if program.has_gpu else "cayley/double"
    report = context.folder / "bench.json"
    # A rival too: that is void unless both come to the same states.
    command = [program.bench, "--json", report,
               f"--benchmark_filter=^[^/]+/{backend}/{rows}|^fma_peak/{backend}|^odeint/runge_kutta4"]
    if context.quick:
        command += ["--benchmark_repetitions=1", "--benchmark_min_time=0.01"]
    elif program.has_gpu:
        command += ["--benchmark_repetitions=3"]  # nobody else computes on it
        if not context.full:
            command += ["--benchmark_min_time=0.1"]
    process = stage.run(command)
    if process.returncode != 0 or not report.is_file():
        stage.fail(f"polhode-bench: {last_line(process)}")
        return
    # Google Benchmark leaves the file empty where nothing matches.
    bench = json.loads(report.read_text() or '{"benchmarks": []}')
    measured = [row for row in bench["benchmarks"] if row.get("aggregate_name", "median") == "median"]
    if not any(f"/{backend}/" in row["name"] and not row["name"].startswith("fma_peak") for row in measured):
        stage.fail(f"polhode-bench has no row of {backend}")
    for row in measured:
        if row.get("error_occurred"):
            stage.fail(f"{row['name']}: {row.get('error_message')}")
    stage.add(f"{len(measured)} rows of polhode-bench on {backend}", backend=backend, table=process.stdout.splitlines(),
              bench=bench)
