// SHAKE (Pierce 1994, eq. (15)): RATTLE without the last projection. n steps followed by one projection equal n steps
// of RATTLE; in between the momenta violate the hidden constraint by O(h), and the positions are those of RATTLE.
// Symmetric up to a constraint force in the momentum.
#pragma once

#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/option.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ShakeMethod {
  static constexpr const char* name = "shake";
  static constexpr const char* meaning = "RATTLE without projection of the momentum";
  static constexpr const char* sources[] = {"RyckaertCiccottiBerendsen1977", "McLachlanScovel1995"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr ConstrainedMotionOptions map_options{.momentum = Momentum::unprojected};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true, .constraints = true};
  static constexpr MethodOption options[] = {{"final_projection", MethodOption::Kind::boolean, "1",
                                              "whether the last momenta are lifted to the hidden constraint"}};
};

}  // namespace polhode::inline POLHODE_ISA
