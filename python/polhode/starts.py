"""Where trajectories start: the tables [ensemble] of a configuration, one class for each kind."""

from typing import Any

from polhode.vocabulary import (
    AttitudesStarts as Attitudes,
    CanonicalStarts as Canonical,
    CloudStarts as Cloud,
    FileStarts as File,
    LineStarts as Line,
    MicrocanonicalStarts as Microcanonical,
    RelativeEquilibriumStarts as RelativeEquilibrium,
    SectionStarts as Section,
    StatesStarts as States,
)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"there are no starts {name!r}; there are {', '.join(__all__)}")


__all__ = ["Attitudes", "Canonical", "Cloud", "File", "Line", "Microcanonical", "RelativeEquilibrium", "Section", "States"]
