// Symplectic maps of canonical mechanical systems, H = p.Wp/2 + V(q), that generating functions make: power series in
// the step h, cut off, of the solution of the Hamilton-Jacobi equation (Pierce 1994, sect. 2, 5). With v = Wp:
//
//   second kind   q = U_p,  P = U_Q  up to sign:  Q = q + F_p(p, Q),  P = p - F_Q(p, Q),
//                 F = h (p.v/2 + V) - h^2/2 v.V' + h^3/6 (V'.WV' + v.V''v) - h^4 (5/24 v.V''WV' + V'''[v,v,v]/24)
//   first kind    p = -S_q,  P = S_Q,  S = D.MD/(2h) + h S1 + h^3 S3,  D = Q - q,  M = W^-1,
//                 S1(q, Q) = -int_0^1 V(q + sD) ds,   S3 = -1/2 int_0^1 s^2 f(s).Wf(s) ds,  f(s) = d_2 S1(q, q + sD)
//   Poincare's    Q = q + F_p,  P = p - F_q  at the midpoint of (q, p) and (Q, P),
//                 F = h H + h^3/24 (v.V''v + V'.WV')
//
// with derivatives of V at Q, on the line from q to Q, and at the midpoint. The terms up to h^k give order k: 1 to 4 of
// the second kind, 2 and 4 of the others, which are symmetric. Poincare's of order 2 is the implicit midpoint rule.
// The paper has the sign of U_1 wrong in its eq. (9): the map of order 1 is the drift, then the kick.
//
// The integrals of the first kind are sums over the nodes of Gauss, three for S1 and four for S3, which are exact for
// potentials of degree up to 3, and otherwise part of the method: order and symmetries are the same.
//
// A generating function that is invariant under a symmetry conserves its momentum (Theorem 1, Proposition 1): rotations
// leave all three invariant. One of the first kind has no map near the identity: at h = 0 it fails.
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

  /// h S1 + h^3 S3 of the first kind, differentiated: by q, and by q and Q.
  struct Action {
    Position by_start, by_both;
  };
  POLHODE_HD Action first(const Position& start, const Position& end) const {
    const Position line = end - start;
    Action s{T(Real<T>(0)) * start, T(Real<T>(0)) * start};
    for (int j = 0; j < inner_nodes; ++j) {
      const T c = inner_node(j), weight = -(h_ * inner_weight(j));
      const Position gradient = potential_.gradient(fma(c, line, start));
      s.by_start = fma(weight * (number(1) - c), gradient, s.by_start);
      s.by_both = fma(weight, gradient, s.by_both);
    }
    if (order_ < 4) return s;
    for (int i = 0; i < outer_nodes; ++i) {
      const T c = outer_node(i);
      Position f = T(Real<T>(0)) * start;  // f(c)
      for (int j = 0; j < inner_nodes; ++j) {
        const T s_ij = c * inner_node(j);
        f = fma(-(inner_weight(j) * inner_node(j)), potential_.gradient(fma(s_ij, line, start)), f);
      }
      const Position direction = model_.velocity(f);
      for (int j = 0; j < inner_nodes; ++j) {
        const T s_ij = c * inner_node(j);
        const T weight = h3_ * outer_weight(i) * (c * c) * (inner_weight(j) * inner_node(j));
        const Position term = potential_.second(fma(s_ij, line, start), direction);
        s.by_start = fma(weight * (number(1) - s_ij), term, s.by_start);
        s.by_both = fma(weight, term, s.by_both);
      }
    }
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

  // Gauss's nodes on (0, 1) and their weights, not as arrays, which a device would keep in local memory.
  static constexpr int inner_nodes = 3, outer_nodes = 4;
  POLHODE_HD static T inner_node(int j) {
    constexpr double from_middle = 0.3872983346207417;
    return number(j == 0 ? 0.5 - from_middle : j == 1 ? 0.5 : 0.5 + from_middle);
  }
  POLHODE_HD static T inner_weight(int j) { return number(j == 1 ? 4.0 / 9 : 5.0 / 18); }
  POLHODE_HD static T outer_node(int i) {
    const double from_middle = i == 0 || i == 3 ? 0.4305681557970263 : 0.16999052179242813;
    return number(i < 2 ? 0.5 - from_middle : 0.5 + from_middle);
  }
  POLHODE_HD static T outer_weight(int i) {
    return number(i == 0 || i == 3 ? 0.17392742256872693 : 0.32607257743127307);
  }

  const Model& model_;
  PotentialDerivatives<Model, T, N> potential_;
  int order_;
  T h_, h2_, h3_, h4_;
};

}  // namespace polhode::inline POLHODE_ISA
