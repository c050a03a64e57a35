// The reference's body with the kicks of each method, for tests of one pair of a system and a method.
#pragma once

#include "backend/reference/body_matrices.hpp"

namespace polhode::test {

template <class Real>
struct RattleBody : ConstrainedBody<Real> {
  explicit RattleBody(const double* parameters) : ConstrainedBody<Real>(parameters, {0.5, 0.5}) {}
};
template <class Real>
struct ConstraintEulerBody : ConstrainedBody<Real> {
  explicit ConstraintEulerBody(const double* parameters) : ConstrainedBody<Real>(parameters, {1, 0}) {}
};
template <class Real>
struct ConstraintEulerAdjointBody : ConstrainedBody<Real> {
  explicit ConstraintEulerAdjointBody(const double* parameters) : ConstrainedBody<Real>(parameters, {0, 1}) {}
};

}  // namespace polhode::test
