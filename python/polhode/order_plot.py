"""Draws what `polhode order` has measured: the change of the states by halving the step, against the step."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from polhode import colours, labels
from polhode.errors import InputError
from polhode.measurements import rows_with
from polhode.paper import NEW, Paper
from polhode.picture import Picture

WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH = 6.5, 5.0, 200
BESIDE = 0.5  # of the measured line, which the slope would else cover


def draw_order(measured: dict[str, Any], paper: Paper = NEW) -> Picture:
    """The picture; raises InputError where no difference is known."""
    rows = rows_with(measured["rows"], "difference")
    if not rows:
        raise InputError(
            "cannot draw an order (no step differs from its half, or none came to the end). Measure other orbits or steps."
        )
    step, difference = (np.abs([row[name] for row in rows]) for name in ("step", "difference"))
    used = np.array([row["in_range"] for row in rows])
    axes = paper.axes(WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH)
    axes.plot(step, difference, color=colours.BLUE, linewidth=1.2)
    axes.plot(step[used], difference[used], "o", color=colours.BLUE, markersize=5, label="measured")
    if not used.all():
        axes.plot(step[~used], difference[~used], "o", color=colours.BLUE, markerfacecolor="white", markersize=5,
                  label="too large, round-off or too few steps")  # fmt: skip
    if used.any():
        last = np.flatnonzero(used)[-1]
        slope = BESIDE * difference[last] * (step[used] / step[last]) ** measured["declared"]
        axes.plot(step[used], slope, color=colours.ORANGE, linewidth=1, linestyle="--",
                  label=f"slope of order {measured['declared']}, as declared")  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(color=colours.PALE, linewidth=0.3)
    paper.name_axes(
        axes, "step $h$", f"distance of the states with $h/2$\nat $t = {measured['time']:g}$, relative, median"
    )
    axes.legend(frameon=False)
    found = measured["measured"]
    told = "no order can be seen" if found is None else f"order {found:.2f}"
    orbits = labels.counted(measured["trajectories"], "orbit")
    paper.put_title(axes, [[measured["system"], measured["label"], orbits, told]])
    return Picture(axes, f"{told} of {measured['label']} on {measured['system']}")
