// States of a system in another description of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace polhode {

/// Conversion of states between descriptions of a system. p: the parameters of the one of both that has more.
class Conversion {
 public:
  /// Conversion between two systems; none where they do not describe the same system.
  static std::optional<Conversion> between(const SystemEntry& from, const SystemEntry& to);

  /// Converts x[from.dim] to y[to.dim]; returns why not, or empty. A state is in a reduced description if its momentum
  /// differs from the parameter by at most 1e-9 of the most that it is at that energy, and then it has the latter.
  std::string operator()(const double* p, const double* x, double* y) const;

  /// The last parameter of a reduced description that x is in; none where it is in no such description.
  std::optional<double> momentum(const double* p, const double* x) const;

 private:
  explicit Conversion(const SystemEntry& from) : from_(&from) {}

  struct Step {
    const Transition* transition;
    bool back;
    const SystemEntry* to;

    const char* take(const double* p, const double* x, double* y) const {
      return (back ? transition->back : transition->there)(p, x, y);
    }
    bool reduces() const { return !back && transition->momentum; }
  };
  /// Steps from a system.
  static std::vector<Step> steps_from(const SystemEntry& system);
  static bool find(const SystemEntry& from, const SystemEntry& to, std::vector<Step>& path);

  const SystemEntry* from_;
  std::vector<Step> steps_;
};

/// The other descriptions of the same system, in the order of the catalog.
std::vector<const SystemEntry*> descriptions_of(const SystemEntry& system);

}  // namespace polhode
