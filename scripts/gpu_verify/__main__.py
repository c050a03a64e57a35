"""Runs the stages and writes the report. Exit code 0: all passed; 1: something is wrong; 2: it could not begin."""

import argparse
import datetime
import os
import pathlib
import sys
import tempfile
import traceback

from gpu_verify import (machine, report, stage_bits, stage_examples, stage_files, stage_peers, stage_sanitizer,
                        stage_shares, stage_tests, stage_throughput)
from gpu_verify.context import Context
from gpu_verify.program import Program
from gpu_verify.stage import LIMIT, OutOfTime, Stage
from verification.polhode import Unusable

# In the order of their worth, where a machine is lent for a quarter of an hour.
STAGES = {"bits": stage_bits, "examples": stage_examples, "tests": stage_tests, "sanitizer": stage_sanitizer,
          "throughput": stage_throughput, "shares": stage_shares, "peers": stage_peers, "files": stage_files}
ROOT = pathlib.Path(__file__).resolve().parents[2]  # of a portable directory or a checkout


def arguments():
    parser = argparse.ArgumentParser(prog="gpu-verify", description="Verifies polhode on this machine's GPU.")
    parser.add_argument("--only", action="append", choices=STAGES, metavar="STAGE",
                        help=f"run this stage ({', '.join(STAGES)}); may be repeated")
    parser.add_argument("--bin", type=pathlib.Path, help="build directory, or a portable directory's bin; default: "
                        "the portable directory that this lies in, else build/release")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/gpu"),
                        help="where the report goes; default docs/gpu")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SECONDS",
                        help="end a stage after so long, as failed, with what it has found; default %(default)g")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", dest="size", action="store_const", const="quick", default="normal",
                       help="tiny sizes, to see that the stages themselves work")
    sizes.add_argument("--full", dest="size", action="store_const", const="full",
                       help="large ensembles, every test, and the sanitizer on every method")
    return parser.parse_args()


def default_bin():
    return ROOT / "bin" if (ROOT / "bin").is_dir() else ROOT / "build" / "release"


def facts(program, gpu, size):
    toolkit = program.toolkit()
    unnamed = "unknown GPU" if program.has_gpu else "cpu"
    return {"date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "device": gpu["name"] if gpu else unnamed, "driver": gpu["driver_version"] if gpu else "none",
            "toolkit": toolkit["cuda"] or "none", "compiler": toolkit["compiler"],
            "nvcc_here": machine.nvcc() or "none", "commit": program.commit(), "version": program.version,
            "size": size, "gpu": gpu or {}, "host": machine.host()}


def check_gpu_is_used(program, gpu):
    """A report from the CPU must not pass for one of the GPU that is there."""
    if program.has_gpu:
        return
    if gpu:
        raise Unusable(f"polhode cannot use the {gpu['name']} that is here ({program.why_no_gpu}).")
    if os.environ.get("POLHODE_REQUIRE_GPU"):
        raise Unusable(f"POLHODE_REQUIRE_GPU is set, but {program.why_no_gpu}.")


def run_stage(name, program, size, limit):
    print(f"{name}:", flush=True)
    stage = Stage(name, limit)
    with tempfile.TemporaryDirectory(prefix="gpu-verify-") as folder:
        try:
            STAGES[name].run(stage, Context(program, pathlib.Path(folder), ROOT, size))
        except OutOfTime as error:
            stage.fail(str(error))
        except Exception as error:  # the other stages still run
            traceback.print_exc()
            stage.fail(f"{type(error).__name__}: {error}")
    return stage.record()


def main():
    options = arguments()
    program = Program(options.bin or default_bin())
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") == ""
    gpu = None if hidden else machine.gpu()
    check_gpu_is_used(program, gpu)
    of_run = facts(program, gpu, options.size)
    stages = {}
    for name in STAGES:
        if not options.only or name in options.only:
            stages[name] = run_stage(name, program, options.size, options.limit)
            written = report.write(options.out, of_run, stages)  # whatever ends the next one
    for path in written:
        print(f"wrote {path}")
    failed = [name for name, stage in stages.items() if not stage["passed"]]
    print(f"failed: {', '.join(failed)}" if failed else "passed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unusable, OSError) as error:
        print(f"gpu-verify: {error}", file=sys.stderr)
        sys.exit(2)
