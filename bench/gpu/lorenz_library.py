"""lorenz.cu: the ensemble in polhode's scalars and loops, called through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contender import Contender, Unusable, clocked
from lorenz import Lorenz

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
BUILT = "libpolhode-bench-lorenz.so"


@dataclass(frozen=True)
class Library:
    file: Path
    compile_seconds: float | None  # None where the build has made it


def command_for(device: str) -> list[str]:
    if device == "cuda":
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc:
            raise Unusable("there is neither nvcc nor a library that was built before")
        return [nvcc, "-arch=native", "--fmad=false", "--expt-relaxed-constexpr", "-Xcompiler=-fPIC,-ffp-contract=off"]
    compiler = shutil.which("c++")
    if not compiler:
        raise Unusable("there is no C++ compiler")
    return [compiler, "-x", "c++", "-march=native", "-ffp-contract=off", "-fPIC"]


def library(device: str, bin_folder: Path, folder: Path) -> Library:
    """That of the build, or else compiled here."""
    built = bin_folder / "bench" / BUILT
    if device == "cuda" and built.is_file():
        return Library(built, None)
    file = folder / "lorenz.so"
    words = [*command_for(device), "-O3", "-std=c++20", "-shared", "-I", INCLUDE, HERE / "lorenz.cu", "-o", file]

    def compile_it() -> None:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unusable(f"lorenz.cu does not compile: {done.stderr.strip().splitlines()[0]}")

    return Library(file, clocked(compile_it))


def lorenz(problem: Lorenz, made: Library) -> Contender:
    loaded = ctypes.CDLL(str(made.file))
    real = ctypes.c_double if problem.precision == "double" else ctypes.c_float
    functions = {name: getattr(loaded, f"lorenz_{name}_{problem.precision}") for name in ("place", "loop", "fetch")}
    functions["place"].restype = ctypes.c_void_p
    rho, n = problem.rho, ctypes.c_int64(len(problem.rho))

    def checked(answer):
        if not answer:
            raise Unusable("the device failed")
        return answer

    def loop(placed: int) -> int:
        checked(functions["loop"](ctypes.c_void_p(placed), n, ctypes.c_int64(problem.steps), real(problem.h)))
        return placed

    def fetch(placed: int) -> np.ndarray:
        states = np.empty((3, len(rho)), rho.dtype)
        checked(functions["fetch"](ctypes.c_void_p(placed), n, ctypes.c_void_p(states.ctypes.data)))
        return states

    return Contender(
        "polhode's scalars",
        "lorenz.cu",
        place=lambda: checked(functions["place"](ctypes.c_void_p(rho.ctypes.data), n)),
        loop=loop,
        fetch=fetch,
        compile=lambda: made.compile_seconds,
        drop=lambda placed: loaded.lorenz_release(ctypes.c_void_p(placed)),
    )
