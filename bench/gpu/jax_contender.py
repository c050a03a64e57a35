"""JAX: jax.vmap over the trajectories, lax.fori_loop over the steps, jitted, with 64 bits."""

from __future__ import annotations

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others need memory of the device, too

import jax
import numpy as np
from jax import lax

import steps as equations
import systems
from contender import Contender, clocked
from lorenz import Lorenz
from top import H, Top

jax.config.update("jax_enable_x64", True)

VERSION = f"jax {jax.__version__}"


def check_device(device: str) -> None:
    """Raises ImportError: a JAX without the device is as good as none."""
    if device == "cuda" and jax.default_backend() not in ("gpu", "cuda"):
        raise ImportError(f"it runs on {jax.default_backend()} here")


def top(problem: Top, device: str) -> Contender:
    step, sweeps = systems.heavy_top(problem.parameters).step, problem.sweeps

    def orbit(x):
        return lax.fori_loop(0, problem.steps, lambda _, x: step(x, H, sweeps), tuple(x))

    return contender(jax.vmap(orbit, in_axes=1), problem.starts)


def lorenz(problem: Lorenz, device: str) -> Contender:
    real = problem.rho.dtype.type
    step = equations.lorenz(equations.multiplied_and_added, equations.plain, real, problem.h)

    def orbit(rho):
        start = (real(1) + 0 * rho, 0 * rho, 0 * rho)
        return lax.fori_loop(0, problem.steps, lambda _, u: step(*u, rho), start)

    return contender(jax.vmap(orbit), problem.rho)


def contender(function, inputs: np.ndarray, setting: str = "vmap, fori_loop, jit", name: str = "jax") -> Contender:
    compiled = []

    def compile_it() -> float:
        lowered = jax.jit(function)
        return clocked(lambda: compiled.append(lowered.lower(jax.ShapeDtypeStruct(inputs.shape, inputs.dtype)).compile()))

    return Contender(
        name,
        setting,
        place=lambda: jax.block_until_ready(jax.device_put(inputs)),
        loop=lambda placed: jax.block_until_ready(compiled[0](placed)),
        fetch=lambda columns: np.stack([np.asarray(column) for column in columns]),
        compile=compile_it,
    )
