// A condition on a state, e.g. "pi1 > 0 and gamma1 < 0.5": comparisons of observables with numbers, joined by `and`.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"

namespace polhode {

class Condition {
 public:
  /// Throws InputError that names what it does not understand. An empty text always holds.
  Condition(const SystemEntry& system, std::string_view text);

  bool empty() const { return comparisons_.empty(); }
  /// p: parameters, x: state [dim].
  bool holds(const double* p, const double* x) const;

 private:
  enum class Relation { less, less_equal, greater, greater_equal };
  struct Comparison {
    int observable;
    Relation relation;
    double value;
  };
  const SystemEntry* system_;
  std::vector<Comparison> comparisons_;
};

}  // namespace polhode
