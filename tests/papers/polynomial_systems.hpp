// Euler equations of moment algebras (moment_euler.hpp) as constrained Hamiltonian systems of the program. Written out
// for degrees n = 2 and 3, from the values of H and phi alone.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "papers/moment_euler.hpp"
#include "polhode/method/constraint_algorithm.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/hamiltonian_system.hpp"

namespace polhode::test {

/// c a, with fewer operations than the product of two duals.
inline double multiple(double c, double a) { return c * a; }
template <class T, int n>
Dual<T, n> multiple(double c, Dual<T, n> a) {
  a.value = multiple(c, a.value);
  for (T& tangent : a.tangent) tangent = multiple(c, tangent);
  return a;
}

/// Parameters: W [N][N]; positions: the coefficients of A, as in MomentAlgebra.
template <int d, int n>
requires(n == 2 || n == 3) struct PolynomialMapsPhysics {
  static constexpr int components = 2 * d, squares = n == 2 ? 0 : d * (2 * d + 1), terms = components + squares;
  static constexpr int N = components * terms, D = d * (2 * d - 1) * (n == 2 ? 1 : 1 + components);
  static constexpr std::array<Quantity, 2 * N> columns = [] {
    std::array<Quantity, 2 * N> all{};
    std::fill(all.begin(), all.end(), Quantity{"coefficient", "1", "of a map or its momentum"});
    return all;
  }();
  template <class T>
  struct Equations {
    const double* w;

    explicit Equations(const double* parameters) : w(parameters) {}

    T hamiltonian(const Vec<T, N>& a, const Vec<T, N>& p) const {
      const Vec<T, N> m = at_identity(a, p);
      T sum(Real<T>(0));
      for (int i = 0; i < N; ++i) {
        T x(Real<T>(0));
        for (int k = 0; k < N; ++k) x = x + multiple(w[i * N + k], m[k]);
        sum = fma(x, m[i], sum);
      }
      return multiple(0.5, sum);
    }
    /// m = T_A^T P: m_i is the row of components of P times those of the monomials of A.
    static Vec<T, N> at_identity(const Vec<T, N>& a, const Vec<T, N>& p) {
      Vec<T, N> m;
      for (int i = 0; i < components; ++i) {
        const auto paired = [&](int power, const T& sum) {  // with P_i
          T total = sum;
          for (int b = 0; b < terms; ++b) total = fma(a[power * terms + b], p[i * terms + b], total);
          return total;
        };
        for (int k = 0; k < components; ++k) m[i * terms + k] = paired(k, T(Real<T>(0)));
        int row = components;
        if (squares > 0)
          for (int k = 0; k < components; ++k)
            for (int l = k; l < components; ++l, ++row) m[i * terms + row] = paired_with_product(a, p, i, k, l);
      }
      return m;
    }

    static Vec<T, D> constraints(const Vec<T, N>& a) {
      Vec<T, D> phi;
      int row = 0;
      const auto constant = [&](int i, int k) { return linear(a, i, k); };
      for (int i = 0; i < components; ++i)
        for (int j = i + 1; j < components; ++j) {
          phi[row++] = pairing(i, j, constant, constant) - T(Real<T>(j == i + d ? 1 : 0));
          for (int v = 0; squares > 0 && v < components; ++v) {
            const auto along_v = [&](int of, int k) { return second(a, of, k, v); };
            phi[row++] = pairing(i, j, along_v, constant) + pairing(i, j, constant, along_v);
          }
        }
      return phi;
    }

   private:
    /// Index of x_k x_l among the terms, k <= l.
    static constexpr int square(int k, int l) { return components + k * components - k * (k - 1) / 2 + (l - k); }
    static T linear(const Vec<T, N>& a, int i, int k) { return a[i * terms + k]; }
    /// Derivative of A_i by x_k and x_v, at 0.
    static T second(const Vec<T, N>& a, int i, int k, int v) {
      const T& value = a[i * terms + square(std::min(k, v), std::max(k, v))];
      return k == v ? value + value : value;
    }
    /// Sum of f_i,k J_kl g_j,l.
    template <class F, class G>
    static T pairing(int i, int j, const F& f, const G& g) {
      T sum(Real<T>(0));
      for (int k = 0; k < d; ++k) sum = sum + f(i, k) * g(j, k + d) - f(i, k + d) * g(j, k);
      return sum;
    }
    /// P_i with the quadratic part of A_k A_l.
    static T paired_with_product(const Vec<T, N>& a, const Vec<T, N>& p, int i, int k, int l) {
      T sum(Real<T>(0));
      for (int r = 0; r < components; ++r)
        for (int s = 0; s < components; ++s)
          sum = fma(linear(a, k, r) * linear(a, l, s), p[i * terms + square(std::min(r, s), std::max(r, s))], sum);
      return sum;
    }
  };
};
template <int d, int n>
using PolynomialMaps = HamiltonianSystem<PolynomialMapsPhysics<d, n>>;

/// Steps of the program for an Euler equation on G_2 or G_3. A state is the coefficients of A and of its momentum.
class FastMomentSteps {
 public:
  using Vector = Eigen::VectorXd;

  explicit FastMomentSteps(const MomentEuler& of)
      : euler(of), N_(of.algebra.maps), parameters_(of.w.data(), of.w.data() + of.w.size()) {}

  const MomentEuler& euler;

  /// One step; false if it is invalid.
  bool advance(const Kicks& kicks, double h, Vector& x) const {
    return dispatch<double>(kicks, h, [&](auto& z, bool to_program) {
      for (int i = 0; i < 2 * N_; ++i) to_program ? z[i] = x[i] : x[i] = z[i];
    });
  }
  /// One step with a tangent vector.
  bool advance(const Kicks& kicks, double h, Vector& x, Vector& tangent) const {
    return dispatch<Dual<double, 1>>(kicks, h, [&](auto& z, bool to_program) {
      for (int i = 0; i < 2 * N_; ++i)
        if (to_program)
          z[i] = Dual<double, 1>(x[i]), z[i].tangent[0] = tangent[i];
        else
          x[i] = z[i].value, tangent[i] = z[i].tangent[0];
    });
  }

  /// One step of the moments, from the unit element, with a tangent vector.
  bool advance_moments(const Kicks& kicks, double h, Vector& moments, Vector& tangent) const {
    Vector x = at_identity(moments), along = Vector::Zero(2 * N_);
    along.tail(N_) = euler.momentum_of(tangent);
    if (!advance(kicks, h, x, along)) return false;
    moments = moments_of(x);
    tangent = euler.moments_along(x.head(N_), x.tail(N_), along.head(N_), along.tail(N_));
    return true;
  }

  Vector at_identity(const Vector& moments) const {
    Vector x(2 * N_);
    x << euler.algebra.identity(), euler.momentum_of(moments);
    return x;
  }
  Vector moments_of(const Vector& x) const { return euler.moments(x.head(N_), x.tail(N_)); }

 private:
  /// A step of the system that the algebra needs; `copy` brings the state there and back.
  template <class T, class Copy>
  bool dispatch(const Kicks& kicks, double h, const Copy& copy) const {
    const int d = euler.algebra.d, n = euler.algebra.n;
    if (d == 1 && n == 2) return step<PolynomialMaps<1, 2>, T>(kicks, h, copy);
    if (d == 1 && n == 3) return step<PolynomialMaps<1, 3>, T>(kicks, h, copy);
    if (d == 2 && n == 2) return step<PolynomialMaps<2, 2>, T>(kicks, h, copy);
    throw std::logic_error("no system of these maps");
  }
  template <class System, class T, class Copy>
  bool step(const Kicks& kicks, double h, const Copy& copy) const {
    using Map = ConstraintAlgorithm<System>;
    const typename System::template Model<T> model(parameters_.data());
    const NoOptions none;
    const typename Map::template Constants<T> constants(model, none, kicks, T(h));
    typename System::template State<T> x{};
    copy(x, true);
    if (!typename Map::template Step<T>(model, none, kicks, constants, sweeps)(x, x, true)) return false;
    copy(x, false);
    return true;
  }

  static constexpr int sweeps = 12;  // unconditional ones; more follow where they have not converged
  int N_;
  std::vector<double> parameters_;
};

}  // namespace polhode::test
