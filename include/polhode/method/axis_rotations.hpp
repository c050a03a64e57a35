// The explicit step maps of a rigid body in a potential that are made of kicks by the torque and of rotations about
// axes, which are exact flows: the kinetic energy is a sum of functions of one component of Pi each.
//
//     T = sum_i Pi_i^2 / (2 I_i)
//
// McLachlan 1993, Reich 1994: the flows of its three terms, half of the first, half of the second, the third, and back.
// The flow of Pi_i^2 / (2 I_i) turns Pi and Gamma about axis i by -t Pi_i / I_i.
//
// Touma & Wisdom 1994:
//
//     T = |Pi|^2 / (2 I_a) + (1 / I_c - 1 / I_a) Pi_c^2 / 2 + (1 / I_b - 1 / I_a) Pi_b^2 / 2
//
// is a body with the axis of symmetry c, which is integrated exactly, perturbed by half of the last term before and
// after. The flow of |Pi|^2 / (2 I_a) turns Gamma about Pi and commutes with the others. a and b are the axes whose
// moments are the most nearly equal: for I_a = I_b the free motion is exact.
//
// Order 2, symmetric; each part is a Poisson map on se(3)* and, with the attitude, a symplectic one on T*SO(3). Nothing
// is solved for, at the price of a sine and a cosine for each rotation.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/math/quaternion.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/scalar/elementary.hpp"

namespace polhode::inline POLHODE_ISA {

/// Splitting of the kinetic energy: into its terms about the body axes, or into a body with an axis of symmetry and
/// what it lacks.
enum class KineticSplitting : std::uint8_t { body_axes, symmetric_body };

struct AxisRotationsOptions {
  KineticSplitting splitting = KineticSplitting::body_axes;
};

/// The rotation w with w^T = the unit quaternion (c, u).
template <class T>
struct AxisRotation {
  T c;
  Vec<T, 3> u;

  /// w v = v - 2 u x (c v - u x v).
  POLHODE_HD Vec<T, 3> operator()(const Vec<T, 3>& v) const {
    const T two(Real<T>(2));
    const Vec<T, 3> t = cross(u, v);
    return fma(two, cross(u, t), fma(T(-two * c), t, v));
  }
  /// c - 1 = -|u|^2 / (1 + c), which has no cancellation for rotations by less than a half turn.
  POLHODE_HD Vec<T, 4> undone(const Vec<T, 4>& attitude) const {
    const T one(Real<T>(1)), zero(Real<T>(0));
    const T change = select(c > zero, -dot(u, u) / (one + c), c - one);
    return attitude + quaternion_product(attitude, {change, u[0], u[1], u[2]});
  }
};

/// System: one of system/top.hpp.
template <class System_>
struct AxisRotations {
  using System = System_;
  using Solver = ExplicitSolver;
  using Options = AxisRotationsOptions;
  template <class T>
  using NominalScalar = Real<T>;
  static constexpr bool has_constants_of_a_state = true;  ///< the rotations

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    Vec<T, 3> axis[3];  ///< unit vectors: a, b, c
    T half_angle[3];    ///< over the component of Pi: of a and b for half of h, of c for h
    T about_momentum;   ///< half the angle of the rotation about Pi, over |Pi|
    typename System::template Kick<T> before, after;  ///< as KickedRotation's

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const Options& options, const Kicks& kicks,
                         const T& h)
        : before(model, T(Real<T>(kicks.before)) * h), after(model, T(Real<T>(kicks.after)) * h) {
      const T half(Real<T>(0.5)), zero(Real<T>(0)), one(Real<T>(1));
      Vec<T, 3> inverse = model.inverse_inertia;
      const bool is_perturbed = options.splitting == KineticSplitting::symmetric_body;
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) axis[i][k] = i == k ? one : zero;
      about_momentum = zero;
      if (is_perturbed) {
        // c is the axis whose exchange leaves the most nearly equal moments as a and b.
        const T apart[3] = {abs(inverse[1] - inverse[2]), abs(inverse[2] - inverse[0]), abs(inverse[0] - inverse[1])};
        rotate_axes(inverse, (apart[0] <= apart[1]) & (apart[0] <= apart[2]), 1);
        rotate_axes(inverse, (apart[1] < apart[0]) & (apart[1] <= apart[2]), 2);
        about_momentum = half * h * inverse[0];
        inverse = {zero, inverse[1] - inverse[0], inverse[2] - inverse[0]};
      }
      half_angle[0] = half * half * h * inverse[0];
      half_angle[1] = half * half * h * inverse[1];
      half_angle[2] = half * h * inverse[2];
    }

   private:
    /// Makes axis i + shift the axis i, in lanes.
    POLHODE_HD void rotate_axes(Vec<T, 3>& inverse, const Mask<T>& lanes, int shift) {
      const Vec<T, 3> old = inverse, axes[3] = {axis[0], axis[1], axis[2]};
      for (int i = 0; i < 3; ++i) {
        inverse[i] = select(lanes, old[(i + shift) % 3], inverse[i]);
        axis[i] = select(lanes, axes[(i + shift) % 3], axis[i]);
      }
    }
  };

  /// The map of one step. The constants must outlive it; S: scalar of the constants, T or Real<T>.
  template <class T, class S = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>&, const Options& options, const Kicks&,
                    const Constants<S>& constants, int)
        : is_perturbed_(options.splitting == KineticSplitting::symmetric_body), c_(constants) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid: those that are finite. Lanes outside
    /// `active` count as valid.
    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Vec<T, 3> pi = c_.before(System::vertical(x), System::angular_momentum(x));
      State at = x;
      rotate(pi, at, [](const T&, const AxisRotation<T>&) POLHODE_LAMBDA {});
      const Vec<T, 3> gamma = System::vertical(at);
      y = System::moved(at, c_.after(gamma, pi), gamma, AxisRotation<T>{T(Real<T>(1)), {}});
      return is_finite(dot(y, y)) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp): of an exact flow of a kinetic energy its
    /// value times the time.
    POLHODE_HD BodyAction<T> action(const StepContext<System, T>& of, const State& x, const State& y,
                                    const Mask<T>&) const {
      const T zero(Real<T>(0));
      Vec<T, 3> pi = c_.before(System::vertical(x), System::angular_momentum(x));
      State at = x;
      BodyAction<T> sum{zero, {T(Real<T>(1)), zero, zero, zero}};
      rotate(pi, at, [&](const T& action, const AxisRotation<T>& rotation) POLHODE_LAMBDA {
        sum = {sum.action + action, rotation.undone(sum.turn)};
      });
      return {of.with_kicks(sum.action, System::vertical(x), System::vertical(y)), sum.turn};
    }

    /// Cause of an invalid step from x: the result is not finite.
    POLHODE_HD Failures<T> failures(const State&) const { return {.not_finite = Mask<T>(true)}; }

   private:
    /// An angle whose sine is known, or NaN: the step is not valid then.
    POLHODE_HD static T in_range(const T& angle) {
      using R = Real<T>;
      constexpr R most = std::numeric_limits<R>::digits > 24 ? R(1 << 20) : R(1 << 10);
      return select(abs(angle) < T(most), angle, T(std::numeric_limits<R>::quiet_NaN()));
    }
    /// Turns about the axes one after the other. on_turn(action, rotation) is called for each.
    template <class OnTurn>
    POLHODE_HD void rotate(Vec<T, 3>& pi, State& at, const OnTurn& on_turn) const {
      if (is_perturbed_) {
        turn(1, pi, at, on_turn);
        turn(2, pi, at, on_turn);
        turn_about_momentum(pi, at, on_turn);
        turn(1, pi, at, on_turn);
      } else {
        turn(0, pi, at, on_turn);
        turn(1, pi, at, on_turn);
        turn(2, pi, at, on_turn);
        turn(1, pi, at, on_turn);
        turn(0, pi, at, on_turn);
      }
    }
    template <class OnTurn>
    POLHODE_HD void turn(int i, Vec<T, 3>& pi, State& at, const OnTurn& on_turn) const {
      const Vec<T, 3> axis = broadcast<T>(c_.axis[i]);
      const T along = dot(axis, pi), half_angle(c_.half_angle[i]);
      const SinCos<T> half = sin_cos(in_range(half_angle * along));
      const AxisRotation<T> rotation{half.cos, half.sin * axis};
      on_turn(half_angle * along * along, rotation);
      pi = rotation(pi);
      at = System::moved(at, pi, rotation(System::vertical(at)), rotation);
    }
    template <class OnTurn>
    POLHODE_HD void turn_about_momentum(const Vec<T, 3>& pi, State& at, const OnTurn& on_turn) const {
      const T squared = dot(pi, pi), size = sqrt(squared), zero(Real<T>(0)), angle(c_.about_momentum);
      const SinCos<T> half = sin_cos(in_range(angle * size));
      const AxisRotation<T> rotation{half.cos, select(size > zero, half.sin / size, angle) * pi};
      on_turn(angle * squared, rotation);
      at = System::moved(at, pi, rotation(System::vertical(at)), rotation);
    }

    bool is_perturbed_;
    const Constants<S>& c_;
  };

  /// One sweep, because there is no iteration. Host only.
  template <class R>
  static int nominal_sweeps(const double*, const Options&, const Kicks&, double) {
    return 1;
  }
};

/// Catalog entry: the step maps on a system.
struct AxisRotationsMap {
  template <class System>
  using StepMapsOn = StepMaps<AxisRotations<System>>;
};

}  // namespace polhode::inline POLHODE_ISA
