// A Subject of positions and momenta without constraints, in the canonical structure.
#pragma once

#include "numerics/hamiltonian.hpp"
#include "numerics/structures.hpp"
#include "numerics/subject_of.hpp"

namespace polhode::test {

template <class System>
class CanonicalSubject final : public SubjectOf<System> {
  using Base = SubjectOf<System>;
  using Base::from, Base::to, Base::model_;
  static constexpr int n = System::N;

 public:
  explicit CanonicalSubject(const std::vector<double>& parameters) : Base(parameters) { this->parts = {n, n}; }

  State flow(const State& x) const override {
    const auto point = from(x);
    const Vec<double, n> q = System::position(point), p = System::momentum(point);
    return to(System::state(velocity(model_, q, p), -1.0 * position_gradient(model_, q, p)));
  }
  double structure_defect(Momentum, const State& x, const TangentMap& map) const override {
    return form_defect(Eigen::MatrixXd(0, 2 * n), x, map);
  }

 protected:
  /// Such systems may be unbounded below, and only orbits near the example's stay; or in a chart, which ends.
  std::vector<double> spread() const override {
    constexpr double off = requires { typename System::Cyclic; }
    ? 0.02 : 0.1;
    return {off, off};
  }
};

}  // namespace polhode::test
