// Steps of a canonical system by any scheme of a map, and of their derivatives.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "numerics/scheme.hpp"
#include "numerics/support.hpp"
#include "polhode/method/generated_map.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/central.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/kepler.hpp"

namespace polhode::test {

using PhasePoint = Eigen::Vector4d;  ///< (q, p) of a point in a plane

template <class Map>
class CanonicalStep {
  using System = typename Map::System;

 public:
  CanonicalStep(const Scheme& scheme, double h, std::vector<double> parameters = example())
      : parameters_(std::move(parameters)),
        scheme_(scheme),
        h_(h),
        sweeps_(Map::template nominal_sweeps<double>(parameters_.data(), options_of<Map>(scheme), scheme.kicks, h)) {}

  /// The point after x; expects a valid step.
  PhasePoint operator()(const PhasePoint& x) const {
    PhasePoint y = x;
    EXPECT_TRUE(advance<double>(y));
    return y;
  }
  /// Whether the step is valid; leaves the point after x in x.
  bool try_from(PhasePoint& x) const { return advance<double>(x); }
  Status failure(const PhasePoint& x) const {
    const typename System::template Model<double> model(parameters_.data());
    const typename Map::template Constants<double> constants(model, options_of<Map>(scheme_), scheme_.kicks, h_);
    return typename Map::template Step<double>(model, options_of<Map>(scheme_), scheme_.kicks, constants, sweeps_)
        .failures(to_state(x))
        .status(0);
  }
  Eigen::Matrix4d jacobian(const PhasePoint& x) const {
    using Along = Dual<double, 4>;
    typename System::template State<Along> y;
    for (int i = 0; i < 4; ++i) y[i] = Along::variable(x[i], i);
    const typename System::template Model<Along> model(parameters_.data());
    const typename Map::template Constants<Along> constants(model, options_of<Map>(scheme_), scheme_.kicks, Along(h_));
    EXPECT_TRUE((typename Map::template Step<Along>(model, options_of<Map>(scheme_), scheme_.kicks, constants, sweeps_)(
        y, y, true)));
    Eigen::Matrix4d derivative;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) derivative(i, j) = y[i].tangent[j];
    return derivative;
  }

  static std::vector<double> example() {
    return {std::begin(System::example_parameters), std::end(System::example_parameters)};
  }

 private:
  static typename System::template State<double> to_state(const PhasePoint& x) { return {x[0], x[1], x[2], x[3]}; }
  template <class T>
  bool advance(PhasePoint& x) const {
    auto y = to_state(x);
    const typename System::template Model<double> model(parameters_.data());
    const typename Map::template Constants<double> constants(model, options_of<Map>(scheme_), scheme_.kicks, h_);
    const bool valid = typename Map::template Step<double>(model, options_of<Map>(scheme_), scheme_.kicks, constants,
                                                           sweeps_)(y, y, true);
    x = Eigen::Map<const PhasePoint>(y.v);
    return valid;
  }

  std::vector<double> parameters_;
  Scheme scheme_;
  double h_;
  int sweeps_;
};

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
