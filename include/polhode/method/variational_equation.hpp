// The implicit equation of a step of a variational integrator: the segment (method/variational_segment.hpp) that begins
// at (q, p), so that with an orthonormal basis Z of the tangent space at q
//
//     Z^T (d-(w) - q) = 0,   Z^T (p-(w) - p) = 0
//
// Unknowns are changes a of the position and b of the momentum of w along Z, in which the matrix of these equations is
// close to
//
//     [ 1  h alpha- Z^T W Z ]
//     [ 0         1         ]
//
// the inverse of which Broyden's iteration corrects (Broyden 1965). It begins from the layer's own curve through (q,
// p).
#pragma once

#include "polhode/math/bounded_iteration.hpp"
#include "polhode/method/variational_segment.hpp"

namespace polhode::inline POLHODE_ISA {

/// A point w of TQ with its segment. It has converged when the segment begins where it should.
template <class T, int N, int n>
struct SegmentUnknown {
  Vec<T, N> q, u;
  SegmentEnds<T, N, n> ends;
  Vec<T, 2 * n> residual;
  T error;                       ///< squared residual, relative to positions and momenta
  Mat<T, 2 * n, 2 * n> inverse;  ///< of the equations' matrix, nearly

  friend POLHODE_HD T squared_change(const SegmentUnknown&, const SegmentUnknown& next) { return next.error; }
  friend POLHODE_HD Mask<T> has_settled(const SegmentUnknown&, const SegmentUnknown& next) {
    const Real<T> tolerance = sweep_tolerance<Real<T>>();
    return next.error < T(tolerance * tolerance);
  }
  friend POLHODE_HD Mask<T> diverges(const SegmentUnknown&, const SegmentUnknown& next, const T& before) {
    const Real<T> noise = Real<T>(1024) * sweep_tolerance<Real<T>>();
    return (!(next.error <= T(Real<T>(4)) * before)) & (!(next.error < T(noise * noise)));
  }
  friend POLHODE_HD SegmentUnknown select(const Mask<T>& m, const SegmentUnknown& a, SegmentUnknown b) {
    b.q = select(m, a.q, b.q);
    b.u = select(m, a.u, b.u);
    b.ends.minus = select(m, a.ends.minus, b.ends.minus);
    b.ends.plus = select(m, a.ends.plus, b.ends.plus);
    b.ends.momentum_minus = select(m, a.ends.momentum_minus, b.ends.momentum_minus);
    b.ends.momentum_plus = select(m, a.ends.momentum_plus, b.ends.momentum_plus);
    b.residual = select(m, a.residual, b.residual);
    b.error = select(m, a.error, b.error);
    for (int i = 0; i < 2 * n; ++i) b.inverse[i] = select(m, a.inverse[i], b.inverse[i]);
    return b;
  }
};
/// The inverse matrix is that of the values: with it tangents converge as these do.
template <class T, int N, int n>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const SegmentUnknown<T, N, n>& next, SegmentUnknown<T, N, n>& x) {
  copy_tangents<T>(wanted, next.q, x.q);
  copy_tangents<T>(wanted, next.u, x.u);
  copy_tangents<T>(wanted, next.ends.plus, x.ends.plus);
  copy_tangents<T>(wanted, next.ends.momentum_plus, x.ends.momentum_plus);
  copy_tangents<T>(wanted, next.residual, x.residual);
}

/// All that it is given must outlive it.
template <class System, class Table, class T>
class VariationalEquation {
 public:
  using Segment = VariationalSegment<System, Table, T>;
  static constexpr int N = Segment::N, n = Segment::n;
  using Position = Vec<T, N>;
  using Model = typename System::template Model<T>;
  using Layer = LayerOf<System, T>;
  using Unknown = SegmentUnknown<T, N, n>;

  POLHODE_HD VariationalEquation(const Model& model, const SegmentTimes<T>& times, bool is_centred_at_start,
                                 const Position& q, const Position& p)
      : model_(model),
        layer_(model),
        times_(times),
        is_centred_at_start_(is_centred_at_start),
        q_(q),
        p_(p),
        impulse_(squared_impulse()),
        basis_(null_space(model.jacobian(q))),
        segment_(model, times, is_centred_at_start, basis_) {}
  VariationalEquation(const VariationalEquation&) = delete;
  VariationalEquation& operator=(const VariationalEquation&) = delete;

  POLHODE_OUTLINED Unknown start() const {
    Unknown x;
    x.q = q_;
    x.u = layer_.from_momentum(q_, p_);
    if (!is_centred_at_start_) {
      typename Layer::Curve from;
      for (int i = 0; i < N; ++i) {
        from[i] = x.q[i];
        from[N + i] = x.u[i];
      }
      from[2 * N] = T(Real<T>(0));
      const auto centre = ExplicitStages<Table, T, Layer, typename Layer::Curve>(layer_, -times_.minus).end(from);
      for (int i = 0; i < N; ++i) {
        x.q[i] = centre[i];
        x.u[i] = centre[N + i];
      }
      to_tangent_bundle(x);
    }
    set_inverse(x);
    find_residual(x);
    return x;
  }

  POLHODE_OUTLINED Unknown sweep(const Unknown& x) const {
    Vec<T, 2 * n> change = -times(x.inverse, x.residual);
    Unknown next = x;
    Position momentum = T(Real<T>(0)) * x.u;
    for (int k = 0; k < n; ++k) {
      momentum = fma(change[n + k], basis_[k], momentum);
      if (!is_centred_at_start_) next.q = fma(change[k], basis_[k], next.q);
    }
    next.u = next.u + typename Layer::Tangents(model_, x.q, x.u).along_momentum(momentum);
    to_tangent_bundle(next);
    find_residual(next);
    const Mask<T> is_settled = has_settled(x, x);  // by the residual of x alone
    correct(change, next.residual - x.residual, !is_settled, next.inverse);
    return next;
  }

  /// Position at the end. What is left of the residual would move both ends by nearly the same.
  POLHODE_HD Position end_position(const Unknown& x) const {
    Position q = x.ends.plus;
    if (is_centred_at_start_) return q;
    for (int k = 0; k < n; ++k) q = fma(-x.residual[k], basis_[k], q);
    return q;
  }
  POLHODE_HD T action(const Unknown& x) const { return segment_.action(x.q, x.u); }
  /// Momentum at the end, up to constraint forces, likewise.
  POLHODE_HD Position end_momentum(const Unknown& x) const {
    Position p = T(Real<T>(0)) * p_;
    for (int k = 0; k < n; ++k) p = fma(x.ends.momentum_plus[k] - x.residual[n + k], basis_[k], p);
    return p;
  }

 private:
  POLHODE_HD void to_tangent_bundle(Unknown& x) const {
    if (!is_centred_at_start_) x.q = SegmentProjection<System, T>(model_)(x.q).q;
    x.u = layer_.tangential(x.q, x.u);
  }

  POLHODE_HD void set_inverse(Unknown& x) const {
    const typename Layer::Tangents tangents(model_, x.q, x.u);
    for (int i = 0; i < 2 * n; ++i)
      for (int j = 0; j < 2 * n; ++j) x.inverse[i][j] = T(Real<T>(i == j ? 1 : 0));
    if (is_centred_at_start_) return;
    for (int k = 0; k < n; ++k) {
      const Position velocity = layer_.velocity(tangents.along_momentum(basis_[k]));
      for (int j = 0; j < n; ++j) x.inverse[j][n + k] = -times_.minus * dot(basis_[j], velocity);
    }
  }

  /// Square of the momentum that the forces exchange in a step: positions round it even where the system is at rest.
  POLHODE_HD T squared_impulse() const {
    const T h = times_.plus - times_.minus, least(std::numeric_limits<Real<T>>::min());
    if constexpr (requires { model_.potential_gradient(q_); }) {
      const Position force = h * model_.potential_gradient(q_);
      return dot(force, force, least);
    } else {
      const Position force = h * model_.position_gradient(q_, p_);
      return dot(force, force, least);
    }
  }

  POLHODE_HD void find_residual(Unknown& x) const {
    x.ends = segment_(x.q, x.u);
    const T zero(Real<T>(0)), least(std::numeric_limits<Real<T>>::min());
    T off_position = zero, off_momentum = zero, size = impulse_;
    for (int k = 0; k < n; ++k) {
      const T wanted = dot(basis_[k], p_);
      x.residual[k] = is_centred_at_start_ ? zero : dot(basis_[k], x.ends.minus - q_);
      x.residual[n + k] = x.ends.momentum_minus[k] - wanted;
      off_position = fma(x.residual[k], x.residual[k], off_position);
      off_momentum = fma(x.residual[n + k], x.residual[n + k], off_momentum);
      size = fma(wanted, wanted, fma(x.ends.momentum_plus[k], x.ends.momentum_plus[k], size));
    }
    x.error = off_position / dot(q_, q_, least) + off_momentum / size;
  }

  /// Broyden's correction of the inverse, from a change of the unknowns and that of the residual; none for no change,
  /// nor outside the lanes `wanted`: the changes of one that has settled are round-off, and would spoil its inverse.
  POLHODE_HD static void correct(const Vec<T, 2 * n>& change, const Vec<T, 2 * n>& residual, const Mask<T>& wanted,
                                 Mat<T, 2 * n, 2 * n>& inverse) {
    const Vec<T, 2 * n> expected = times(inverse, residual);
    const T along = dot(change, expected), zero(Real<T>(0));
    const T factor = select(wanted & ((along < zero) | (along > zero)), T(Real<T>(1)) / along, zero);
    Vec<T, 2 * n> row = change[0] * inverse[0];
    for (int i = 1; i < 2 * n; ++i) row = fma(change[i], inverse[i], row);
    for (int i = 0; i < 2 * n; ++i) inverse[i] = fma(factor * (change[i] - expected[i]), row, inverse[i]);
  }

  POLHODE_HD static Vec<T, 2 * n> times(const Mat<T, 2 * n, 2 * n>& matrix, const Vec<T, 2 * n>& x) {
    Vec<T, 2 * n> product;
    for (int i = 0; i < 2 * n; ++i) product[i] = dot(matrix[i], x);
    return product;
  }

  const Model& model_;
  Layer layer_;
  const SegmentTimes<T>& times_;
  bool is_centred_at_start_;
  Position q_, p_;
  T impulse_;
  typename Segment::Basis basis_;
  Segment segment_;
};

}  // namespace polhode::inline POLHODE_ISA
