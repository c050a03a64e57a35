"""Numba: a kernel of one thread for each trajectory, or on a CPU prange over them."""

from __future__ import annotations

import math

import numpy as np

if not hasattr(np, "row_stack"):  # NumPy 2.4 has it no longer, and Numba up to 0.62 asks for it
    np.row_stack = np.vstack
import numba
from numba import cuda
from numba.extending import intrinsic

import steps as equations
from contender import Contender, clocked
from lorenz import Lorenz
from top import H, Top

VERSION = f"numba {numba.__version__}"
THREADS = 128

on_cpu = numba.njit


@intrinsic
def fma_of_cpu(_typing, a, _b, _c):
    """The processor's, which Numba has no name for; of three numbers of one type."""

    def generate(_context, builder, _signature, arguments):
        return builder.fma(*arguments)

    return a(a, a, a), generate


def on_device(function):
    return cuda.jit(device=True)(function)


@on_device
def fma_of_device(a, b, c):
    return cuda.fma(a, b, c)  # by name: the simulator looks for it


def top(problem: Top, device: str) -> Contender:
    starts, steps, sweeps = problem.starts, problem.steps, problem.sweeps
    if device == "cpu":
        step = equations.cayley(fma_of_cpu, on_cpu, problem.parameters, H)

        @numba.njit(parallel=True)
        def loop(x, y):
            for i in numba.prange(x.shape[1]):
                s = (x[0, i], x[1, i], x[2, i], x[3, i], x[4, i], x[5, i])
                for _ in range(steps):
                    s = step(s[0], s[1], s[2], s[3], s[4], s[5], sweeps)
                y[0, i], y[1, i], y[2, i], y[3, i], y[4, i], y[5, i] = s

        return host_contender(loop, starts, np.empty_like(starts))
    step = equations.cayley(fma_of_device, on_device, problem.parameters, H)

    @cuda.jit
    def kernel(x, y):
        i = cuda.grid(1)
        if i < x.shape[1]:
            p0, p1, p2, g0, g1, g2 = x[0, i], x[1, i], x[2, i], x[3, i], x[4, i], x[5, i]
            for _ in range(steps):
                p0, p1, p2, g0, g1, g2 = step(p0, p1, p2, g0, g1, g2, sweeps)
            y[0, i], y[1, i], y[2, i], y[3, i], y[4, i], y[5, i] = p0, p1, p2, g0, g1, g2

    return device_contender(kernel, starts, starts.shape)


def lorenz(problem: Lorenz, device: str) -> Contender:
    rho, steps = problem.rho, problem.steps
    real, shape = rho.dtype.type, (3, len(rho))
    one, zero = real(1), real(0)
    if device == "cpu":
        step = equations.lorenz(fma_of_cpu, on_cpu, real, problem.h)

        @numba.njit(parallel=True)
        def loop(rho, y):
            for i in numba.prange(len(rho)):
                s = (one, zero, zero)
                for _ in range(steps):
                    s = step(s[0], s[1], s[2], rho[i])
                y[0, i], y[1, i], y[2, i] = s

        return host_contender(loop, rho, np.empty(shape, rho.dtype))
    step = equations.lorenz(fma_of_device, on_device, real, problem.h)

    @cuda.jit
    def kernel(rho, y):
        i = cuda.grid(1)
        if i < rho.shape[0]:
            u0, u1, u2 = one, zero, zero
            for _ in range(steps):
                u0, u1, u2 = step(u0, u1, u2, rho[i])
            y[0, i], y[1, i], y[2, i] = u0, u1, u2

    return device_contender(kernel, rho, shape)


def host_contender(loop, inputs: np.ndarray, result: np.ndarray) -> Contender:
    def run(placed):
        loop(placed, result)
        return result

    few = inputs[..., :1]
    return Contender(
        "numba",
        "njit, prange",
        place=inputs.copy,
        loop=run,
        fetch=np.copy,
        compile=lambda: clocked(lambda: loop(np.ascontiguousarray(few), np.empty_like(result[:, :1], order="C"))),
    )


def device_contender(kernel, inputs: np.ndarray, shape: tuple[int, int]) -> Contender:
    def place(values):
        """With room for the result: the loop allocates nothing."""
        n = values.shape[-1]
        return cuda.to_device(values), cuda.device_array((shape[0], n), values.dtype), n

    def run(placed):
        values, result, n = placed
        kernel[math.ceil(n / THREADS), THREADS](values, result)
        cuda.synchronize()
        return result

    few = np.ascontiguousarray(inputs[..., :1])
    return Contender(
        "numba",
        f"cuda.jit, {THREADS} threads a block",
        place=lambda: place(inputs),
        loop=run,
        fetch=lambda result: result.copy_to_host(),
        compile=lambda: clocked(lambda: run(place(few))),
    )
