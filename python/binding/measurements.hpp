// Cross-checks and measurements as JSON, citations and conversions as text.
#pragma once

#include <nanobind/nanobind.h>

namespace polhode::python {

void add_measurements(nanobind::module_& module);

}  // namespace polhode::python
