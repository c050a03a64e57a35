// A body in an ideal fluid in space and reduced to its momenta in the body, and the states of one in the other. From
// space to the momenta the position is lost and, of the attitude, what does not change the direction of the linear
// momentum. Back, that momentum is vertical, and the body is at the origin. Host only.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/math/quaternion.hpp"
#include "polhode/system/underwater_vehicle.hpp"
#include "polhode/system/underwater_vehicle_reduced.hpp"
#include "system/transition.hpp"

namespace polhode::inline POLHODE_ISA {

/// Conversions from a system to its other descriptions (transition.hpp); specialised for a body in a fluid, in space.
template <class System>
class VehicleDescriptions;

template <>
class VehicleDescriptions<UnderwaterVehicle> {
  using Three = Vec<double, 3>;
  static constexpr int N = UnderwaterVehicle::N;

 public:
  /// Converts x[24] to y[6] of the reduced system, with the parameters p[20]; returns null, or why it cannot.
  static const char* reduce(const double* p, const double* x, double* y) {
    if (Vehicle::has_coupling(p)) return has_coupling;
    const UnderwaterVehicle::Model<double> model(p);
    const auto state = state_of(x);
    const auto q = UnderwaterVehicle::position(state), momentum = UnderwaterVehicle::momentum(state);
    const Three in_space = linear_momentum(x),
                pi{model.pi<0>(q, momentum), model.pi<1>(q, momentum), model.pi<2>(q, momentum)};
    Three gamma{q[6], q[7], q[8]};
    const double size = std::sqrt(dot(in_space, in_space));
    if (!Vehicle::is_neutral(p)) {
      if (!(std::hypot(in_space[0], in_space[1]) <= tolerance * size))
        return "its linear momentum is not vertical, as c != 0 requires";
    } else if (size > 0) {
      gamma = {model.impulse<0>(q, momentum), model.impulse<1>(q, momentum), model.impulse<2>(q, momentum)};
    }
    gamma = (1 / std::sqrt(dot(gamma, gamma))) * gamma;
    for (int i = 0; i < 3; ++i) {
      y[i] = pi[i];
      y[3 + i] = gamma[i];
    }
    return nullptr;
  }

  /// Converts y[6] of the reduced system, with the parameters p[20], to x[24]; returns null, or why it cannot. The
  /// attitude is the smallest rotation with Gamma = y[3..5], or, where Gamma3 < 0, the smallest one after a half turn.
  static const char* lift(const double* p, const double* y, double* x) {
    if (Vehicle::has_coupling(p)) return has_coupling;
    const UnderwaterVehicleReduced::Body<double> body(p);
    const Three along{y[3], y[4], y[5]}, gamma = (1 / std::sqrt(dot(along, along))) * along;
    const bool is_low = gamma[2] < 0;
    const double w = std::sqrt((1 + std::abs(gamma[2])) / 2), scale = 0.5 / w;
    Vec<double, 4> turn{w, (is_low ? -gamma[1] : gamma[1]) * scale, -gamma[0] * scale, 0.0};
    if (is_low) turn = quaternion_product(turn, {0.0, 1.0, 0.0, 0.0});
    Vec<double, 9> attitude;
    for (int i = 0; i < 3; ++i) {
      const Three row = space_axis(turn, i);
      std::copy_n(row.v, 3, attitude.v + 3 * i);
    }
    const double momentum = p[UnderwaterVehicleReduced::momentum_at];
    Three velocity;
    for (int i = 0; i < 3; ++i) velocity[i] = momentum * gamma[i] / p[Vehicle::mass_at + i];
    UnderwaterVehiclePhysics::motion(p, attitude, body.omega({y[0], y[1], y[2]}), velocity, x);
    const Three vertical{0.0, 0.0, momentum};  // R P to round-off
    std::copy_n(vertical.v, 3, x + N + 9);
    return nullptr;
  }

  /// Conserved momentum of x[24]: the length of the linear momentum, or where c != 0 its vertical component. p[19]:
  /// parameters of the system in space.
  static ConservedMomentum momentum(const double* p, const double* x) {
    const Three in_space = linear_momentum(x);
    const double heaviest = *std::max_element(p + Vehicle::mass_at, p + Vehicle::mass_at + 3);
    double height = 0;
    for (int i = 0; i < 3; ++i) height += x[6 + i] * p[Vehicle::chi_at + i];
    const double kinetic = UnderwaterVehicle::Model<double>(p).energy(state_of(x)) - p[Vehicle::weight_at] * height;
    const double own = Vehicle::is_neutral(p) ? std::sqrt(dot(in_space, in_space)) : in_space[2];
    return {own, std::sqrt(2 * std::max(0.0, kinetic) * heaviest)};
  }

  static constexpr std::array transitions{Transition{UnderwaterVehicleReduced::name, reduce, lift, momentum}};

 private:
  /// Largest angle from the vertical of a momentum that passes for vertical; the tolerance of a Conversion, too
  /// (catalog/conversion.hpp).
  static constexpr double tolerance = 1e-9;
  static constexpr const char* has_coupling = "coupling is not 0";

  static UnderwaterVehicle::State<double> state_of(const double* x) {
    UnderwaterVehicle::State<double> state;
    std::copy_n(x, 2 * N, state.v);
    return state;
  }
  static Three linear_momentum(const double* x) { return {x[N + 9], x[N + 10], x[N + 11]}; }
};

}  // namespace polhode::inline POLHODE_ISA
