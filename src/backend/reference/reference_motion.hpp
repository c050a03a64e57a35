// One trajectory of a constrained mechanical system, advanced by constrained_step.hpp: of the system it takes the
// values of W p, V and g alone, and differentiates them itself.
//
// With momenta in the tangent space (TN) it is the motion on the hidden constraint seen through psi (McLachlan & Scovel
// 1995, Theorem 1). What is advanced is kept from step to step; only set_state() chooses it anew.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "backend/reference/constrained_step.hpp"
#include "polhode/system/constrained_system.hpp"

namespace polhode {

/// A ConstrainedStep problem of a system's functions.
template <class Real, class System>
struct SystemProblem {
  static constexpr int N = System::N, D = System::D;
  template <class S>
  using Equations = typename System::template Equations<S>;

  explicit SystemProblem(const double* parameters) : real_(parameters), complex_(parameters) {}

  Eigen::Matrix<Real, N, N> inverse_mass() const {
    Eigen::Matrix<Real, N, N> W;
    for (int j = 0; j < N; ++j) {
      Vec<Real, N> e{};
      e[j] = 1;
      const Vec<Real, N> column = real_.velocity(e);
      for (int i = 0; i < N; ++i) W(i, j) = column[i];
    }
    return W;
  }
  template <class S>
  S potential(const Eigen::Vector<S, N>& q) const {
    return equations<S>().potential(to_vec(q));
  }
  template <class S>
  Eigen::Vector<S, D> constraints(const Eigen::Vector<S, N>& q) const {
    const Vec<S, D> g = equations<S>().constraints(to_vec(q));
    return Eigen::Map<const Eigen::Vector<S, D>>(g.v);
  }

 private:
  template <class S>
  const Equations<S>& equations() const {
    if constexpr (std::is_same_v<S, Real>)
      return real_;
    else
      return complex_;
  }
  template <class S>
  static Vec<S, N> to_vec(const Eigen::Vector<S, N>& q) {
    Vec<S, N> v;
    for (int i = 0; i < N; ++i) v[i] = q[i];
    return v;
  }

  Equations<Real> real_;
  Equations<std::complex<Real>> complex_;
};

/// What is known of the momentum at the end of a step.
enum class MomentumAt { hidden_constraint, tangent, unprojected };

template <class Real, class System_, KickFractions kicks, MomentumAt momentum>
class ReferenceMotion {
 public:
  using System = System_;
  static constexpr int N = System::N;
  using State = std::array<Real, System::dim>;  ///< q, p

  /// parameters: as System::parameters. set_state() must follow.
  ReferenceMotion(const double* parameters, Real h)
      : step_(SystemProblem<Real, System>(parameters), kicks, momentum == MomentumAt::unprojected), h_(h) {}

  void set_state(const State& state) {
    state_ = state;
    std::copy_n(state.begin(), N, point_.q.begin());
    std::copy_n(state.begin() + N, N, point_.p.begin());
    if constexpr (momentum == MomentumAt::tangent) point_.p = step_.to_hidden_constraint(point_);
  }
  /// As it was set, until the first step.
  const State& state() const { return state_; }

  bool step() { return advance(h_) == Status::ok; }
  /// One step of another length, negative for backwards. Nothing is changed unless the result is Status::ok.
  Status advance(Real h) {
    const Status status = step_(h, point_);
    if (status != Status::ok) return status;
    std::copy_n(point_.q.begin(), N, state_.begin());
    const auto p = momentum == MomentumAt::tangent ? step_.to_tangent(point_) : point_.p;
    std::copy_n(p.begin(), N, state_.begin() + N);
    return Status::ok;
  }

 private:
  using Step = ConstrainedStep<Real, SystemProblem<Real, System>>;

  Step step_;
  Real h_;
  PhasePoint<Real, N> point_;
  State state_{};
};

}  // namespace polhode
