// The power series of the generating function S(xi, t) of a Hamiltonian flow on so(3)*, from values of H alone.
//
// xi is the rotation vector of g^-1 g0 for a motion from g0 to g on the group. The momentum in the body at the start is
//
//   B(xi) Pi = -dS,   B(xi) = sum over k of hat(xi)^k / (k + 1)!
//
// B being the derivative of exp, and S solves the Hamilton-Jacobi equation S_t + H(Pi) = 0 (Ge & Marsden, Phys. Lett. A
// 133 (1988) 134; Pierce 1994, prop. 2, with S = U_L). With Pi = sum over j of t^j Pi_j the coefficients are
//
//   S_0 = kappa |xi|^2 / 2,   B(xi) Pi_j = -dS_j,   k S_k = -[t^(k - 1)] H(Pi)
//
// (Channell & Scovel, Physica D 50 (1991) 80). All derivatives are those of dual numbers, which are nested for S_k.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode {

/// B(xi), for |xi| up to a full turn.
template <class S>
class DerivativeOfExp {
 public:
  /// Sums the power series of odd_ and even_, the functions of |xi|^2 that multiply hat(xi) and hat(xi)^2.
  explicit DerivativeOfExp(const Vec<S, 3>& xi) : xi_(xi), odd_(0.5), even_(1.0 / 6) {
    const S minus_square = -dot(xi, xi);
    S odd(1.0), even(1.0);
    for (int k = 2 * 20; k > 0; k -= 2) {
      odd = S(1.0) + minus_square * odd * S(1.0 / ((k + 1) * (k + 2)));
      even = S(1.0) + minus_square * even * S(1.0 / ((k + 2) * (k + 3)));
    }
    odd_ = odd_ * odd;
    even_ = even_ * even;
  }

  /// B v.
  Vec<S, 3> operator()(const Vec<S, 3>& v) const {
    const Vec<S, 3> across = cross(xi_, v);
    return v + odd_ * across + even_ * cross(xi_, across);
  }
  /// The v with B v = right, by Cramer's rule.
  Vec<S, 3> solve(const Vec<S, 3>& right) const {
    const S zero(0.0), one(1.0);
    const Vec<S, 3> a = (*this)({one, zero, zero}), b = (*this)({zero, one, zero}), c = (*this)({zero, zero, one});
    const S inverse = one / dot(a, cross(b, c));
    return {inverse * dot(right, cross(b, c)), inverse * dot(right, cross(c, a)), inverse * dot(right, cross(a, b))};
  }

 private:
  Vec<S, 3> xi_;
  S odd_, even_;
};

/// Coefficients S_k (head comment) for a Hamiltonian: a function of Pi, which is a Vec<S, 3> of any scalar type S.
template <class Hamiltonian>
class LiePoissonAction {
 public:
  LiePoissonAction(const Hamiltonian& hamiltonian, double kappa) : hamiltonian_(hamiltonian), kappa_(kappa) {}

  /// S_k.
  template <int k, class S>
  S term(const Vec<S, 3>& xi) const {
    if constexpr (k == 0)
      return S(kappa_ / 2) * dot(xi, xi);
    else
      return S(-1.0 / k) * power<k - 1>(xi);
  }

  /// Derivative of S_k by xi.
  template <int k, class S>
  Vec<S, 3> gradient(const Vec<S, 3>& xi) const {
    using Along = Dual<S, 3>;
    const Along value =
        term<k>(Vec<Along, 3>{Along::variable(xi[0], 0), Along::variable(xi[1], 1), Along::variable(xi[2], 2)});
    return {value.tangent[0], value.tangent[1], value.tangent[2]};
  }

 private:
  /// Coefficient [t^k] H(Pi) of t^k in H(Pi), k = 0 to 2.
  template <int k, class S>
  S power(const Vec<S, 3>& xi) const {
    if constexpr (k == 0) {
      return hamiltonian_(momentum<0>(xi));
    } else if constexpr (k == 1) {
      using Along = Dual<S, 1>;
      const Along t = Along::variable(S(0.0), 0);
      return hamiltonian_(in_scalar<Along>(momentum<0>(xi)) + t * in_scalar<Along>(momentum<1>(xi))).tangent[0];
    } else {
      // With t = e1 + e2, whose squares are 0, t^2 is 2 e1 e2.
      using Inner = Dual<S, 1>;
      using Along = Dual<Inner, 1>;
      const Along t = Along::variable(Inner::variable(S(0.0), 0), 0);
      const Vec<Along, 3> pi = in_scalar<Along>(in_scalar<Inner>(momentum<0>(xi))) +
                               t * in_scalar<Along>(in_scalar<Inner>(momentum<1>(xi))) +
                               t * t * in_scalar<Along>(in_scalar<Inner>(momentum<2>(xi)));
      return S(0.5) * hamiltonian_(pi).tangent[0].tangent[0];
    }
  }
  /// Pi_j.
  template <int j, class S>
  Vec<S, 3> momentum(const Vec<S, 3>& xi) const {
    return DerivativeOfExp<S>(xi).solve(-gradient<j>(xi));
  }
  template <class To, class S>
  static Vec<To, 3> in_scalar(const Vec<S, 3>& v) {
    return {To(v[0]), To(v[1]), To(v[2])};
  }

  Hamiltonian hamiltonian_;
  double kappa_;
};

}  // namespace polhode
