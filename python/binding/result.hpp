// Results as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include "polhode/core/ensemble.hpp"

namespace polhode::python {

/// Dictionary of a report, by the names of RunReport (polhode/core/report.hpp).
nanobind::dict report_of(const RunReport& report);

/// Arrays of a result by their paths, moved out of it: a tuple (values, attributes, dimensions) for each. Numbers are
/// numpy arrays that cannot be written to and own their memory; texts are lists.
nanobind::dict arrays_of(Result& result);

/// Attributes of the root "/" and of groups, by path.
nanobind::dict attributes_of(const Result& result);

}  // namespace polhode::python
