"""The names of the package, which `__init__.py` imports when they are asked for."""

from polhode import starts as starts, stored
from polhode.checking import (
    Measurement as Measurement,
    bench as bench,
    cite as cite,
    convert as convert,
    crosscheck as crosscheck,
    list_backends as list_backends,
    list_methods as list_methods,
    list_sections as list_sections,
    list_systems as list_systems,
    order as order,
    workprec as workprec,
)
from polhode.configuration import (
    Configuration as Configuration,
    load as load,
)
from polhode.errors import (
    BackendUnavailable as BackendUnavailable,
    Error as Error,
    FileError as FileError,
    InputError as InputError,
)
from polhode.execution import (
    configure as configure,
    run as run,
)
from polhode.pictures import compare as compare
from polhode.progress import Progress as Progress
from polhode.runs import Run as Run
from polhode.vocabulary import (
    Density as Density,
    Execution as Execution,
    Method as Method,
    Record as Record,
    Section as Section,
    Statistics as Statistics,
    System as System,
)

open = stored.open_run
__version__: str
__all__ = [
    "BackendUnavailable", "Configuration", "Density", "Error", "Execution", "FileError", "InputError",
    "Measurement", "Method", "Progress", "Record", "Run", "Section", "Statistics", "System", "bench", "cite",
    "compare", "configure", "convert", "crosscheck", "list_backends", "list_methods", "list_sections",
    "list_systems", "load", "open", "order", "run", "starts", "workprec",
]
