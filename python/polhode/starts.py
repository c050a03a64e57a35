"""Where trajectories start: the tables [ensemble] of a configuration, one class for each kind."""

from polhode.vocabulary import AttitudesStarts as Attitudes
from polhode.vocabulary import CanonicalStarts as Canonical
from polhode.vocabulary import CloudStarts as Cloud
from polhode.vocabulary import FileStarts as File
from polhode.vocabulary import LineStarts as Line
from polhode.vocabulary import MicrocanonicalStarts as Microcanonical
from polhode.vocabulary import RelativeEquilibriumStarts as RelativeEquilibrium
from polhode.vocabulary import SectionStarts as Section
from polhode.vocabulary import StatesStarts as States

__all__ = ["Attitudes", "Canonical", "Cloud", "File", "Line", "Microcanonical", "RelativeEquilibrium", "Section", "States"]
