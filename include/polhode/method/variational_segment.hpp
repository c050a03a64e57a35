// Curve segments of a variational integrator (Patrick, Cuell, Spiteri & Zhang 2009, sect. 2, 3). That of w = (q, v) in
// TQ is the layer's (system/layer.hpp) from a time h alpha- to h alpha+ = h (alpha- + 1), by a one-step method R; with
// P the projection to the constraints (method/segment_projection.hpp) its ends and its action are
//
//     d-(w) = P R^q_(h alpha-)(w),   d+(w) = P R^q_(h alpha+)(w),   L_h(w) = R^S_(h alpha+)(w) - R^S_(h alpha-)(w)
//
// and the momenta at its ends, up to constraint forces, solve
//
//     p+ . Dd+(w) dw - p- . Dd-(w) dw = DL_h(w) dw   for all dw in T_w TQ                                          (*)
//
// The map from (d-, p-) to (d+, p+) is the integrator: symplectic, of the order of R.
#pragma once

#include "polhode/math/null_space.hpp"
#include "polhode/method/explicit_stages.hpp"
#include "polhode/method/segment_projection.hpp"
#include "polhode/system/layer.hpp"

namespace polhode::inline POLHODE_ISA {

/// Where a segment begins and ends: a fraction alpha- of the step h, and one step later.
template <class T>
struct SegmentTimes {
  T minus, plus, inverse_step;

  SegmentTimes() = default;
  POLHODE_HD SegmentTimes(const T& h, Real<T> bias)
      : minus(T(bias) * h), plus(T(Real<T>(1) + bias) * h), inverse_step(T(Real<T>(1)) / h) {}
  template <class R>
  POLHODE_HD explicit SegmentTimes(const SegmentTimes<R>& of)
      : minus(T(of.minus)), plus(T(of.plus)), inverse_step(T(of.inverse_step)) {}
};

/// Ends of a segment, with momenta as coefficients of a basis.
template <class T, int N, int n>
struct SegmentEnds {
  Vec<T, N> minus, plus;
  Vec<T, n> momentum_minus, momentum_plus;
};

/// Segments of the layer by an explicit Runge-Kutta method, with momenta in an orthonormal basis of n = N - D vectors
/// that are nearly tangential. All that it is given must outlive it.
template <class System, class Table, class T>
class VariationalSegment {
 public:
  static constexpr int N = System::N, n = N - System::D;
  using Position = Vec<T, N>;
  using Model = typename System::template Model<T>;
  using Layer = LayerOf<System, T>;
  using Basis = Mat<T, n, N>;
  using Ends = SegmentEnds<T, N, n>;

  /// is_centred_at_start: alpha- = 0, so that the segment begins at w.
  POLHODE_HD VariationalSegment(const Model& model, const SegmentTimes<T>& times, bool is_centred_at_start,
                                const Basis& basis)
      : model_(model), project_(model), times_(times), is_centred_at_start_(is_centred_at_start), basis_(basis) {}

  /// Segment of (q, u), u being the layer's momentum or velocity.
  POLHODE_OUTLINED Ends operator()(const Position& q, const Position& u) const {
    const typename Layer::Tangents tangents(model_, q, u);
    Directions dq, du;
    for (int k = 0; k < n; ++k) {
      dq[k] = is_centred_at_start_ ? basis_[k] : tangential_part(model_, q, basis_[k]);
      du[k] = tangents.along_position(dq[k]);
      dq[n + k] = T(Real<T>(0)) * q;
      du[n + k] = tangents.along_momentum(basis_[k]);
    }
    return derived(q, u, dq, du);
  }

  /// L_h of the segment of (q, u).
  POLHODE_HD T action(const Position& q, const Position& u) const {
    using Curve = typename Layer::Curve;
    const Layer layer(model_);
    Curve from;
    for (int i = 0; i < N; ++i) {
      from[i] = q[i];
      from[N + i] = u[i];
    }
    from[2 * N] = T(Real<T>(0));
    const auto action_over = [&](const T& time) POLHODE_LAMBDA {
      return ExplicitStages<Table, T, Layer, Curve>(layer, time).end(from)[2 * N];
    };
    return is_centred_at_start_ ? action_over(times_.plus) : action_over(times_.plus) - action_over(times_.minus);
  }

 private:
  static constexpr int n_directions = 2 * n;
  /// Directions of one pass of dual numbers: at most six, as evenly as they divide.
  static constexpr int passes = (n_directions + 5) / 6, width = (n_directions + passes - 1) / passes;
  using Directions = Mat<T, n_directions, N>;
  using Along = Dual<T, width>;
  using AlongLayer = LayerOf<System, Along>;
  using AlongCurve = typename AlongLayer::Curve;

  POLHODE_HD Ends derived(const Position& q, const Position& u, const Directions& dq, const Directions& du) const {
    const auto model = model_.template in_scalar<Along>();
    const AlongLayer layer(model);
    Position minus = q, plus;
    Directions d_minus = dq, d_plus;
    Vec<T, n_directions> d_action;
    for (int pass = 0; pass < passes; ++pass) {
      const int first = pass * width, count = first + width <= n_directions ? width : n_directions - first;
      AlongCurve from;
      for (int i = 0; i < N; ++i) {
        from[i] = Along(q[i]);
        from[N + i] = Along(u[i]);
        for (int k = 0; k < count; ++k) {
          from[i].tangent[k] = dq[first + k][i];
          from[N + i].tangent[k] = du[first + k][i];
        }
      }
      from[2 * N] = Along(T(Real<T>(0)));
      const AlongCurve ahead = moved(layer, times_.plus, from);
      for (int k = 0; k < count; ++k) d_action[first + k] = ahead[2 * N].tangent[k];
      take(ahead, first, count, plus, d_plus);
      if (is_centred_at_start_) continue;
      const AlongCurve back = moved(layer, times_.minus, from);
      for (int k = 0; k < count; ++k) d_action[first + k] = d_action[first + k] - back[2 * N].tangent[k];
      take(back, first, count, minus, d_minus);
    }
    project(plus, d_plus);
    if (!is_centred_at_start_) project(minus, d_minus);
    return with_momenta(minus, plus, d_minus, d_plus, d_action);
  }

  POLHODE_OUTLINED static AlongCurve moved(const AlongLayer& layer, const T& time, const AlongCurve& from) {
    return ExplicitStages<Table, Along, AlongLayer, AlongCurve>(layer, Along(time)).end(from);
  }
  /// Position and its derivatives from a curve's end.
  POLHODE_HD static void take(const AlongCurve& end, int first, int count, Position& q, Directions& directions) {
    for (int i = 0; i < N; ++i) {
      q[i] = end[i].value;
      for (int k = 0; k < count; ++k) directions[first + k][i] = end[i].tangent[k];
    }
  }
  POLHODE_HD void project(Position& q, Directions& directions) const {
    const auto at = project_(q);
    project_.derive(at, directions, n_directions);
    q = at.q;
  }

  /// Solves (*) for p+ and p+ - p-: along changes of the momentum d+ - d- is about h W, along those of the position d-
  /// is about 1, so that the matrix has no vanishing minors.
  POLHODE_HD Ends with_momenta(const Position& minus, const Position& plus, const Directions& d_minus,
                               const Directions& d_plus, const Vec<T, n_directions>& d_action) const {
    Mat<T, n_directions, n_directions> matrix;
    Vec<T, n_directions> right;
    for (int row = 0; row < n_directions; ++row) {
      const int k = row < n ? n + row : row - n;
      const T scale = row < n ? times_.inverse_step : T(Real<T>(1));
      right[row] = scale * d_action[k];
      for (int j = 0; j < n; ++j) {
        matrix[row][j] = scale * dot(basis_[j], d_plus[k] - d_minus[k]);
        matrix[row][n + j] = scale * dot(basis_[j], d_minus[k]);
      }
    }
    const Vec<T, n_directions> momenta = LU<T, n_directions>(matrix).solve(right);
    Ends ends;
    ends.minus = minus;
    ends.plus = plus;
    for (int j = 0; j < n; ++j) {
      ends.momentum_plus[j] = momenta[j];
      ends.momentum_minus[j] = momenta[j] - momenta[n + j];
    }
    return ends;
  }

  const Model& model_;
  SegmentProjection<System, T> project_;
  const SegmentTimes<T>& times_;
  bool is_centred_at_start_;
  const Basis& basis_;
};

}  // namespace polhode::inline POLHODE_ISA
