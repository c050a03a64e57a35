// A Subject of a body in body coordinates: Lie-Poisson, or on T*SO(3).
#pragma once

#include "numerics/structures.hpp"
#include "numerics/subject_of.hpp"

namespace polhode::test {

template <class System>
class BodySubject final : public SubjectOf<System> {
  using Base = SubjectOf<System>;

 public:
  explicit BodySubject(const std::vector<double>& parameters) : Base(parameters) {
    this->parts.clear();
    for (const Block& block : System::layout) this->parts.push_back(block.size);
    if constexpr (requires { System::is_free(parameters.data()); })
      this->is_free = System::is_free(parameters.data());
    else
      this->is_free = true;
    // Of a Casimir the gradient is in the kernel of the bracket, everywhere: here to round-off at one point.
    std::mt19937_64 random(1);
    const State x = 1.1 * this->start(random, Momentum::hidden_constraint);
    for (std::size_t k = 0; k < this->invariants.size(); ++k) {
      const Eigen::VectorXd gradient = this->invariant_gradient(this->invariants[k], x);
      const Eigen::MatrixXd b = bracket(x);
      this->is_casimir[k] = (b * gradient).norm() < 1e-13 * b.norm() * gradient.norm();
    }
  }

  State flow(const State& x) const override { return bracket(x) * this->invariant_gradient(0, x); }
  double structure_defect(Momentum, const State& x, const TangentMap& map) const override {
    return poisson_defect(bracket, x, map);
  }

 private:
  static Eigen::MatrixXd bracket(const State& x) {
    if constexpr (requires { System::size; })
      return bracket_on_so(System::size, x);
    else if constexpr (System::layout[1].form == Block::Form::unit_vector)
      return bracket_on_se3(x);
    else
      return bracket_on_cotangent_so3(x);
  }
};

}  // namespace polhode::test
