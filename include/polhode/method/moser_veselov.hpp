// The discrete Moser-Veselov map of the free rigid body (McLachlan & Scovel 1995, sect. 6.1): the discrete free body
// alone. Order 2, symmetric, symplectic; conserves the energy, |Pi|^2 and the spatial momentum to round-off. In three
// dimensions an option raises the order (preprocessed_rotation.hpp); for SO(n) see discrete_rotation_n.hpp.
#pragma once

#include "polhode/method/preprocessed_rotation.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct MoserVeselovMethod {
  static constexpr const char* name = "moser-veselov";
  static constexpr const char* meaning = "discrete Moser-Veselov, the free body only, symplectic with order 2";
  static constexpr const char* sources[] = {"MoserVeselov1991", "McLachlanScovel1995"};
  static constexpr PreprocessedRotationOptions map_options{};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true, .energy = true};

  static constexpr MethodSetting settings[] = {setting<&PreprocessedRotationOptions::order>(
      {.name = "order",
       .kind = MethodOption::Kind::integer,
       .unit = "1",
       .meaning = "order of the map: 2, 4, 6, 8 or 10; above 2 by modified moments of inertia, and Poisson in Pi alone",
       .default_number = 2,
       .least = 2,
       .most = 10,
       .attribute = "map_order"})};

  /// p: values of System::parameters. Systems without is_free() are free.
  template <class System>
  static const char* invalid_reason(const double* p) {
    if constexpr (requires { System::is_free(p); })
      if (!System::is_free(p)) return System::not_free;
    return nullptr;
  }
};

}  // namespace polhode::inline POLHODE_ISA
