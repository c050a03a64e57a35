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
  std::string system;              ///< system that the states are of; empty where only `dim` is known
  std::vector<std::string> names;  ///< names of the columns, [dim]; empty where only `dim` is known
};

}  // namespace polhode
