// Variational integrators made of an explicit Runge-Kutta method by its table, the layer (Patrick, Cuell, Spiteri &
// Zhang 2009; method/variational_map.hpp). A segment begins bias h from the state that it is solved for. The order is
// that of the layer; bias = -1/2 makes the method symmetric, and raises an odd order by one.
#pragma once

#include <algorithm>
#include <cmath>

#include "polhode/math/lu.hpp"
#include "polhode/method/explicit_table_option.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/method/variational_map.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

/// Whether the velocities of a system are linear in its momenta, looked at for its typical state. Host only.
template <class System>
bool has_linear_velocities(const double* p) {
  if constexpr (requires(const typename System::template Model<double>& model, const Vec<double, System::N>& v) {
                  model.velocity(v);
                }) {
    return true;
  } else {
    const typename System::template Model<double> model(p);
    const auto x = typical_state<System, double>(p);
    const auto q = System::position(x);
    // Along all momenta at once, and not only where the typical state is at rest.
    auto momentum = System::momentum(x);
    const double size = std::max(std::sqrt(dot(momentum, momentum)), 1.0);
    for (int i = 0; i < System::N; ++i) momentum[i] += (1 + i / 7.0) * size;
    const auto at_rest = model.velocity(q, 0.0 * momentum), once = model.velocity(q, momentum) - at_rest,
               twice = model.velocity(q, 2.0 * momentum) - at_rest;
    const auto excess = twice - 2.0 * once;
    return dot(twice, twice) > 0 && dot(excess, excess) <= 1e-20 * dot(twice, twice);  // round-off is 1e-32
  }
}

/// Whether each velocity has one momentum, looked at for the system's typical state: H_pp is invertible, and not on the
/// tangent space of the constraints alone. Host only.
template <class System>
bool has_momentum_of_velocity(const double* p) {
  const typename System::template Model<double> model(p);
  if constexpr (requires { model.velocity(Vec<double, System::N>{}); }) {
    return true;  // momenta stand for velocities
  } else {
    const auto x = typical_state<System, double>(p);
    Mat<double, System::N, System::N> inverse_mass;
    for (int i = 0; i < System::N; ++i) {
      Vec<double, System::N> unit{};
      unit[i] = 1;
      inverse_mass[i] = model.inverse_mass(System::position(x), System::momentum(x), unit);
    }
    return !LU<double, System::N>(inverse_mass).is_singular(inverse_mass);
  }
}

struct VariationalMethod {
  static constexpr const char* name = "variational";
  static constexpr const char* meaning =
      "variational integrator made of an explicit Runge-Kutta method, order 1 to 8, symplectic";
  static constexpr const char* sources[] = {"PatrickCuellSpiteriZhang2009"};
  static constexpr VariationalOptions map_options{};
  static constexpr const MethodOption& table_option = layer_option;
  static constexpr MethodSetting settings[] = {
      setting<&VariationalOptions::bias>({.name = "bias",
                                          .kind = MethodOption::Kind::real,
                                          .unit = "1",
                                          .meaning = "where a curve segment begins, in steps from the state that it is "
                                                     "solved for; -0.5: symmetric",
                                          .default_number = 0,
                                          .least = -1,
                                          .most = 0})};
  /// Problem of a system with the parameters p, or null. Host only.
  template <class System>
  static const char* invalid_reason(const double* p) {
    if (!has_linear_velocities<System>(p)) return "it is for Hamiltonians that are quadratic in the momenta";
    if (!has_momentum_of_velocity<System>(p)) return "it needs an invertible H_pp, off the constraints as well";
    return nullptr;
  }
  static constexpr Properties properties{.order = 4, .poisson = true, .momentum = true, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
