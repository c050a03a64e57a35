// States of a system in another description of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace polhode {

/// Conversion of states from one description of a system to another. In its functions p are the parameters of the
/// description that has more of them.
class Conversion {
 public:
  /// Conversion from one entry of the catalog to another; none where they are not descriptions of the same system.
  static std::optional<Conversion> between(const SystemEntry& from, const SystemEntry& to);

  /// Converts x[from.dim] to y[to.dim]; returns an empty text, or the reason why x has no counterpart. The last
  /// parameter of a reduced description is the momentum that all its states have. A state x is converted to a reduced
  /// description only if x has that momentum, to 1e-9 of the largest momentum that is possible at the shape and kinetic
  /// energy of x; the difference is dropped.
  std::string operator()(const double* p, const double* x, double* y) const;

  /// Momentum of x: the last parameter of the reduced description to which x is converted. None where the conversion
  /// leads over no reduced description, or x cannot be converted.
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
