// Splitting of the flow into kicks by the potential and drifts, the motion without it, in turn (method/splittings.hpp).
// The drift of a canonical system is exact; that of a body in a potential is a discrete free rotation, of an order to
// choose (method/preprocessed_rotation.hpp). With the table strang and that of order 2 it is RATTLE.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/method/option.hpp"
#include "polhode/method/preprocessed_rotation.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/method/splittings.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct SplittingMethod {
  static constexpr const char* name = "splitting";
  static constexpr const char* meaning =
      "kicks by the potential and free motion in turn over fractions of the step, order 2 to 8, symmetric";
  static constexpr const char* sources[] = {"BlanesCasasMurua2024"};
  static constexpr PreprocessedRotationOptions map_options{};
  static constexpr Properties properties{
      .order = 6, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true, .long_steps = true};

  static constexpr auto names = [] {
    std::array<const char*, std::size(splitting_tables)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = splitting_tables[i].name;
    return all;
  }();
  static constexpr MethodOption splitting_option{
      .name = "coefficients",
      .kind = MethodOption::Kind::choice,
      .unit = "1",
      .meaning = "table of the fractions of the step over which kicks and drifts take turns",
      .default_choice = names.front(),
      .choices = names};
  static constexpr MethodSetting settings[] = {setting<&PreprocessedRotationOptions::order>(
      {.name = "drift_order",
       .kind = MethodOption::Kind::integer,
       .unit = "1",
       .meaning = "order of the free rotation, the drift: 2, 4, 6, 8 or 10; the map is Poisson with 2, and above it up "
                  "to an error of that order",
       .default_number = 8,
       .least = 2,
       .most = 10})};
};

}  // namespace polhode::inline POLHODE_ISA
