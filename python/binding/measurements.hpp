// What the commands but `run` do, as text: cross-checks and measurements as JSON, citations, conversions.
#pragma once

#include <nanobind/nanobind.h>

namespace polhode::python {

void add_measurements(nanobind::module_& module);

}  // namespace polhode::python
