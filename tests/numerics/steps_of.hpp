// A step map at a given scheme, step and parameters, on states as vectors; with derivatives.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "numerics/advance_by.hpp"
#include "polhode/method/common.hpp"

namespace polhode::test {

template <class Map>
class StepsOf {
  using System = typename Map::System;
  static constexpr int dim = System::dim;

 public:
  using State = Eigen::VectorXd;

  StepsOf(const Scheme& scheme, double h, std::vector<double> parameters = example())
      : scheme_(scheme),
        h_(h),
        parameters_(std::move(parameters)),
        sweeps_(nominal_sweeps_by<Map>(parameters_.data(), scheme, h)) {}

  /// The state after so many steps; expects them to be valid.
  State operator()(const State& x, int steps = 1) const {
    State y = x;
    EXPECT_TRUE(try_from(y, steps));
    return y;
  }
  /// Whether the steps are valid; leaves the state after them in x.
  bool try_from(Eigen::Ref<State> x, int steps = 1) const {
    typename System::template State<double> y;
    std::copy_n(x.data(), dim, y.v);
    const bool valid = advance_by<Map, double>(parameters_.data(), scheme_, h_, sweeps_, steps, y);
    std::copy_n(y.v, dim, x.data());
    return valid;
  }
  /// Cause of an invalid step from x.
  Status failure(const State& x) const {
    typename System::template State<double> y;
    std::copy_n(x.data(), dim, y.v);
    const typename System::template Model<double> model(parameters_.data());
    const typename Map::template Constants<double> constants(model, options_of<Map>(scheme_), scheme_.kicks, h_);
    const CommonOf<Map, double> common(model, options_of<Map>(scheme_));
    return make_step<Map, double, double, double>(model, options_of<Map>(scheme_), scheme_.kicks, common, constants,
                                                  sweeps_)
        .failures(y)
        .status(0);
  }
  Eigen::MatrixXd jacobian(const State& x) const {
    Eigen::MatrixXd derivative(dim, dim);
    for (int k = 0; k < dim; ++k) {
      typename System::template State<Along> y;
      for (int i = 0; i < dim; ++i) y[i] = Along(x[i]);
      y[k].tangent[0] = 1;
      EXPECT_TRUE((advance_by<Map, Along>(parameters_.data(), scheme_, h_, sweeps_, 1, y)));
      for (int i = 0; i < dim; ++i) derivative(i, k) = y[i].tangent[0];
    }
    return derivative;
  }

  double step() const { return h_; }
  static std::vector<double> example() {
    return {std::begin(System::example_parameters), std::end(System::example_parameters)};
  }

 private:
  Scheme scheme_;
  double h_;
  std::vector<double> parameters_;
  int sweeps_;
};

}  // namespace polhode::test
