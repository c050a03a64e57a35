// Configurations as Python hands them over.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <variant>

#include "cli/config.hpp"

namespace polhode::python {

/// States [n][dim] of the caller's.
using States = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// Configuration in a text of TOML; with `states`, its [ensemble] has from = "states", and one state that stands for
/// all of these.
inline Configuration configuration_of(const std::string& text, const std::optional<States>& states) {
  Configuration configuration = read_own_config(text, {});
  if (states) {
    Rows& rows = std::get<GivenStarts>(configuration.run.ensemble).states;
    rows.numbers.assign(states->data(), states->data() + states->size());
    rows.width = states->shape(1);
  }
  return configuration;
}

}  // namespace polhode::python
