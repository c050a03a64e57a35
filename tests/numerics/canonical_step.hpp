// Canonical systems of a point in a plane, and the maps of generating functions on them.
#pragma once

#include <Eigen/Dense>

#include "numerics/steps_of.hpp"
#include "polhode/method/generated_map.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/system/central.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/kepler.hpp"

namespace polhode::test {

using PhasePoint = Eigen::Vector4d;  ///< (q, p) of a point in a plane

inline Scheme generated(GeneratingKind kind, int order) {
  return GeneratingFunctionOptions{.kind = kind, .order = order};
}

struct KindAndOrder {
  GeneratingKind kind;
  int order;
};
inline constexpr KindAndOrder all_generated[] = {{GeneratingKind::second, 1},   {GeneratingKind::second, 2},
                                                 {GeneratingKind::second, 3},   {GeneratingKind::second, 4},
                                                 {GeneratingKind::first, 2},    {GeneratingKind::first, 4},
                                                 {GeneratingKind::poincare, 2}, {GeneratingKind::poincare, 4}};

/// [[0, 1], [-1, 0]].
inline Eigen::Matrix4d symplectic_matrix() {
  Eigen::Matrix4d J = Eigen::Matrix4d::Zero();
  J.topRightCorner<2, 2>().setIdentity();
  J.bottomLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
  return J;
}

}  // namespace polhode::test
