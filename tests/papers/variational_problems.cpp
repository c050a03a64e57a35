#include "papers/variational_problems.hpp"

#include <cmath>
#include <utility>

namespace polhode::test {
namespace {

template <class S>
using LagrangianVector = Eigen::VectorX<S>;

/// An element of a sparse symmetric matrix, with its mirror image.
struct SymmetricEntry {
  int i, j;
  double value;
};

/// g_a = 1/2 q.C_a q - c_a, with matrices C_a of few elements.
struct QuadraticConstraints {
  int N, d;
  std::vector<std::vector<SymmetricEntry>> matrices;
  Eigen::VectorXd constants;

  template <class S>
  Eigen::MatrixX<S> jacobian(const LagrangianVector<S>& q) const {
    Eigen::MatrixX<S> rows = Eigen::MatrixX<S>::Zero(d, N);
    for (int a = 0; a < d; ++a)
      for (const auto& [i, j, value] : matrices[a]) {
        rows(a, i) += value * q[j];
        if (i != j) rows(a, j) += value * q[i];
      }
    return rows;
  }
  template <class S>
  LagrangianVector<S> curvature(const LagrangianVector<S>&, const LagrangianVector<S>& v) const {
    return jacobian<S>(v).lazyProduct(v);
  }
  Eigen::VectorXd constraints(const Eigen::VectorXd& q) const { return curvature<double>(q, q) / 2 - constants; }
  Eigen::MatrixXd hessian(const Eigen::VectorXd&, const Eigen::VectorXd& theta) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(N, N);
    for (int a = 0; a < d; ++a)
      for (const auto& [i, j, value] : matrices[a]) {
        sum(i, j) += theta[a] * value;
        if (i != j) sum(j, i) += theta[a] * value;
      }
    return sum;
  }
};

/// Constant mass, V = weight.q, a = 0.
struct MechanicalEquations : QuadraticConstraints {
  Eigen::MatrixXd masses;
  Eigen::VectorXd weight;

  template <class S>
  LagrangianVector<S> mass_times(const LagrangianVector<S>&, const LagrangianVector<S>& u) const {
    return masses.cast<S>().lazyProduct(u);
  }
  template <class S>
  LagrangianVector<S> linear(const LagrangianVector<S>&) const {
    return LagrangianVector<S>::Zero(N);
  }
  template <class S>
  LagrangianVector<S> force(const LagrangianVector<S>&, const LagrangianVector<S>&) const {
    return -weight.cast<S>();
  }
  template <class S>
  S potential(const LagrangianVector<S>& q) const {
    return (weight.array() * q.array()).sum();
  }
};

struct MagneticEquations : QuadraticConstraints {
  static constexpr double slope = 0.3, field = 0.4;

  template <class S>
  LagrangianVector<S> mass_times(const LagrangianVector<S>& q, const LagrangianVector<S>& u) const {
    return (1. + slope * q[2]) * u;
  }
  template <class S>
  LagrangianVector<S> linear(const LagrangianVector<S>& q) const {
    return Eigen::Vector3<S>(-field * q[1], field * q[0], S(0));
  }
  template <class S>
  LagrangianVector<S> force(const LagrangianVector<S>&, const LagrangianVector<S>& v) const {
    LagrangianVector<S> f = -slope * v[2] * v;
    f += Eigen::Vector3<S>(2 * field * v[1], -2 * field * v[0], slope / 2 * v.array().square().sum() - 1.);
    return f;
  }
  template <class S>
  S potential(const LagrangianVector<S>& q) const {
    return q[2];
  }
};

template <class S>
Eigen::Matrix3<S> hat_of(const Eigen::Vector3<S>& w) {
  Eigen::Matrix3<S> matrix;
  matrix << S(0), -w[2], w[1], w[2], S(0), -w[0], -w[1], w[0], S(0);
  return matrix;
}

struct VehicleEquations : QuadraticConstraints {
  Eigen::DiagonalMatrix<double, 3> inertia, added;  // d, M
  Eigen::Matrix3d coupling;                         // D
  double weight;                                    // c, with chi = -e3

  template <class S>
  using Three = Eigen::Vector3<S>;
  template <class S>
  struct Halves {
    Eigen::Matrix3<S> R;
    Three<S> x;
  };
  template <class S>
  static Halves<S> halves(const LagrangianVector<S>& q) {
    return {Eigen::Map<const Eigen::Matrix3<S>>(q.data()).transpose(), q.template tail<3>()};
  }
  template <class S>
  static LagrangianVector<S> joined_halves(const Eigen::Matrix3<S>& R, const Three<S>& x) {
    LagrangianVector<S> q(12);
    for (int i = 0; i < 3; ++i) q.segment(3 * i, 3) = R.row(i).transpose();
    q.tail(3) = x;
    return q;
  }
  /// w_k = <B, hat(e_k)>.
  template <class S>
  static Three<S> axial(const Eigen::Matrix3<S>& B) {
    return {B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)};
  }

  template <class S>
  LagrangianVector<S> mass_times(const LagrangianVector<S>& q, const LagrangianVector<S>& velocity) const {
    const auto [R, x] = halves<S>(q);
    const auto [turn, speed] = halves<S>(velocity);
    const Three<S> u = R.transpose() * speed, w = axial<S>(R.transpose() * turn);
    return joined_halves<S>(turn * inertia + R * hat_of<S>(coupling * u) / 2.,
                            R * (added * u + coupling.transpose() * w / 2.));
  }
  template <class S>
  LagrangianVector<S> linear(const LagrangianVector<S>&) const {
    return LagrangianVector<S>::Zero(12);
  }
  template <class S>
  LagrangianVector<S> force(const LagrangianVector<S>& q, const LagrangianVector<S>& v) const {
    const auto [R, x] = halves<S>(q);
    const auto [turn, speed] = halves<S>(v);
    const Three<S> u = R.transpose() * speed, w = axial<S>(R.transpose() * turn), rate = turn.transpose() * speed;
    const Three<S> y = added * u + coupling.transpose() * w / 2.;
    Eigen::Matrix3<S> on_R =
        speed * y.transpose() - turn * hat_of<S>(coupling * u) - R * hat_of<S>(coupling * rate) / 2.;
    on_R(2, 2) += weight;
    return joined_halves<S>(on_R, -(turn * y + R * (added * rate)));
  }
  template <class S>
  S potential(const LagrangianVector<S>& q) const {
    return -weight * q[8];
  }
};

template <class Equations>
VariationalCase case_of(std::string name, const Equations& equations, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& v) {
  return {std::move(name), std::make_shared<ConstrainedLagrangianOf<Equations>>(equations), q, v};
}

/// |q_block|^2 / 2 = constant.
QuadraticConstraints lengths(int N, const std::vector<double>& of_blocks) {
  const int size = N / static_cast<int>(of_blocks.size());
  QuadraticConstraints of{N, static_cast<int>(of_blocks.size()), {}, Eigen::VectorXd(of_blocks.size())};
  for (int a = 0; a < of.d; ++a) {
    of.matrices.emplace_back();
    for (int i = a * size; i < (a + 1) * size; ++i) of.matrices.back().push_back({i, i, 1});
    of.constants[a] = of_blocks[a] * of_blocks[a] / 2;
  }
  return of;
}

/// R^T R = 1, the upper triangle by rows, for the first nine of N positions.
QuadraticConstraints orthogonality(int N) {
  QuadraticConstraints of{N, 6, {}, Eigen::Vector<double, 6>{1, 0, 0, 1, 0, 1}};
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      of.matrices.emplace_back();
      for (int i = 0; i < 9; i += 3) of.matrices.back().push_back({i + a, i + b, a == b ? 2. : 1.});
    }
  return of;
}

Eigen::VectorXd tilted_attitude() { return Eigen::Vector<double, 9>{.8, 0, .6, 0, 1, 0, -.6, 0, .8}; }
/// R hat(omega) by rows.
Eigen::VectorXd turning(const Eigen::VectorXd& R, const Eigen::Vector3d& omega) {
  const Eigen::Matrix3d rate = hat_of<double>(omega).transpose() * Eigen::Map<const Eigen::Matrix3d>(R.data());
  return Eigen::Map<const Eigen::VectorXd>(rate.data(), 9);
}

}  // namespace

VariationalCase planar_pendulum() {
  return case_of("planar pendulum",
                 MechanicalEquations{lengths(2, {1}), Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d{0, 1}},
                 Eigen::Vector2d{.6, -.8}, Eigen::Vector2d{.4, .3});
}

VariationalCase spherical_pendulum(double gravity) {
  return case_of("spherical pendulum",
                 MechanicalEquations{lengths(3, {1}), Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d{0, 0, gravity}},
                 Eigen::Vector3d{.6, 0, -.8}, Eigen::Vector3d{.2, .7, .15});
}

VariationalCase magnetic_pendulum() {
  return case_of("magnetic pendulum", MagneticEquations{lengths(3, {1})}, Eigen::Vector3d{.6, 0, -.8},
                 Eigen::Vector3d{.2, .7, .15});
}

VariationalCase double_pendulum_by_links() {
  Eigen::MatrixXd masses = Eigen::MatrixXd::Zero(6, 6);
  masses.topLeftCorner(3, 3).diagonal().setConstant(3);
  masses.topRightCorner(3, 3).diagonal().setConstant(2);
  masses.bottomLeftCorner(3, 3).diagonal().setConstant(2);
  masses.bottomRightCorner(3, 3).diagonal().setConstant(2);
  return case_of(
      "double pendulum", MechanicalEquations{lengths(6, {1, 0.8}), masses, Eigen::Vector<double, 6>{0, 0, 3, 0, 0, 2}},
      Eigen::Vector<double, 6>{.6, 0, -.8, .288, .384, -.64}, Eigen::Vector<double, 6>{.4, .5, .3, .4, .1, .24});
}

VariationalCase top_by_matrices(const Eigen::Vector3d& moments) {
  const Eigen::MatrixXd masses = moments.replicate(3, 1).asDiagonal();
  const Eigen::VectorXd q = tilted_attitude();
  return case_of("top", MechanicalEquations{orthogonality(9), masses, Eigen::VectorXd::Unit(9, 8)}, q,
                 turning(q, {.3, .5, 1.2}));
}

VariationalCase free_water() {
  QuadraticConstraints bonds{9, 3, {}, Eigen::Vector3d(0.5, 0.5, 0.8)};
  for (const auto& [m, n] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {  // |q_m - q_n|^2 / 2
    bonds.matrices.emplace_back();
    for (int i = 0; i < 3; ++i)
      for (const SymmetricEntry& entry :
           {SymmetricEntry{3 * m + i, 3 * m + i, 1}, {3 * n + i, 3 * n + i, 1}, {3 * m + i, 3 * n + i, -1}})
        bonds.matrices.back().push_back(entry);
  }
  const Eigen::MatrixXd masses = Eigen::Vector<double, 9>{16, 16, 16, 1, 1, 1, 1, 1, 1}.asDiagonal();
  const double half = std::sqrt(0.4), height = std::sqrt(0.6);
  Eigen::VectorXd q(9), v(9);
  q << 0, 0, 0, half, height, 0, -half, height, 0;
  const Eigen::Vector3d omega(.3, .5, 1.2), drift(.1, -.2, .3);
  for (int i = 0; i < 3; ++i) v.segment<3>(3 * i) = omega.cross(Eigen::Vector3d(q.segment<3>(3 * i))) + drift;
  return case_of("water", MechanicalEquations{bonds, masses, Eigen::VectorXd::Zero(9)}, q, v);
}

VariationalCase underwater_vehicle(Centres centres) {
  VehicleEquations equations{orthogonality(12), Eigen::Vector3d(.237, .098, .12).asDiagonal(),
                             Eigen::Vector3d(1.234, 1.341, 2.253).asDiagonal(), Eigen::Matrix3d::Zero(), 0};
  if (centres == Centres::apart) equations.coupling = hat_of<double>({0, 0, -.03}), equations.weight = .3;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(12), v(12);
  q.head(9) = tilted_attitude();
  v << turning(q.head(9), {.9, .3, .35}), .8 * .1 + .6 * .05, -.7, -.6 * .1 + .8 * .05;
  return case_of(centres == Centres::coincide ? "vehicle" : "vehicle with a weight", equations, q, v);
}

std::vector<VariationalCase> pendula_and_top() {
  return {spherical_pendulum(), magnetic_pendulum(), double_pendulum_by_links(), top_by_matrices()};
}

}  // namespace polhode::test
