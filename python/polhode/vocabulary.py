"""Tables of a configuration as classes: their arguments are its keys, with the same defaults.

Made by scripts/python-vocabulary of the schema (`polhode list schema`); docs/configuration.md has more on each key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy.typing as npt

from polhode.table import Table


class System(Table):
    """A system with its parameters, as [system] of a configuration.

    Args:
        name: of a system or a family of systems
        header: C++ header with a system of your own, relative to the configuration's folder
        observables: formulas by name, of columns and parameters: further observables
        hamiltonian: formula of H, of a system of formulas
        coordinates: names of the coordinates
        momenta: names of their momenta
        constraints: formulas of the coordinates that are 0
        let: names for parts of the formulas
        conserved: formulas that are conserved besides H
        domain: condition such as "x^2 + y^2 < 100"; a trajectory that breaks it ends
        angles: coordinates that are angles, and observables that are angles in (-pi, pi]
        unbounded_angles: observables that are angles and count turns
        parameters: of the system, by name: numbers or lists of numbers (polhode list systems NAME); of formulas all
            of them, as parameters={...}
    """

    table = "system"

    def __init__(
        self,
        name: str | None = None,
        *,
        header: str | None = None,
        observables: Mapping[str, str] | None = None,
        hamiltonian: str | None = None,
        coordinates: Sequence[str] | None = None,
        momenta: Sequence[str] | None = None,
        constraints: Sequence[str] | None = None,
        let: Mapping[str, str] | None = None,
        conserved: Mapping[str, str] | None = None,
        domain: str | None = None,
        angles: Sequence[str] | None = None,
        unbounded_angles: Sequence[str] | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__({"name": name, "header": header, "observables": observables, "hamiltonian": hamiltonian,
            "coordinates": coordinates, "momenta": momenta, "constraints": constraints, "let": let, "conserved":
            conserved, "domain": domain, "angles": angles, "unbounded_angles": unbounded_angles, **parameters}, {})


class Method(Table):
    """A method with its step and its options, as [method] of a configuration.

    Args:
        name: which step map to use
        step: the time step h [time]
        solver: solver of the step's equations; the default is the method's first
        composition: fractions of the step over which the map is applied, for a higher order
        final_projection: whether the last momenta are lifted to the hidden constraint
        order: order of the map: 2, 4, 6, 8 or 10; above 2 by modified moments of inertia, and Poisson in Pi alone
            (moser-veselov, default 2); order of the map: 2 or 4, of the second kind 1 to 4 (generating-function,
            default 2); order of the map: 1, which is ge-marsden, 2 or 3 (channell-scovel, default 3) [1 to 10]
        coefficients: table of the fractions of the step over which kicks and drifts take turns
        drift_order: order of the free rotation, the drift: 2, 4, 6, 8 or 10; the map is Poisson with 2, and above
            it up to an error of that order [2 to 10]
        table: coefficients of the stages: a name, or rows of numbers of one's own, as many as there are stages with
            their a_ij, 0 from the diagonal on, and a last one with the weights
        layer: explicit Runge-Kutta method of the curve segments: a name, or rows of numbers of one's own, as many
            as there are stages with their a_ij, 0 from the diagonal on, and a last one with the weights
        bias: where a curve segment begins, in steps from the state that it is solved for; -0.5: symmetric [-1.0 to
            0.0]
        kind: of the generating function: 1, of both positions; 2, of the old momentum and the new position;
            poincare, of the midpoint
        kappa: scale of the generating function kappa |xi|^2 / 2 of the identity: the domain is |m| < 2 pi kappa,
            and errors grow with kappa [mass length^2/time; above 0]
        stages: number of stages; the order is twice as high (gauss, default 2); number of stages s; the order is 2
            s - 2 (lobatto, default 3) [1 to 8]
        lagrangian: discrete Lagrangian: midpoint, L at the midpoint of the shape and with the mean velocity; own,
            the system's, if it has one (j2-satellite-reduced: at the midpoint in Cartesian coordinates)
        options: of the method, by name (polhode list methods SYSTEM)
    """

    table = "method"

    def __init__(
        self,
        name: str,
        step: float,
        *,
        solver: str | None = None,
        composition: Literal["none", "yoshida4", "suzuki4", "mclachlan4", "kahan-li6", "kahan-li8", "sofroniou-spaletta10"] | Sequence[float] | None = None,
        final_projection: bool | None = None,
        order: int | None = None,
        coefficients: Literal["srkn6-14a", "srkn6-11b", "srkn8-19a", "srkn4", "mclachlan4", "strang"] | None = None,
        drift_order: int | None = None,
        table: Literal["euler", "heun", "midpoint", "kutta3", "rk4", "dopri5", "verner6", "dop853"] | Sequence[Sequence[float]] | None = None,
        layer: Literal["euler", "heun", "midpoint", "kutta3", "rk4", "dopri5", "verner6", "dop853"] | Sequence[Sequence[float]] | None = None,
        bias: float | None = None,
        kind: Literal["1", "2", "poincare"] | None = None,
        kappa: float | None = None,
        stages: int | None = None,
        lagrangian: Literal["midpoint", "own"] | None = None,
        **options: Any,
    ) -> None:
        super().__init__({"name": name, "solver": solver, "step": step, "composition": composition,
            "final_projection": final_projection, "order": order, "coefficients": coefficients, "drift_order":
            drift_order, "table": table, "layer": layer, "bias": bias, "kind": kind, "kappa": kappa, "stages":
            stages, "lagrangian": lagrangian, **options}, {})


class Execution(Table):
    """Steps, and what takes them, as [run] of a configuration.

    Args:
        steps: how many steps to take [at least 1]
        backend: what integrates; auto is cuda where it can be used, else cpu
        precision: floating-point numbers of the steps
        threads: threads of the CPU; 0: one for each processor [0 to 4096]
        segment: longest segment between looks at the clock; 0: automatic [steps; at least 0]
        slice: trajectories at a time; 0: automatic [trajectories; 0 to 1099511627776]
        checkpoint: time between checkpoints; 0: one after every segment [s; at least 0.0]
        energy_limit: largest change of the energy, at the steps at which invariants are compared; a trajectory
            beyond it ends with status 8; no limit where it is not given [energy; above 0]
        isa: instruction set of the CPU; auto is the best that it has, and the bits are the same
    """

    table = "run"

    def __init__(
        self,
        steps: int,
        *,
        backend: Literal["auto", "reference", "cpu", "cuda"] = "auto",
        precision: Literal["double", "single"] = "double",
        threads: int = 0,
        segment: int = 0,
        slice: int = 0,
        checkpoint: float = 30.0,
        energy_limit: float | None = None,
        isa: Literal["auto", "scalar", "avx2", "avx512"] = "auto",
    ) -> None:
        super().__init__({"steps": steps, "backend": backend, "precision": precision, "threads": threads, "segment":
            segment, "slice": slice, "checkpoint": checkpoint, "energy_limit": energy_limit, "isa": isa},
            {"backend": "auto", "precision": "double", "threads": 0, "segment": 0, "slice": 0, "checkpoint": 30.0,
            "isa": "auto"})


class Section(Table):
    """A Poincare section, as [section] of a configuration.

    Args:
        name: the column or observable that crosses a value
        value: the value that it crosses [of the observable]
        direction: direction of the crossings
        where: condition on a point, e.g. "pi1 > 0 and gamma1 < 0.5"
        points: whether points are kept one by one, or counted in [density] alone
        columns: columns of the state that points keep; all of them where it is not given
        terminal: whether a crossing ends its trajectory
    """

    table = "section"

    def __init__(
        self,
        name: str,
        *,
        value: float = 0.0,
        direction: Literal["up", "down", "both"] = "up",
        where: str | None = None,
        points: bool = True,
        columns: Sequence[str] | None = None,
        terminal: bool = False,
    ) -> None:
        super().__init__({"name": name, "value": value, "direction": direction, "where": where, "points": points,
            "columns": columns, "terminal": terminal}, {"value": 0.0, "direction": "up", "points": True, "terminal":
            False})


class Density(Table):
    """Cells of a plane in which section points are counted, as [density] of a configuration.

    Args:
        axes: two columns or observables
        bins: cells along the two axes
        range: [[low, high], [low, high]] [of the axes]
    """

    table = "density"

    def __init__(
        self,
        axes: Sequence[str],
        bins: Sequence[int],
        range: Sequence[Sequence[float]],
    ) -> None:
        super().__init__({"axes": axes, "bins": bins, "range": range}, {})


class Statistics(Table):
    """Moments and histograms over the ensemble, as [statistics] of a configuration.

    Args:
        every: steps from one time to the next [steps; at least 1]
        observables: columns or observables, 64 at most
        bins: cells of each histogram; 0: none [0 to 1048576]
        range: [low, high] of each observable's histogram [of the observables]
    """

    table = "statistics"

    def __init__(
        self,
        every: int,
        observables: Sequence[str],
        *,
        bins: int = 0,
        range: Sequence[Sequence[float]] | None = None,
    ) -> None:
        super().__init__({"every": every, "observables": observables, "bins": bins, "range": range}, {"bins": 0})


class Record(Table):
    """What is recorded besides, as [record] of a configuration.

    Args:
        snapshots: steps from one snapshot to the next; 0: none [steps; at least 0]
        shadow_energy: order of the shadow energy at the snapshots, which the method conserves up to that power of
            the step: 4, 6 or 8; 0: none [0 to 8]
        invariants: whether invariants are recorded
        invariants_every: steps from one comparison of the invariants to the next [steps; at least 1]
        initial: whether initial states are recorded
        final: whether final states are recorded, from which a run can go on
    """

    table = "record"

    def __init__(
        self,
        *,
        snapshots: int = 0,
        shadow_energy: int = 0,
        invariants: bool = True,
        invariants_every: int = 16,
        initial: bool = True,
        final: bool = True,
    ) -> None:
        super().__init__({"snapshots": snapshots, "shadow_energy": shadow_energy, "invariants": invariants,
            "invariants_every": invariants_every, "initial": initial, "final": final}, {"snapshots": 0,
            "shadow_energy": 0, "invariants": True, "invariants_every": 16, "initial": True, "final": True})


class SectionStarts(Table):
    """Starts on the section over the centres of cells in a plane, as [ensemble] of a configuration.

    Args:
        grid: cells along the two coordinates of the plane
        energy: the energy of every start [energy]
        window: [low, high] of both coordinates; the default is the whole section [of the coordinates]
        momentum: the momentum about the vertical of every start [angular momentum]
        branch: which of the states over a point; the default is the first
        axes: two columns in whose plane the starts lie, in place of the system's chart
        solve: with axes: the momentum column that the energy decides
        base: with axes: a state, from which the other columns are taken; constraints and the section move them as
            little as possible [of the columns]
    """

    table = "ensemble"
    fixed = {"from": "section"}

    def __init__(
        self,
        grid: Sequence[int],
        energy: float,
        *,
        window: Sequence[Sequence[float]] | None = None,
        momentum: float = 0.0,
        branch: str | None = None,
        axes: Sequence[str] | None = None,
        solve: str | None = None,
        base: Sequence[float] | None = None,
    ) -> None:
        super().__init__({"grid": grid, "window": window, "energy": energy, "momentum": momentum, "branch": branch,
            "axes": axes, "solve": solve, "base": base}, {"momentum": 0.0})


class LineStarts(Table):
    """Starts on the section over equidistant points of a line, as [ensemble] of a configuration.

    Args:
        ends: [[u, v], [u, v]], the first and the last point of the line [of the coordinates]
        count: how many points, ends included; one lies in the middle [1 to 4294967296]
        energy: the energy of every start [energy]
        momentum: the momentum about the vertical of every start [angular momentum]
        branch: which of the states over a point; the default is the first
        axes: two columns in whose plane the starts lie, in place of the system's chart
        solve: with axes: the momentum column that the energy decides
        base: with axes: a state, from which the other columns are taken; constraints and the section move them as
            little as possible [of the columns]
    """

    table = "ensemble"
    fixed = {"from": "line"}

    def __init__(
        self,
        ends: npt.ArrayLike,
        count: int,
        energy: float,
        *,
        momentum: float = 0.0,
        branch: str | None = None,
        axes: Sequence[str] | None = None,
        solve: str | None = None,
        base: Sequence[float] | None = None,
    ) -> None:
        super().__init__({"ends": ends, "count": count, "energy": energy, "momentum": momentum, "branch": branch,
            "axes": axes, "solve": solve, "base": base}, {"momentum": 0.0})


class StatesStarts(Table):
    """Starts that are given, as [ensemble] of a configuration.

    Args:
        states: a list of states [of the columns]
        variables: what the momentum columns hold
        as_: the description of the system that these are states of; the default is the system itself
        mu: with as: the momentum that is a parameter of that description, where it is reduced and the system is not
            [angular momentum]
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
    """

    table = "ensemble"
    fixed = {"from": "states"}

    def __init__(
        self,
        states: npt.ArrayLike,
        *,
        variables: Literal["momentum", "velocity"] = "momentum",
        as_: str | None = None,
        mu: float | None = None,
        at_rest: bool = False,
    ) -> None:
        super().__init__({"states": states, "variables": variables, "as": as_, "mu": mu, "at_rest": at_rest},
            {"variables": "momentum", "at_rest": False})


class FileStarts(Table):
    """Starts in a dataset of a file, as [ensemble] of a configuration.

    Args:
        path: an HDF5 file; relative to the configuration's folder; empty in the text of a result: the result itself
        dataset: dataset of states, [n][dim]
        variables: what the momentum columns hold
        as_: the description of the system that these are states of; the default is the system itself
        mu: with as: the momentum that is a parameter of that description, where it is reduced and the system is not
            [angular momentum]
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
    """

    table = "ensemble"
    fixed = {"from": "file"}

    def __init__(
        self,
        path: str,
        *,
        dataset: str = "/final/state",
        variables: Literal["momentum", "velocity"] = "momentum",
        as_: str | None = None,
        mu: float | None = None,
        at_rest: bool = False,
    ) -> None:
        super().__init__({"path": path, "dataset": dataset, "variables": variables, "as": as_, "mu": mu, "at_rest":
            at_rest}, {"dataset": "/final/state", "variables": "momentum", "at_rest": False})


class MicrocanonicalStarts(Table):
    """Random starts of one energy, as [ensemble] of a configuration.

    Args:
        count: how many trajectories [1 to 4294967296]
        energy: the energy of every start [energy]
        seed: seed of the random numbers
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
        momentum: the momentum about the vertical of every start [angular momentum]
        angular_momentum: J_z of one pendulum, or |Pi| of a free body [angular momentum]
    """

    table = "ensemble"
    fixed = {"from": "random", "distribution": "microcanonical"}

    def __init__(
        self,
        count: int,
        energy: float,
        *,
        seed: int = 0,
        at_rest: bool = False,
        momentum: float | None = None,
        angular_momentum: float | None = None,
    ) -> None:
        super().__init__({"count": count, "seed": seed, "at_rest": at_rest, "energy": energy, "momentum": momentum,
            "angular_momentum": angular_momentum}, {"seed": 0, "at_rest": False})


class CanonicalStarts(Table):
    """Random starts of one temperature, as [ensemble] of a configuration.

    Args:
        count: how many trajectories [1 to 4294967296]
        temperature: kT, an energy [energy; above 0]
        seed: seed of the random numbers
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
    """

    table = "ensemble"
    fixed = {"from": "random", "distribution": "canonical"}

    def __init__(
        self,
        count: int,
        temperature: float,
        *,
        seed: int = 0,
        at_rest: bool = False,
    ) -> None:
        super().__init__({"count": count, "seed": seed, "at_rest": at_rest, "temperature": temperature}, {"seed": 0,
            "at_rest": False})


class CloudStarts(Table):
    """Random starts of a Gaussian distribution about a state, as [ensemble] of a configuration.

    Args:
        count: how many trajectories [1 to 4294967296]
        state: the middle of the cloud [of the columns]
        width: standard deviations, one number or one a column [of the columns]
        seed: seed of the random numbers
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
    """

    table = "ensemble"
    fixed = {"from": "random", "distribution": "cloud"}

    def __init__(
        self,
        count: int,
        state: Sequence[float],
        width: float | Sequence[float],
        *,
        seed: int = 0,
        at_rest: bool = False,
    ) -> None:
        super().__init__({"count": count, "seed": seed, "at_rest": at_rest, "state": state, "width": width},
            {"seed": 0, "at_rest": False})


class AttitudesStarts(Table):
    """Random starts: a state that is turned to attitudes uniform on SO(3), as [ensemble] of a configuration.

    Args:
        count: how many trajectories [1 to 4294967296]
        state: the state to be turned [of the columns]
        seed: seed of the random numbers
        at_rest: whether the centre of mass of a free molecule is brought to rest at the origin
    """

    table = "ensemble"
    fixed = {"from": "random", "distribution": "attitudes"}

    def __init__(
        self,
        count: int,
        state: Sequence[float],
        *,
        seed: int = 0,
        at_rest: bool = False,
    ) -> None:
        super().__init__({"count": count, "seed": seed, "at_rest": at_rest, "state": state}, {"seed": 0, "at_rest":
            False})


class RelativeEquilibriumStarts(Table):
    """The start whose shape does not change, as [ensemble] of a configuration.

    Args:
        near: positions from which Newton's method for it begins; the default is the example's [of the columns]
    """

    table = "ensemble"
    fixed = {"from": "relative-equilibrium"}

    def __init__(
        self,
        *,
        near: Sequence[float] | None = None,
    ) -> None:
        super().__init__({"near": near}, {})
