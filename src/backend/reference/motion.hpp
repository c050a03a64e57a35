// One trajectory of the reference, independent of the type of its system, so that all code that uses it is compiled
// once.
#pragma once

#include <algorithm>
#include <memory>

#include "backend/reference/kick_fractions.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

class Motion {
 public:
  virtual ~Motion() = default;
  virtual std::unique_ptr<Motion> clone() const = 0;

  /// Sets the state to x[dim], and makes from it what the motion carries from step to step besides, such as an
  /// unreduced (Q, P).
  virtual void set_state(const double* x) = 0;
  /// State [dim]; until the first step, as it was set.
  virtual const double* state() const = 0;
  /// One application of the step map over h (negative: backwards), with these fractions of the kick if the map has one.
  /// Changes nothing unless the result is Status::ok.
  virtual Status advance(double h, KickFractions kicks) = 0;
};

template <class Derived>
class CloneableMotion : public Motion {
 public:
  std::unique_ptr<Motion> clone() const final { return std::make_unique<Derived>(static_cast<const Derived&>(*this)); }
};

/// Motion of a body with a State of fixed size, such as a ReferenceBody.
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
  Status advance(double h, KickFractions kicks) override { return body_.advance(h, kicks); }

 private:
  Body body_;
};

}  // namespace polhode
