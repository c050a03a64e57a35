// States of a system in another description of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace polhode {

/// Conversion of states between two descriptions of a system. p: the parameters of the description that has more of
/// them.
class Conversion {
 public:
  /// Conversion between two systems; none where they do not describe the same system.
  static std::optional<Conversion> between(const SystemEntry& from, const SystemEntry& to);

  /// Converts x[from.dim] to y[to.dim]; returns an empty text, or the reason why x has no counterpart. A reduced
  /// description takes a state if its momentum differs from the description's last parameter by at most 1e-9 of the
  /// largest momentum at its shape and kinetic energy; y then has that parameter as momentum.
  std::string operator()(const double* p, const double* x, double* y) const;

  /// Momentum of x: the last parameter of the reduced description to which x is converted. None where the conversion
  /// does not reduce, or x cannot be converted.
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
  /// Steps from a system to others of the catalog, each there or back over one transition.
  static std::vector<Step> steps_from(const SystemEntry& system);
  static bool find(const SystemEntry& from, const SystemEntry& to, std::vector<Step>& path);

  const SystemEntry* from_;
  std::vector<Step> steps_;
};

/// Other descriptions of the same system that the catalog has, in its order.
std::vector<const SystemEntry*> descriptions_of(const SystemEntry& system);

}  // namespace polhode
