// States at an energy and an angular momentum: J_z of one spherical pendulum, |Pi| of a free body in three dimensions.
// They form one or two tori, on which points are drawn uniformly in time and angles (pendulum_torus.hpp, polhodes.hpp).
//
// Levels of a system have
//   Levels(p, equilibrium)   constructor from the parameters and an ensemble with an angular momentum
//   problem(text)            reason why there are no states to draw from, or null; text[problem_size] may have it
//   draw(random, x)          draws a state x[dim]
#pragma once

#include <cmath>
#include <cstdio>

#include "system/configurations.hpp"
#include "system/pendulum_torus.hpp"
#include "system/polhodes.hpp"
#include "system/random_attitude.hpp"

namespace polhode::inline POLHODE_ISA {

/// Message, written into text[problem_size], about an angular momentum that no state at this energy has: those of its
/// states are between `least` and `most`.
inline const char* out_of_reach(double energy, double least, double most, char* text) {
  std::snprintf(text, problem_size, "at energy %.6g angular_momentum is between %.6g and %.6g", energy, least, most);
  return text;
}
inline constexpr const char* too_little_energy = "no state has so little energy";

template <>
class Levels<SphericalPendulum> {
 public:
  /// Levels of a pendulum with the parameters p[3]: m, l, g; `equilibrium` has an angular momentum.
  Levels(const double* p, const Equilibrium& equilibrium)
      : equilibrium_(equilibrium), torus_(p[0], p[1], p[2], equilibrium.energy, *equilibrium.angular_momentum) {}

  const char* problem(char* text) const {
    if (equilibrium_.momentum) return "momentum and angular_momentum are the same J_z: give the latter";
    if (!torus_.has_energy()) return too_little_energy;
    if (!torus_.is_within()) return out_of_reach(equilibrium_.energy, -torus_.most(), torus_.most(), text);
    if (torus_.is_separatrix()) return "at this energy and angular_momentum it takes for ever to stand upright";
    return nullptr;
  }
  void draw(RandomSource& random, double* x) const { torus_.draw(random, draw_on_circle(random), x); }

 private:
  Equilibrium equilibrium_;
  PendulumTorus torus_;
};

/// Levels of a free body. Attitudes are uniform: all of them, or, if a momentum about the vertical is given, those for
/// which Pi.Gamma is this momentum. Systems with neither attitude nor vertical have states Pi alone.
template <class System>
class FreeBodyLevels {
  using Space = Configurations<System>;
  static constexpr bool has_attitude = requires { &Space::rotation_momentum; };

 public:
  FreeBodyLevels(const double* p, const Equilibrium& equilibrium)
      : space_(p),
        equilibrium_(equilibrium),
        polhodes_(space_.moments(), equilibrium.energy, *equilibrium.angular_momentum) {}

  const char* problem(char* text) const {
    if (!space_.is_free()) return "only a free body, c = 0, keeps the angular_momentum |Pi|";
    if (equilibrium_.momentum && !has_attitude) return "it has no momentum about the vertical";
    if (!(equilibrium_.energy > 0)) return too_little_energy;
    if (!polhodes_.is_within()) return out_of_reach(equilibrium_.energy, polhodes_.least(), polhodes_.most(), text);
    if (polhodes_.is_separatrix()) return "at this energy and angular_momentum it takes for ever to turn over";
    if (equilibrium_.momentum && std::abs(*equilibrium_.momentum) > *equilibrium_.angular_momentum)
      return "momentum, a component of angular_momentum, is larger";
    return nullptr;
  }
  void draw(RandomSource& random, double* x) const {
    const Vec<double, 3> pi = polhodes_.draw(random);
    if constexpr (!has_attitude) {
      space_.store({}, pi, x);
    } else if (!equilibrium_.momentum) {
      space_.store(Space::Point::of(draw_rotation(random)), pi, x);
    } else {
      // Gamma is on a circle about Pi. The product of the factors of 1 - cos^2 gives an accurate sin^2 where it is
      // small.
      const double magnitude = *equilibrium_.angular_momentum, along = *equilibrium_.momentum / magnitude;
      const double across = std::sqrt((1 - along) * (1 + along));
      const Vec<double, 3> gamma = draw_about(random, (1 / std::sqrt(dot(pi, pi))) * pi, along, across);
      space_.store(Space::Point::about(gamma, random), pi, x);
    }
  }

 private:
  Space space_;
  Equilibrium equilibrium_;
  Polhodes polhodes_;
};

template <>
class Levels<HeavyTop> : public FreeBodyLevels<HeavyTop> {
  using FreeBodyLevels::FreeBodyLevels;
};
template <>
class Levels<RigidBody> : public FreeBodyLevels<RigidBody> {
  using FreeBodyLevels::FreeBodyLevels;
};
template <>
class Levels<HeavyTopMatrix> : public FreeBodyLevels<HeavyTopMatrix> {
  using FreeBodyLevels::FreeBodyLevels;
};
template <>
class Levels<RigidBodyMatrix> : public FreeBodyLevels<RigidBodyMatrix> {
  using FreeBodyLevels::FreeBodyLevels;
};
template <>
class Levels<RigidBodyN<3>> : public FreeBodyLevels<RigidBodyN<3>> {
  using FreeBodyLevels::FreeBodyLevels;
};

}  // namespace polhode::inline POLHODE_ISA
