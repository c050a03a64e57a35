// Routh reduction of a system with a cyclic coordinate (cyclic_coordinate.hpp): its motion of momentum mu, a parameter,
// on the shape coordinates alone,
//
//   x' = M_hor^-1 s,   s' = d/dx (1/2 x'.M_hor x' - V_mu) - i_x' beta,   theta' = mu/I - A.x'  (reconstruction)
//
// with the reduced momentum s = M_hor x' and the magnetic form beta = mu dA (Jalnapurkar, Leok, Marsden & West 2006,
// sect. 2 and 3). The flow of (x, s) preserves dx ^ ds - beta and the energy h_mu = 1/2 s.M_hor^-1 s + V_mu. A state is
// x, s and the angle theta, which nothing depends on. Methods act on (x, p), p = s + mu A(x), in which the form is
// canonical, and theta is a quadrature. RouthReduced<Physics> is the system.
#pragma once

#include "polhode/system/cyclic_coordinate.hpp"

namespace polhode::inline POLHODE_ISA {

/// Parameters of a Physics, then mu.
template <class Physics>
inline constexpr auto routh_parameters = [] {
  std::array<Parameter, std::size(Physics::parameters) + 1> all{};
  for (std::size_t i = 0; i < std::size(Physics::parameters); ++i) all[i] = Physics::parameters[i];
  all.back() = {"mu",          Physics::momenta[Physics::N].unit,   1, nullptr,
                Bound::finite, Physics::momenta[Physics::N].meaning};
  return all;
}();

template <class Physics, class T>
class RouthFunctions : public CyclicCalculus<Physics, T, Physics::N> {
  using Base = CyclicCalculus<Physics, T, Physics::N>;
  using Rows = typename Physics::template Equations<T>;

 public:
  static constexpr int N = Physics::N;
  using typename Base::Shape;
  using State = Vec<T, 2 * N + 1>;

  POLHODE_HD explicit RouthFunctions(const double* p)
      : Base(p), mu_(static_cast<Real<T>>(p[std::size(Physics::example_parameters)])) {}

  POLHODE_HD const T& mu() const { return mu_; }
  /// The equations of the Physics in another scalar type.
  using Base::equations;

  POLHODE_HD Shape canonical_momentum(const Shape& x, const Shape& s) const {
    return fma(mu_, this->metric(x).connection, s);
  }
  POLHODE_HD Shape reduced_momentum(const Shape& x, const Shape& p) const {
    return fma(-mu_, this->metric(x).connection, p);
  }
  /// x', p' and theta' at (x, p).
  POLHODE_HD auto rates(const Shape& x, const Shape& p) const { return this->shape_rates(x, p, mu_); }
  /// x' of a reduced momentum, and back.
  POLHODE_HD Shape velocity(const Shape& x, const Shape& s) const {
    return LU<T, N>(this->metric(x).horizontal).solve(s);
  }
  POLHODE_HD Shape momentum_of(const Shape& x, const Shape& v) const { return this->horizontal_momentum(x, v); }

  /// The equations of motion in the columns of a state.
  POLHODE_HD State flow(const Shape& x, const Shape& s) const {
    const auto at = this->metric_along(x);
    const auto rates = this->shape_rates(at, fma(mu_, this->values(at.connection), s), mu_);
    State flow;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      T carried(Real<T>(0));  // A' along x'
      unroll<N>([&](int k) POLHODE_LAMBDA { carried = fma(at.connection[i].tangent[k], rates.velocity[k], carried); });
      flow[i] = rates.velocity[i];
      flow[N + i] = fma(-mu_, carried, rates.force[i]);
    });
    flow[2 * N] = rates.angle_rate;
    return flow;
  }

  /// Lanes in which a step h from x that fails leaves the chart.
  POLHODE_OUTLINED Mask<T> is_at_edge(const State& x, const T& h) const requires HasEdge<Rows, T, N> {
    return this->is_near_edge(motion_at(x), h);
  }

  template <int row>
  POLHODE_HD T derived_value(const State& x) const {
    constexpr auto value = Rows::derived[row].value;
    return call(value, *this, motion_at(x));
  }
  template <int row>
  POLHODE_HD T derived_magnitude(const State& x) const {
    constexpr auto magnitude = Rows::derived[row].magnitude;
    return call(magnitude, *this, motion_at(x));
  }

  POLHODE_HD static Shape position(const State& x) {
    Shape part;
    unroll<N>([&](int i) POLHODE_LAMBDA { part[i] = x[i]; });
    return part;
  }
  POLHODE_HD static Shape momentum(const State& x) {
    Shape part;
    unroll<N>([&](int i) POLHODE_LAMBDA { part[i] = x[N + i]; });
    return part;
  }

 protected:
  POLHODE_HD auto energy_of(const State& x) const {
    return this->energy_at(position(x), canonical_momentum(position(x), momentum(x)), mu_);
  }

 private:
  POLHODE_HD CyclicMotion<T, N> motion_at(const State& x) const {
    return this->motion(position(x), canonical_momentum(position(x), momentum(x)), x[2 * N], mu_);
  }

  T mu_;
};

template <class Physics>
struct RouthReduced : Physics {
  using Physics::N;
  static constexpr const char* name = Physics::reduced.name;
  static constexpr const char* meaning = Physics::reduced.meaning;
  static constexpr auto equations = Physics::reduced.equations;
  static constexpr Kind kind = Kind::reduced;
  static constexpr int D = 0, dim = 2 * N + 1;
  static constexpr bool is_large = true;  ///< the derivatives of a metric
  static constexpr Block layout[3] = {
      {0, N, Block::Form::position}, {N, N, Block::Form::momentum}, {2 * N, 1, Block::Form::angle}};
  static constexpr const auto& parameters = routh_parameters<Physics>;
  static constexpr int n_derived = cyclic_derived_count<Physics>(), n_invariants = 1;

  static constexpr auto example_parameters = [] {
    std::array<double, std::size(Physics::example_parameters) + 1> all{};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i] = Physics::example_parameters[i];
    all.back() = Physics::example_momentum;
    return all;
  }();
  static void example_state(const double* p, double* x) {
    const CyclicMotion<double, N> motion = Physics::example_motion(p);
    const Vec<double, N> s = Model<double>(p).momentum_of(motion.shape, motion.velocity);
    for (int i = 0; i < N; ++i) {
      x[i] = motion.shape[i];
      x[N + i] = s[i];
    }
    x[2 * N] = motion.angle;
  }

  /// Columns of a state, the energy, and the derived observables of the Physics.
  static constexpr std::array<Quantity, dim + 1 + n_derived> observables = [] {
    std::array<Quantity, dim + 1 + n_derived> all{};
    for (int i = 0; i < N; ++i) {
      all[i] = Physics::shape[i];
      all[N + i] = Physics::reduced_momenta[i];
    }
    all[2 * N] = Physics::angle;
    all[dim] = {"energy", polhode::energy_unit<Physics>(), "H, that of the whole system"};
    if constexpr (n_derived > 0)
      for (int i = 0; i < n_derived; ++i) all[dim + 1 + i] = Physics::template Equations<double>::derived[i].quantity;
    return all;
  }();
  static constexpr Quantity invariants[1] = {observables[dim]};
  static bool conserves(const double*, const double*, int) { return true; }

  template <class T>
  using State = Vec<T, dim>;
  template <class T>
  POLHODE_HD static Vec<T, N> position(const State<T>& x) {
    return RouthFunctions<Physics, T>::position(x);
  }
  template <class T>
  POLHODE_HD static Vec<T, N> momentum(const State<T>& x) {
    return RouthFunctions<Physics, T>::momentum(x);
  }
  template <class T>
  POLHODE_HD static T angle_of(const State<T>& x) {
    return x[2 * N];
  }
  template <class T>
  POLHODE_HD static State<T> state(const Vec<T, N>& shape, const Vec<T, N>& s, const T& angle) {
    State<T> x;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      x[i] = shape[i];
      x[N + i] = s[i];
    });
    x[2 * N] = angle;
    return x;
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : RouthFunctions<Physics, T> {
    using Base = RouthFunctions<Physics, T>;
    using Base::Base, Base::flow;
    using Row = ObservableRow<T (Base::*)(const State<T>&) const>;

    static constexpr auto derived = cyclic_rows<typename Physics::template Equations<T>, Base, Row, n_derived>();

    POLHODE_HD State<T> flow(const State<T>& x) const { return this->flow(position(x), momentum(x)); }
    POLHODE_OUTLINED T energy(const State<T>& x) const { return this->energy_of(x).value; }
    POLHODE_OUTLINED T invariant(int, const State<T>& x) const { return this->energy_of(x).value; }

    POLHODE_HD Mask<T> in_domain(const State<T>& x) const requires requires(const Base& base, const Vec<T, N>& q) {
      base.is_inside(q);
    }
    { return this->is_inside(position(x)); }

    /// Entry `index` of RouthReduced::observables.
    POLHODE_OUTLINED T observe(int index, const State<T>& x) const {
      if (index < dim) {
        T value = x[0];
        unroll<dim>([&](int i) POLHODE_LAMBDA {
          if (i == index) value = x[i];
        });
        return value;
      }
      if constexpr (n_derived > 0)
        if (index > dim) return value_of<derived>(index - dim - 1, *this, x);
      return this->energy_of(x).value;
    }

    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_OUTLINED T magnitude(int index, const State<T>& x) const {
      const T positions = size(position(x)), momenta = size(momentum(x));
      if (index < N) return positions;
      if (index < 2 * N) return momenta;
      if (index == 2 * N) return abs(x[2 * N]);
      if constexpr (n_derived > 0)
        if (index > dim)
          return choose<0, n_derived>(index - dim - 1, [&](auto k) POLHODE_LAMBDA {
            constexpr auto magnitude = derived[k].magnitude;
            if constexpr (is_given<magnitude>)
              return call(magnitude, *this, x);
            else
              return positions + momenta;
          });
      return this->energy_of(x).size;
    }

   private:
    POLHODE_HD static T size(const Vec<T, N>& v) {
      T sum = abs(v[0]);
      unroll<N>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = sum + abs(v[i]);
      });
      return sum;
    }
  };
};

}  // namespace polhode::inline POLHODE_ISA
