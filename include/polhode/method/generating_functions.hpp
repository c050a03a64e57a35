// Symplectic maps of canonical mechanical systems, H = p.Wp/2 + V(q), that generating functions make: power series in
// the step h, cut off, of the solution of the Hamilton-Jacobi equation (Pierce 1994, sect. 2, 5). With v = Wp, from (q,
// p) to (Q, P):
//
//   second kind   Q = q + F_p(p, Q),  P = p - F_Q(p, Q),  that is U = -Q.p + F,
//                 F = h (p.v/2 + V) - h^2/2 v.V' + h^3/6 (V'.WV' + v.V''v) - h^4 (5/24 v.V''WV' + V'''[v,v,v]/24)
//   first kind    p = -S_q,  P = S_Q,  S = D.MD/(2h) + h S1 + h^3 S3,  D = Q - q,  M = W^-1,
//                 S1 = -int V,  S3 = -1/2 int int min(s,t) (1 - max(s,t)) V'(s).WV'(t),  over s, t from 0 to 1
//   Poincare's    Q = q + F_p,  P = p - F_q  at the midpoint of (q, p) and (Q, P),
//                 F = h H + h^3/24 (v.V''v + V'.WV')
//
// with derivatives of V at Q, on the line q + s D, and at the midpoint. The terms up to h^k give order k: 1 to 4 of the
// second kind, 2 and 4 of the others, which are symmetric. Poincare's of order 2 is the implicit midpoint rule. The
// paper has the sign of U_1 wrong in its eq. (9): the map of order 1 is the drift, then the kick.
//
// The integrals of the first kind are those of the polynomials through the values at three nodes of Gauss. They are
// exact for potentials of degree up to 3; for others they are part of the method, of the same order and symmetric.
//
// A generating function that is invariant under a symmetry conserves its momentum (Theorem 1, Proposition 1): rotations
// leave all three invariant where they leave V and W so. The first kind cannot generate the identity: at h = 0 it
// fails.
#pragma once

#include "polhode/method/potential_derivatives.hpp"

namespace polhode::inline POLHODE_ISA {

/// F_p and F_q, or the like, of a step: dq is added to q, dp taken from p.
template <class T, int N>
struct Increment {
  Vec<T, N> dq, dp;
};

/// The generating functions of one step h. The model must outlive it.
template <class System, class T>
class GeneratingFunctions {
  static constexpr int N = System::N;
  using Position = Vec<T, N>;
  using Model = typename System::template Model<T>;

 public:
  POLHODE_HD GeneratingFunctions(const Model& model, int order, const T& h)
      : model_(model), potential_(model), order_(order), h_(h), h2_(h * h), h3_(h * h2_), h4_(h2_ * h2_) {}

  /// (F_p, F_Q) of the second kind.
  POLHODE_HD Increment<T, N> second(const Position& p, const Position& q) const {
    Increment<T, N> f{second_dq(p, q), {}};
    const Position v = model_.velocity(p), gradient = potential_.gradient(q), w = model_.velocity(gradient);
    f.dp = h_ * gradient;
    if (order_ >= 2) f.dp = fma(-half() * h2_, potential_.second(q, v), f.dp);
    if (order_ >= 3) f.dp = fma(sixth() * h3_, fma(two(), potential_.second(q, w), potential_.third(q, v, v)), f.dp);
    if (order_ >= 4) {
      const Position curved = model_.velocity(potential_.second(q, v));
      f.dp = fma(-number(5) / number(24) * h4_, potential_.third(q, v, w) + potential_.second(q, curved), f.dp);
      f.dp = fma(-(h4_ / number(24)), potential_.fourth(q, v, v, v), f.dp);
    }
    return f;
  }
  /// F_p of the second kind, for which Q is solved.
  POLHODE_HD Position second_dq(const Position& p, const Position& q) const {
    const Position v = model_.velocity(p);
    Position dq = h_ * v;
    if (order_ >= 2) {
      const Position w = model_.velocity(potential_.gradient(q));
      dq = fma(-half() * h2_, w, dq);
      if (order_ >= 3) dq = fma(h3_ / number(3), model_.velocity(potential_.second(q, v)), dq);
      if (order_ >= 4) {
        const Position term = fma(number(5), potential_.second(q, w), number(3) * potential_.third(q, v, v));
        dq = fma(-(h4_ / number(24)), model_.velocity(term), dq);
      }
    }
    return dq;
  }

  /// F of the second kind.
  POLHODE_HD T second_value(const Position& p, const Position& q) const {
    const Position v = model_.velocity(p), gradient = potential_.gradient(q);
    T f = h_ * fma(half(), dot(p, v), model_.potential(q));
    if (order_ >= 2) f = fma(-half() * h2_, dot(v, gradient), f);
    if (order_ >= 3) {
      const Position curved = potential_.second(q, v), w = model_.velocity(gradient);
      f = fma(sixth() * h3_, dot(gradient, w, dot(v, curved)), f);
      if (order_ >= 4)
        f = fma(-(h4_ / number(24)), fma(number(5), dot(curved, w), dot(v, potential_.third(q, v, v))), f);
    }
    return f;
  }
  /// S of the first kind.
  POLHODE_HD T first_value(const Position& start, const Position& end) const {
    const Position line = end - start;
    T s = half() * dot(line, model_.momentum_of(start, line)) / h_;
    Position gradients[nodes];
    unroll<nodes>([&](int i) POLHODE_LAMBDA {
      const Position q = fma(node(i), line, start);
      gradients[i] = potential_.gradient(q);
      s = fma(-(h_ * number(i == 1 ? 4.0 / 9 : 5.0 / 18)), model_.potential(q), s);
    });
    if (order_ < 4) return s;
    unroll<nodes>([&](int i) POLHODE_LAMBDA {
      const Position w = model_.velocity(gradients[i]);
      unroll<nodes>([&](int j) POLHODE_LAMBDA { s = fma(-half() * h3_ * weight(i, j), dot(w, gradients[j]), s); });
    });
    return s;
  }
  /// F of Poincare's.
  POLHODE_HD T poincare_value(const Position& q, const Position& p) const {
    const Position v = model_.velocity(p);
    T f = h_ * fma(half(), dot(p, v), model_.potential(q));
    if (order_ < 4) return f;
    const Position gradient = potential_.gradient(q);
    return fma(h3_ / number(24), dot(gradient, model_.velocity(gradient), dot(v, potential_.second(q, v))), f);
  }

  /// h S1 + h^3 S3 of the first kind, differentiated: by q, and by q and Q.
  struct Action {
    Position by_start, by_both;
  };
  POLHODE_HD Action first(const Position& start, const Position& end) const {
    const Position line = end - start, zero = T(Real<T>(0)) * start;
    Position gradients[nodes];
    Action s{zero, zero};
    const auto add = [&](int i, const T& weight, const Position& term) POLHODE_LAMBDA {
      s.by_start = fma(weight * (number(1) - node(i)), term, s.by_start);
      s.by_both = fma(weight, term, s.by_both);
    };
    unroll<nodes>([&](int i) POLHODE_LAMBDA {
      gradients[i] = potential_.gradient(fma(node(i), line, start));
      add(i, -(h_ * number(i == 1 ? 4.0 / 9 : 5.0 / 18)), gradients[i]);
    });
    if (order_ < 4) return s;
    unroll<nodes>([&](int i) POLHODE_LAMBDA {
      Position sum = zero;
      unroll<nodes>([&](int j) POLHODE_LAMBDA { sum = fma(weight(i, j), gradients[j], sum); });
      add(i, -h3_, potential_.second(fma(node(i), line, start), model_.velocity(sum)));
    });
    return s;
  }

  /// (F_p, F_q) of Poincare's at the midpoint.
  POLHODE_HD Increment<T, N> poincare(const Position& q, const Position& p) const {
    const Position v = model_.velocity(p), gradient = potential_.gradient(q);
    Increment<T, N> f{h_ * v, h_ * gradient};
    if (order_ < 4) return f;
    const Position w = model_.velocity(gradient);
    f.dq = fma(h3_ / number(12), model_.velocity(potential_.second(q, v)), f.dq);
    f.dp = fma(h3_ / number(24), fma(two(), potential_.second(q, w), potential_.third(q, v, v)), f.dp);
    return f;
  }

 private:
  POLHODE_HD static T number(double x) { return T(static_cast<Real<T>>(x)); }
  POLHODE_HD static T half() { return number(0.5); }
  POLHODE_HD static T two() { return number(2); }
  POLHODE_HD static T sixth() { return number(1) / number(6); }

  // Gauss's nodes on (0, 1), not as an array, which a device would keep in local memory.
  static constexpr int nodes = 3;
  POLHODE_HD static T node(int i) {
    constexpr double from_middle = 0.3872983346207417;
    return number(i == 0 ? 0.5 - from_middle : i == 1 ? 0.5 : 0.5 + from_middle);
  }
  /// Weight of the values at two nodes in the double integral of S3.
  POLHODE_HD static T weight(int i, int j) {
    if (i == 1 && j == 1) return number(22.0 / 567);
    if (i == 1 || j == 1) return number(19.0 / 2268);
    return number(i == j ? 23.0 / 4536 : 1.0 / 2268);
  }

  const Model& model_;
  PotentialDerivatives<Model, T, N> potential_;
  int order_;
  T h_, h2_, h3_, h4_;
};

}  // namespace polhode::inline POLHODE_ISA
