// The constrained motion of a mechanical system over one step: from (q, p), with p after its kick, the position Q with
//
//     Q = q + h W pi,   pi = p - G(q)^T lambda,   g(Q) = 0
//
// (Hairer 2003, eq. (5.2) in general form; McLachlan & Scovel 1995, sect. 3). Solvers of the same equation find the
// same Q and pi to round-off. Each has a name and an Equation<System, T>(model, q, p, step) with
//
//     start()       the first iterate, an Unknown: that for lambda = 0
//     sweep(x)      the next iterate
//     momentum(x)   pi
//
// A sweep moves Q along W G(q)^T by (G(r) W G(q)^T)^-1 g(Q). This is Newton's iteration where r is Q; where r is the
// first iterate and the factorisation is reused, it converges with a factor O(h^2). Newton's update v solves G(Q) v =
// -g(Q), so that to first order the distance of Q from the constraints is at most |v|: an iterate that has converged
// lies on them (settles_on_constraints), up to rounding errors of the first iterate, which matter only if that is a
// hundred times farther away. With another matrix the updates may become small before the constraints are satisfied,
// and the step must check that.
#pragma once

#include "polhode/math/bounded_iteration.hpp"
#include "polhode/method/constrained_position.hpp"
#include "polhode/system/constrained_system.hpp"

namespace polhode::inline POLHODE_ISA {

/// A time step and its inverse, which is computed once.
template <class T>
struct TimeStep {
  T h, inverse;

  TimeStep() = default;
  POLHODE_HD explicit TimeStep(const T& h) : h(h), inverse(T(Real<T>(1)) / h) {}
  template <class R>
  POLHODE_HD explicit TimeStep(const TimeStep<R>& of) : h(T(of.h)), inverse(T(of.inverse)) {}
};

/// Whether a displacement that would bring q onto its constraints is round-off: at most twice the tolerance of an
/// iterate that has converged.
template <class T, int N>
POLHODE_HD Mask<T> is_negligible(const Vec<T, N>& displacement, const Vec<T, N>& q) {
  const Real<T> relative = 2 * sweep_tolerance<Real<T>>();
  return dot(displacement, displacement) <=
         fma(T(relative * relative), dot(q, q), T(std::numeric_limits<Real<T>>::min()));
}

/// The variable is s = -h lambda, with which Q = q + h W p + W G(q)^T s.
template <class System, class T>
class MultiplierEquation {
 public:
  static constexpr int N = System::N, D = System::D;
  using Model = typename System::template Model<T>;
  using Unknown = ConstrainedPosition<T, N, D>;

  POLHODE_HD MultiplierEquation(const Model& model, const Vec<T, N>& q, const Vec<T, N>& p, const TimeStep<T>& step)
      : model_(model), q_(q), p_(p), inverse_step_(step.inverse), free_(fma(step.h, model.velocity(p), q)) {}

  POLHODE_HD Unknown start() const {
    Unknown x;  // braces would first set all of it to zero
    x.q = free_;
    unroll<D>([&](int i) POLHODE_LAMBDA { x.variable[i] = T(Real<T>(0)); });
    return x;
  }
  POLHODE_HD Vec<T, N> momentum(const Unknown& x) const { return model_.pull(q_, inverse_step_ * x.variable, p_); }

 protected:
  POLHODE_HD const Vec<T, N>& free() const { return free_; }
  /// G(r) W G(q)^T.
  POLHODE_HD LU<T, D> factorised(const Vec<T, N>& r) const { return LU<T, D>(model_.schur(r, q_)); }
  POLHODE_HD Unknown moved(const Unknown& x, const LU<T, D>& matrix) const {
    Vec<T, D> s = x.variable - matrix.solve(model_.constraints(x.q));
    return {model_.displace(q_, s, free_), s};
  }

 private:
  const Model& model_;
  Vec<T, N> q_, p_;
  T inverse_step_;
  Vec<T, N> free_;  ///< the position without constraints
};

/// Newton iteration with the matrix factorised once, at the first iterate (McLachlan & Scovel 1995, sect. 6.3).
struct NewtonSecantSolver {
  static constexpr const char* name = "newton-secant";
  static constexpr const char* meaning = "Newton's iteration for the multipliers with one factorisation";
  static constexpr bool settles_on_constraints = false;

  template <class System, class T>
  class Equation : public MultiplierEquation<System, T> {
    using Base = MultiplierEquation<System, T>;

   public:
    template <class... Arguments>
    POLHODE_HD explicit Equation(const Arguments&... arguments)
        : Base(arguments...), matrix_(this->factorised(this->free())) {}
    POLHODE_HD auto sweep(const typename Base::Unknown& x) const { return this->moved(x, matrix_); }

   private:
    LU<T, System::D> matrix_;
  };
};

/// Newton iteration with the matrix evaluated at each iterate: fewer sweeps, each with a factorisation.
struct NewtonSolver {
  static constexpr const char* name = "newton";
  static constexpr const char* meaning = "Newton's iteration for the multipliers";
  static constexpr bool settles_on_constraints = true;

  template <class System, class T>
  struct Equation : MultiplierEquation<System, T> {
    using Base = MultiplierEquation<System, T>;
    using Base::Base;
    POLHODE_HD auto sweep(const typename Base::Unknown& x) const { return this->moved(x, this->factorised(x.q)); }
  };
};

/// Form without multipliers (McLachlan & Scovel 1995, eq. (12)): the variable is pi = M (Q - q) / h itself, with
///
///     psi(q, M (Q - q)) = h psi(q, p),   g(Q) = 0
///
/// starting from pi = p. Changes of pi lie in the range of G(q)^T, which psi annihilates, so that every iterate
/// satisfies the first equation. One factorisation.
struct PsiFormSolver {
  static constexpr const char* name = "psi-form";
  static constexpr const char* meaning = "without multipliers: the momentum as unknown";
  static constexpr bool settles_on_constraints = false;

  template <class System, class T>
  class Equation {
   public:
    static constexpr int N = System::N, D = System::D;
    using Model = typename System::template Model<T>;
    using Unknown = ConstrainedPosition<T, N, N>;

    POLHODE_HD Equation(const Model& model, const Vec<T, N>& q, const Vec<T, N>& p, const TimeStep<T>& step)
        : model_(model), q_(q), step_(step), start_(at(p)), matrix_(model.schur(start_.q, q)) {}

    POLHODE_HD Unknown start() const { return start_; }
    POLHODE_HD Unknown sweep(const Unknown& x) const {
      Vec<T, D> s = matrix_.solve(model_.constraints(x.q));
      return at(model_.pull(q_, -step_.inverse * s, x.variable));
    }
    POLHODE_HD Vec<T, N> momentum(const Unknown& x) const { return x.variable; }

   private:
    POLHODE_HD Unknown at(const Vec<T, N>& pi) const { return {fma(step_.h, model_.velocity(pi), q_), pi}; }

    const Model& model_;
    Vec<T, N> q_;
    TimeStep<T> step_;
    Unknown start_;
    LU<T, D> matrix_;
  };
};

}  // namespace polhode::inline POLHODE_ISA
