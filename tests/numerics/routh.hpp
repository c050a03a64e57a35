// Systems with a cyclic coordinate by collocation: on all coordinates, reduced, and the reduced one by the reference,
// which has other equations; and the problems that independent numbers are known for.
#pragma once

#include <vector>

#include "backend/reference/reduced_motion.hpp"
#include "numerics/steps_of.hpp"
#include "polhode/method/partitioned_collocation.hpp"
#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/j2_satellite_shape.hpp"

namespace polhode::test {

template <class Physics>
using FullSteps = StepsOf<Collocation<CyclicSystem<Physics>, CanonicalStages>>;
template <class Physics>
using ReducedSteps = StepsOf<Collocation<RouthReduced<Physics>, CanonicalStages>>;

constexpr CollocationOptions gauss(int stages) { return {.nodes = CollocationNodes::gauss, .stages = stages}; }
constexpr CollocationOptions lobatto(int stages) { return {.nodes = CollocationNodes::lobatto, .stages = stages}; }

/// The equations of the reference, on states (x, s, theta). Parameters: of the Physics, then mu.
template <class Physics>
class ReferenceSteps {
 public:
  ReferenceSteps(const CollocationOptions& options, double h, const std::vector<double>& parameters)
      : h_(h),
        motion_(
            cyclic_values<Physics>(parameters.data()), parameters.back(),
            {options.nodes == CollocationNodes::gauss ? "gauss" : "lobatto", {{"stages", double(options.stages)}}}) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& x, int steps = 1) {
    motion_.set_state(x.data());
    for (int n = 0; n < steps; ++n) EXPECT_EQ(motion_.advance(h_, {}), Status::ok);
    return Eigen::Map<const Eigen::VectorXd>(motion_.state(), x.size());
  }
  const ReducedMotion& motion() const { return motion_; }

 private:
  double h_;
  ReducedMotion motion_;
};

/// Values of the metric: A, I, V, with derivatives, [l, k] by x_k; and states (x, s, theta) from (x, theta, p, mu) and
/// back. Parameters: of the Physics, then mu, which the system on all coordinates does not look at.
template <class Physics>
struct Shape {
  static constexpr int n = Physics::N;
  using Vector = Eigen::VectorXd;

  std::vector<double> parameters;

  double mu() const { return parameters.back(); }
  Vector connection(const Vector& x) const { return Eigen::Map<const Vector>(at(x).connection.v, n); }
  double inertia(const Vector& x) const { return at(x).inertia; }
  double potential(const Vector& x) const { return at(x).potential; }
  Eigen::MatrixXd horizontal(const Vector& x) const {
    const CyclicMetric<double, n> metric = at(x);
    Eigen::MatrixXd matrix(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) matrix(i, j) = metric.horizontal[i][j];
    return matrix;
  }
  Eigen::MatrixXd connection_slopes(const Vector& x) const {
    using Along = Dual<double, n>;
    Vec<Along, n> z;
    for (int k = 0; k < n; ++k) z[k] = Along::variable(x[k], k);
    const auto metric = typename Physics::template Equations<Along>(parameters.data()).metric(z);
    Eigen::MatrixXd slopes(n, n);
    for (int l = 0; l < n; ++l)
      for (int k = 0; k < n; ++k) slopes(l, k) = metric.connection[l].tangent[k];
    return slopes;
  }
  /// beta_kl = mu (dA_l/dx_k - dA_k/dx_l).
  Eigen::MatrixXd magnetic(const Vector& x) const {
    const Eigen::MatrixXd slopes = connection_slopes(x);
    return mu() * (slopes.transpose() - slopes);
  }

  Vector reduced(const Vector& full) const {
    const Vector x = full.head(n);
    Vector state(2 * n + 1);
    state << x, full.segment(n + 1, n) - mu() * connection(x), full[n];
    return state;
  }
  Vector unreduced(const Vector& state) const {
    const Vector x = state.head(n);
    Vector full(2 * n + 2);
    full << x, state[2 * n], state.segment(n, n) + mu() * connection(x), mu();
    return full;
  }

 private:
  CyclicMetric<double, n> at(const Vector& x) const {
    Vec<double, n> point;
    std::copy_n(x.data(), n, point.v);
    return typename Physics::template Equations<double>(parameters.data()).metric(point);
  }
};

inline double largest(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff(); }

/// m1 = 1, m2 = 2, l1 = 1, l2 = 0.8, g = 1, of which numbers are known to 22 digits.
inline const Shape<DoublePendulumShape> double_pendulum{{1, 2, 1, 0.8, 1, 2.119705402694607634092926}};
inline Eigen::VectorXd double_pendulum_start() {
  return Eigen::Vector<double, 7>{
      0.5, 0.4, 0.3, 0.2369976071667941632036255, 0.107965853060326499114244, 0.001310541680238141186242767, 0.25};
}

/// A circular orbit about a sphere, inclined by 0.3, at some J2.
inline Shape<J2SatelliteShape> satellite(double oblateness) { return {{oblateness, 0.01, 0.95533648912560601964231}}; }
inline Eigen::VectorXd satellite_start() { return Eigen::Vector<double, 5>{1, 0, 0, 0.29552020666133957510532, 0}; }

}  // namespace polhode::test
