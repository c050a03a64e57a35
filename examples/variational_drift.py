#!/usr/bin/env python3
"""The energy of a spherical pendulum by a Runge-Kutta method and by the variational integrator that is made of it.

    POLHODE=build/release/polhode examples/variational_drift.py variational_drift.png

Runs variational_drift.toml as it is, and by its layer alone, each step of which is projected onto the constraint. Prints
the means of the energy error in each quarter of the time, and draws the errors.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from matplotlib.figure import Figure

CONFIG = pathlib.Path(__file__).with_suffix(".toml")
METHODS = {"runge-kutta-projected": "#E67E3C", "variational": "#0072B2"}
DRAWN = 1000  # points of a curve


def errors_by(method, folder):
    """Times and energy errors H - H_0."""
    file = pathlib.Path(folder) / f"{method}.h5"
    command = [os.environ.get("POLHODE", "polhode"), "run", CONFIG, "-o", file, "--quiet", "--set", f"method.name={method}"]
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    with h5py.File(file) as result:
        energy = result["snapshots/invariants"][0, :, 0]
        return result["snapshots/time"][:], energy - energy[0]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: variational_drift.py PICTURE")
    figure = Figure(figsize=(8, 5), dpi=200, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    with tempfile.TemporaryDirectory() as folder:
        for method, colour in METHODS.items():
            time, error = errors_by(method, folder)
            print(method, *(f"{quarter.mean():.3e}" for quarter in np.array_split(error[1:], 4)))
            every = max(1, len(time) // DRAWN)
            upper.plot(time[::every], error[::every], color=colour, linewidth=1, label=method)
            if method == "variational":
                lower.plot(time[::every], error[::every], color=colour, linewidth=0.5)
    upper.set_title("Spherical pendulum, Runge-Kutta method of order 4, step 0.1")
    upper.legend(frameon=False)
    lower.set_xlabel("time")
    for panel in (upper, lower):
        panel.set_ylabel(r"$H - H_0$")
    figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
