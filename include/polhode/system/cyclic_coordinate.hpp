// Mechanical systems with a cyclic coordinate theta over shape coordinates x, by the data of their metric (Jalnapurkar,
// Leok, Marsden & West 2006, sect. 2 and 6):
//
//   L = 1/2 x'.M_hor(x) x' + 1/2 I(x) (theta' + A(x).x')^2 - V(x)
//
// with the locked inertia I, the mechanical connection dtheta + A.dx and the horizontal metric M_hor. The momentum of
// theta, mu = I (theta' + A.x'), is conserved. With p = M_hor x' + mu A, the momenta of x,
//
//   H = 1/2 (p - mu A).M_hor^-1 (p - mu A) + V_mu(x),   V_mu = V + mu^2/(2 I)  (amended potential)
//
// One description serves two systems: CyclicSystem, on all coordinates (cyclic_system.hpp), and RouthReduced, on the
// shape alone (routh_reduced.hpp). A Physics has
//
//   N                              the number of shape coordinates
//   full, reduced                  name and meaning of the two systems, a CyclicSystemName each
//   shape[N], angle                x and theta, a Quantity each
//   momenta[N + 1]                 of x and theta
//   reduced_momenta[N]             s = M_hor x' = p - mu A
//   parameters[], example_parameters[], example_step   as in phase_space.hpp, without mu; example_momentum, a mu
//   example_motion(p)              a CyclicMotion<double, N> of the size that the parameters suggest. Host only
//   Equations<T>(p)                in a scalar type T, with
//     metric(x)                      CyclicMetric<T, N>
//     derived[]                      (optional) CyclicRows: further observables, functions of a CyclicMotion
//     is_inside(x)                   (optional) lanes in which x is inside the chart
//     is_near_edge(motion, h)        (optional) lanes in which a motion comes to the edge of the chart within
//                                    steps_to_edge steps of |h|, each short in space: one that fails leaves the chart
//     discrete_lagrangian(x0, x1, turn, h)   (optional) a symmetric one, of order 2, for a step h from x0 to x1 in
//                                    which theta advances by `turn` (method/discrete_lagrangian.hpp)
//     position_in_space(x, theta)    of InSpace
//   InSpace                        (optional) the same system in Cartesian coordinates, with the same parameters; then
//   locate(q, x)                     null, and x[N + 1], the shape and the angle of a position of it; or why it has
//                                    none. Host only
//   sources[], energy_unit, invalid_reason(p), edge, open   (optional) as in phase_space.hpp
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "polhode/math/lu.hpp"
#include "polhode/system/dual_equations.hpp"
#include "polhode/system/rows.hpp"

namespace polhode::inline POLHODE_ISA {

struct CyclicSystemName {
  const char* name;
  const char* meaning;
  std::span<const char* const> equations{};  ///< as in phase_space.hpp
};

template <class T, int N>
struct CyclicMetric {
  Mat<T, N, N> horizontal;  ///< M_hor
  Vec<T, N> connection;     ///< A
  T inertia;                ///< I
  T potential;              ///< V
};

/// The data of a metric in blocks: of the shape, mixed, of the angle.
template <class T, int N>
POLHODE_HD CyclicMetric<T, N> cyclic_metric(Mat<T, N, N> shape, const Vec<T, N>& mixed, const T& inertia,
                                            const T& potential) {
  const Vec<T, N> connection = (T(Real<T>(1)) / inertia) * mixed;
  unroll<N>([&](int i) POLHODE_LAMBDA { shape[i] = fma(-mixed[i], connection, shape[i]); });
  return {shape, connection, inertia, potential};
}

/// Positions and velocities.
template <class T, int N>
struct CyclicMotion {
  Vec<T, N> shape, velocity;
  T angle, angle_rate;
};

template <class Equations, class T, int N>
concept HasEdge = requires(const Equations& equations, const CyclicMotion<T, N>& motion, const T& time) {
  equations.is_near_edge(motion, time);
};
/// Steps from the edge of a chart within which its coordinates may change too fast for a step. Those of the double
/// pendulum at the energy -2.5 m g l failed up to 12 steps from it (400 orbits, gauss and lobatto, h = 0.02).
inline constexpr int steps_to_edge = 32;
/// Lanes in which a motion, at a speed in space, is as near an edge, with steps that are shorter than `size`.
template <class T>
POLHODE_HD Mask<T> is_near(const T& distance, const T& speed, const T& size, const T& h) {
  const T step = abs(h) * speed;
  return (step <= size) & (distance <= T(Real<T>(steps_to_edge)) * step);
}

/// A row of an observable.
template <class Equations, class T, int N>
using CyclicRow = ObservableRow<T (Equations::*)(const CyclicMotion<T, N>& motion) const>;

template <class Physics>
constexpr int cyclic_derived_count() {
  if constexpr (requires { Physics::template Equations<double>::derived; })
    return std::size(Physics::template Equations<double>::derived);
  else
    return 0;
}

/// Whether a function of a row is not null, told by types: with sanitizers GCC does not compare pointers to functions
/// at compile time.
template <auto function>
inline constexpr bool is_given = !std::is_same_v<std::integral_constant<decltype(function), function>,
                                                 std::integral_constant<decltype(function), nullptr>>;

template <class Rows, class Functions, class Row, int k>
constexpr Row cyclic_row() {
  Row row{Rows::derived[k].quantity, &Functions::template derived_value<k>};
  if constexpr (is_given<Rows::derived[k].magnitude>) row.magnitude = &Functions::template derived_magnitude<k>;
  return row;
}
/// The first n rows of a Physics, which may have none, as Rows of derived_value<k>() and derived_magnitude<k>().
template <class Rows, class Functions, class Row, int n>
constexpr std::array<Row, n> cyclic_rows() {
  return []<int... k>(std::integer_sequence<int, k...>) {
    return std::array<Row, n>{cyclic_row<Rows, Functions, Row, k>()...};
  }
  (std::make_integer_sequence<int, n>{});
}

/// The equations of motion in canonical coordinates. Physics: one whose Equations have metric(x) of n shape
/// coordinates.
template <class Physics, class T, int n>
class CyclicCalculus : public DualEquations<Physics, T> {
  using Base = DualEquations<Physics, T>;

 public:
  using Base::Base;
  using Shape = Vec<T, n>;

  /// x', p', theta'.
  struct ShapeRates {
    Shape velocity, force;
    T angle_rate;
  };
  /// Rates at (x, p), where p = M_hor x' + mu A.
  POLHODE_OUTLINED ShapeRates shape_rates(const Shape& x, const Shape& p, const T& mu) const {
    return shape_rates(metric_along(x), p, mu);
  }

  /// Positions and velocities at (x, p).
  POLHODE_HD CyclicMotion<T, n> motion(const Shape& x, const Shape& p, const T& angle, const T& mu) const {
    const CyclicMetric<T, n> at = this->metric(x);
    Shape v = LU<T, n>(at.horizontal).solve(fma(-mu, at.connection, p));
    return {x, v, angle, mu / at.inertia - dot(at.connection, v)};
  }

  /// M_hor x'.
  POLHODE_HD Shape horizontal_momentum(const Shape& x, const Shape& v) const {
    const CyclicMetric<T, n> at = this->metric(x);
    Shape s;
    unroll<n>([&](int i) POLHODE_LAMBDA { s[i] = dot(at.horizontal[i], v); });
    return s;
  }

  /// The energy, and the sum of the magnitudes of its terms.
  struct Energy {
    T value, size;
  };
  POLHODE_HD Energy energy_at(const Shape& x, const Shape& p, const T& mu) const {
    const CyclicMetric<T, n> at = this->metric(x);
    Shape s = fma(-mu, at.connection, p);
    const T half(Real<T>(0.5));
    const T kinetic = half * (dot(s, LU<T, n>(at.horizontal).solve(s)) + mu * mu / at.inertia);
    return {kinetic + at.potential, abs(kinetic) + abs(at.potential)};
  }

 protected:
  using Variable = Dual<T, n>;
  /// Rates from the metric with its derivatives.
  POLHODE_HD static ShapeRates shape_rates(const CyclicMetric<Variable, n>& at, const Shape& p, const T& mu) {
    Shape connection = values(at.connection);
    Shape v = LU<T, n>(values(at.horizontal)).solve(fma(-mu, connection, p));
    const T half(Real<T>(0.5)), locked = mu / at.inertia.value, square = half * locked * locked;
    ShapeRates rates{v, {}, locked - dot(connection, v)};
    unroll<n>([&](int k) POLHODE_LAMBDA {
      T kinetic(Real<T>(0)), magnetic(Real<T>(0));
      unroll<n>([&](int i) POLHODE_LAMBDA {
        T row = at.horizontal[i][0].tangent[k] * v[0];
        unroll<n>([&](int j) POLHODE_LAMBDA {
          if (j > 0) row = fma(at.horizontal[i][j].tangent[k], v[j], row);
        });
        kinetic = fma(v[i], row, kinetic);
        magnetic = fma(at.connection[i].tangent[k], v[i], magnetic);
      });
      const T amended = fma(-square, at.inertia.tangent[k], at.potential.tangent[k]);
      rates.force[k] = fma(half, kinetic, fma(mu, magnetic, -amended));
    });
    return rates;
  }
  /// The metric with its derivatives by x.
  POLHODE_HD CyclicMetric<Variable, n> metric_along(const Shape& x) const {
    Vec<Variable, n> variables;
    unroll<n>([&](int i) POLHODE_LAMBDA { variables[i] = Variable::variable(x[i], i); });
    return this->template equations<Variable>().metric(variables);
  }
  POLHODE_HD static Shape values(const Vec<Variable, n>& a) {
    Shape result;
    unroll<n>([&](int i) POLHODE_LAMBDA { result[i] = a[i].value; });
    return result;
  }
  POLHODE_HD static Mat<T, n, n> values(const Mat<Variable, n, n>& a) {
    Mat<T, n, n> result;
    unroll<n>([&](int i) POLHODE_LAMBDA { result[i] = values(a[i]); });
    return result;
  }
};

}  // namespace polhode::inline POLHODE_ISA
