// One body, advanced unreduced, with the state of a system as its interface.
//
// The internal state, which the state may not determine, is retained from step to step. Only set_state() resets it,
// which changes the last bits of later states.
#pragma once

#include "polhode/method/status.hpp"

namespace polhode {

/// Body of a system. Embedding<Real>: conversion of the system's states to a body (heavy_top_embedding.hpp,
/// rigid_body_embedding.hpp). Motion<Real>: the body's equations and their solution (body_matrices.hpp,
/// moser_veselov_body.hpp).
template <class Real, template <class> class Embedding, template <class> class Motion>
class ReferenceBody {
 public:
  using System = typename Embedding<Real>::System;
  using State = typename Embedding<Real>::State;

  /// Body with the parameters of System, the step h, and further arguments of Motion. Throws std::invalid_argument if
  /// Motion cannot be used with them. set_state() must follow.
  template <class... Arguments>
  ReferenceBody(const double* parameters, Real h, const Arguments&... arguments)
      : motion_(parameters, arguments...), h_(h) {}

  void set_state(const State& state) {
    state_ = state;
    motion_.set_pose(Embedding<Real>::lift(state));
  }
  /// State after the last step; until the first one, the state that was set.
  const State& state() const { return state_; }

  /// One step; returns false and changes nothing if it fails.
  bool step() { return advance(h_) == Status::ok; }
  /// One step of length h (negative: backwards) instead of the constructor's; further arguments as of Motion::advance.
  /// Changes nothing unless the result is Status::ok.
  template <class... Arguments>
  Status advance(Real h, const Arguments&... arguments) {
    const Status status = motion_.advance(h, arguments...);
    if (status == Status::ok) state_ = Embedding<Real>::reduce(motion_.pose(), state_);
    return status;
  }

  Real h() const { return h_; }
  const Motion<Real>& motion() const { return motion_; }

 private:
  Motion<Real> motion_;
  Real h_;
  State state_{};
};

}  // namespace polhode
