// A Subject that is reduced by an angle: shape and reduced momenta, whose flow keeps the form dx ^ ds - beta, and the
// angle, on which nothing depends.
#pragma once

#include "numerics/structures.hpp"
#include "numerics/subject_of.hpp"

namespace polhode::test {

template <class System>
class ReducedSubject final : public SubjectOf<System> {
  using Base = SubjectOf<System>;
  using Base::from, Base::to, Base::model_, Base::along_;
  static constexpr int n = System::N;

 public:
  explicit ReducedSubject(const std::vector<double>& parameters) : Base(parameters) { this->parts = {n, n, 1}; }

  State flow(const State& x) const override { return to(model_.flow(from(x))); }
  double structure_defect(Momentum, const State& x, const TangentMap& map) const override {
    return form_defect([this](const State& at) { return form(at); }, x, map);
  }

 protected:
  /// Orbits near the example's stay inside the chart.
  std::vector<double> spread() const override { return {0.02, 0.02, 0.02}; }

 private:
  /// On unit vectors of (x, s). beta = d(mu A), and mu A is the canonical momentum where s = 0.
  Eigen::MatrixXd form(const State& x) const {
    Eigen::MatrixXd slopes(n, n);  // [k, l]: of mu A_l by x_k
    for (int k = 0; k < n; ++k) {
      const auto q = System::position(from(x, State::Unit(2 * n + 1, k)));
      const auto shift = along_.canonical_momentum(q, Along(0) * q);
      for (int l = 0; l < n; ++l) slopes(k, l) = shift[l].tangent[0];
    }
    Eigen::MatrixXd form = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    form.topLeftCorner(n, n) = slopes.transpose() - slopes;
    form.topRightCorner(n, n).setIdentity();
    form.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
    return form;
  }
};

}  // namespace polhode::test
