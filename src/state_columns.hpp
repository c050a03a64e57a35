// Columns of states that are to be read from a file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace polhode {

struct StateColumns {
  StateColumns(int dim) : dim(dim) {}
  StateColumns(std::string system, std::vector<std::string> names)
      : dim(static_cast<int>(names.size())), system(std::move(system)), names(std::move(names)) {}

  int dim;
  std::string system;              ///< whose states they are; empty where only their number is known
  std::vector<std::string> names;  ///< [dim]; empty where `system` is
};

}  // namespace polhode
