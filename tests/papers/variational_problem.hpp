// Lagrangian systems with constraints, in positions and velocities (Patrick, Cuell, Spiteri & Zhang, (4.1), (4.2)):
//
//     L = 1/2 v.M(q) v + a(q).v - V(q),   g(q) = 0,   G = Dg(q)
//
//     [ M  -G^T ] [ A      ]   [ F         ]
//     [ -G   0  ] [ lambda ] = [ v^T D2g v ]
//
//     F_i = -V_i - Gamma_ikl v^k v^l - b_ij v^j,   b_ij = d a_i / dq^j - d a_j / dq^i
//
// The accelerations A are defined in a neighbourhood of g = 0, since stages of a Runge-Kutta method leave it.
#pragma once

#include <Eigen/Dense>
#include <complex>

namespace polhode::test {

/// Values at a point (q, v).
struct LagrangianTerms {
  Eigen::MatrixXd mass;       ///< M(q), N x N
  Eigen::VectorXd linear;     ///< a(q)
  Eigen::VectorXd force;      ///< F(q, v)
  double lagrangian;          ///< L(q, v)
  Eigen::MatrixXd jacobian;   ///< G(q), d x N
  Eigen::VectorXd curvature;  ///< v^T D2g(q) v, d numbers
};

/// A system: N positions, d constraints.
class ConstrainedLagrangian {
 public:
  ConstrainedLagrangian(int positions, int constraints) : N(positions), d(constraints) {}
  virtual ~ConstrainedLagrangian() = default;

  virtual LagrangianTerms terms(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const = 0;
  /// The N + d equations, left-hand sides less right-hand sides, and L, for derivatives by the complex step.
  virtual Eigen::VectorXcd residual(const Eigen::VectorXcd& q, const Eigen::VectorXcd& v, const Eigen::VectorXcd& A,
                                    const Eigen::VectorXcd& lambda) const = 0;
  virtual Eigen::VectorXd constraints(const Eigen::VectorXd& q) const = 0;
  virtual Eigen::MatrixXd jacobian(const Eigen::VectorXd& q) const = 0;
  /// D2(theta.g)(q), N x N.
  virtual Eigen::MatrixXd hessian(const Eigen::VectorXd& q, const Eigen::VectorXd& theta) const = 0;

  const int N, d;
};

/// A system by a struct Equations with templates on S: mass_times(q, u) = M(q) u, linear(q), force(q, v), potential(q),
/// jacobian(q), curvature(q, v); constraints(q) and hessian(q, theta); and its members N and d.
template <class Equations>
class ConstrainedLagrangianOf : public ConstrainedLagrangian {
 public:
  explicit ConstrainedLagrangianOf(const Equations& equations)
      : ConstrainedLagrangian(equations.N, equations.d), equations_(equations) {}

  LagrangianTerms terms(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const override {
    Eigen::MatrixXd mass(N, N);
    for (int k = 0; k < N; ++k) mass.col(k) = equations_.template mass_times<double>(q, Eigen::VectorXd::Unit(N, k));
    return {mass,
            equations_.template linear<double>(q),
            equations_.template force<double>(q, v),
            lagrangian<double>(q, v),
            jacobian(q),
            equations_.template curvature<double>(q, v)};
  }
  Eigen::VectorXcd residual(const Eigen::VectorXcd& q, const Eigen::VectorXcd& v, const Eigen::VectorXcd& A,
                            const Eigen::VectorXcd& lambda) const override {
    using Complex = std::complex<double>;
    const Eigen::MatrixXcd G = equations_.template jacobian<Complex>(q);
    Eigen::VectorXcd all(N + d + 1);
    all.head(N) = equations_.template mass_times<Complex>(q, A) - G.transpose().lazyProduct(lambda) -
                  equations_.template force<Complex>(q, v);
    all.segment(N, d) = -G.lazyProduct(A) - equations_.template curvature<Complex>(q, v);
    all[N + d] = lagrangian<Complex>(q, v);
    return all;
  }
  Eigen::VectorXd constraints(const Eigen::VectorXd& q) const override { return equations_.constraints(q); }
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& q) const override { return equations_.template jacobian<double>(q); }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& q, const Eigen::VectorXd& theta) const override {
    return equations_.hessian(q, theta);
  }

 private:
  template <class S>
  S lagrangian(const Eigen::VectorX<S>& q, const Eigen::VectorX<S>& v) const {
    const Eigen::VectorX<S> momentum = equations_.template mass_times<S>(q, v) / 2. + equations_.template linear<S>(q);
    return (v.array() * momentum.array()).sum() - equations_.template potential<S>(q);  // dot() would conjugate
  }

  Equations equations_;
};

}  // namespace polhode::test
