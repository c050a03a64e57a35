// What the reference advances: one trajectory, seen without the type of its system, so that all that is done with it is
// compiled once.
#pragma once

#include <algorithm>
#include <memory>

#include "polhode/method/status.hpp"

namespace polhode {

class Motion {
 public:
  virtual ~Motion() = default;
  virtual std::unique_ptr<Motion> clone() const = 0;

  /// x[dim]. What is advanced may hold more than that and is kept from step to step; only set_state() chooses it anew.
  virtual void set_state(const double* x) = 0;
  /// [dim]; as it was set, until the first step.
  virtual const double* state() const = 0;
  /// One application of the step map over h, negative for backwards, or of its adjoint. Nothing is changed unless the
  /// result is Status::ok.
  virtual Status advance(double h, bool adjoint) = 0;
};

template <class Derived>
class CloneableMotion : public Motion {
 public:
  std::unique_ptr<Motion> clone() const final { return std::make_unique<Derived>(static_cast<const Derived&>(*this)); }
};

/// Of a body with a State of fixed size, such as a ReferenceBody.
template <class Body>
class MotionOf final : public CloneableMotion<MotionOf<Body>> {
 public:
  explicit MotionOf(const Body& body) : body_(body) {}

  void set_state(const double* x) override {
    typename Body::State state;
    std::copy_n(x, state.size(), state.begin());
    body_.set_state(state);
  }
  const double* state() const override { return body_.state().data(); }
  Status advance(double h, bool adjoint) override { return body_.advance(h, adjoint); }

 private:
  Body body_;
};

}  // namespace polhode
