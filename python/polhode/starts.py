"""Where trajectories start: the tables [ensemble] of a configuration, one class for each kind."""

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

__all__ = ["Attitudes", "Canonical", "Cloud", "File", "Line", "Microcanonical", "RelativeEquilibrium", "Section", "States"]
