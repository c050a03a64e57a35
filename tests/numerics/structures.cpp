#include "numerics/structures.hpp"

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

/// dq_i . dp_j - dq_j . dp_i of the columns.
Eigen::MatrixXd canonical_form(const Eigen::MatrixXd& vectors) {
  const auto n = vectors.rows() / 2;
  const Eigen::MatrixXd half = product(vectors.topRows(n).transpose(), vectors.bottomRows(n));
  return half - half.transpose();
}

/// {Pi_i, y_j} = -eps_ijk y_k for the three columns of y from `first` on, with Pi the first three.
void turn_with(const State& x, int first, Eigen::MatrixXd& bracket) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    bracket(i, first + j) = -x[first + k], bracket(first + j, i) = x[first + k];
    bracket(j, first + i) = x[first + k], bracket(first + i, j) = -x[first + k];
  }
}

}  // namespace

double form_defect(const Eigen::MatrixXd& conditions, const State& x, const TangentMap& map) {
  // Positions in units of |q|, momenta of |p|: a change of units multiplies the form and nothing else.
  const auto n = x.size() / 2;
  Eigen::VectorXd units(2 * n);
  units << State::Constant(n, x.head(n).norm()), State::Constant(n, x.tail(n).norm());
  Eigen::MatrixXd scaled = conditions * units.asDiagonal();
  scaled.rowwise().normalize();
  const Eigen::MatrixXd before = kernel(scaled);
  Eigen::MatrixXd after(before.rows(), before.cols());
  for (int k = 0; k < before.cols(); ++k) {
    State image = x, tangent = units.asDiagonal() * before.col(k);
    EXPECT_TRUE(map(image, tangent));
    after.col(k) = units.asDiagonal().inverse() * tangent;
  }
  const Eigen::MatrixXd form = canonical_form(before);
  return (canonical_form(after) - form).cwiseAbs().maxCoeff() / form.cwiseAbs().maxCoeff();
}

double form_defect(const std::function<Eigen::MatrixXd(const State&)>& form, const State& x, const TangentMap& map) {
  const auto n = x.size() / 2;
  Eigen::VectorXd units(2 * n);
  units << State::Constant(n, x.head(n).norm()), State::Constant(n, x.segment(n, n).norm());
  const auto scaled = [&](const State& at) {
    return Eigen::MatrixXd(units.asDiagonal() * form(at) * units.asDiagonal());
  };
  Eigen::MatrixXd derivative(2 * n, 2 * n);
  State image;
  for (int k = 0; k < 2 * n; ++k) {
    image = x;
    State tangent = units[k] * State::Unit(x.size(), k);
    EXPECT_TRUE(map(image, tangent));
    derivative.col(k) = units.asDiagonal().inverse() * tangent.head(2 * n);
  }
  const Eigen::MatrixXd before = scaled(x);
  const Eigen::MatrixXd carried = congruent(derivative, scaled(image));
  return (carried - before).cwiseAbs().maxCoeff() / before.cwiseAbs().maxCoeff();
}

double poisson_defect(const std::function<Eigen::MatrixXd(const State&)>& bracket, const State& x,
                      const TangentMap& map) {
  Eigen::MatrixXd derivative(x.size(), x.size());
  State image;
  for (int k = 0; k < x.size(); ++k) {
    image = x;
    State tangent = State::Unit(x.size(), k);
    EXPECT_TRUE(map(image, tangent));
    derivative.col(k) = tangent;
  }
  const Eigen::MatrixXd before = bracket(x);
  const Eigen::MatrixXd carried = congruent(derivative.transpose(), before);
  return (carried - bracket(image)).cwiseAbs().maxCoeff() / before.cwiseAbs().maxCoeff();
}

Eigen::MatrixXd bracket_on_se3(const State& x) {
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(6, 6);
  turn_with(x, 0, b);
  turn_with(x, 3, b);
  return b;
}

Eigen::MatrixXd bracket_on_cotangent_so3(const State& x) {
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(7, 7);
  turn_with(x, 0, b);
  const Eigen::Quaterniond q(x[3], x[4], x[5], x[6]);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(i) / 2;
    const Eigen::Quaterniond turned = q * Eigen::Quaterniond(0, axis[0], axis[1], axis[2]);
    b.col(i).tail<4>() << turned.w(), turned.x(), turned.y(), turned.z();
    b.row(i).tail<4>() = -b.col(i).tail<4>();
  }
  return b;
}

Eigen::MatrixXd bracket_on_so(int n, const State& x) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  std::vector<Eigen::MatrixXd> rotations;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const double value = x[static_cast<int>(rotations.size())];
      rotations.emplace_back(Eigen::MatrixXd::Zero(n, n));
      rotations.back()(i, j) = 1, rotations.back()(j, i) = -1;
      m += value * rotations.back();
    }
  Eigen::MatrixXd b(x.size(), x.size());
  // -<m, [a, b]> = <b^T m - m b^T, a>.
  for (int l = 0; l < b.rows(); ++l) {
    const Eigen::MatrixXd& turn = rotations[l];
    const Eigen::MatrixXd dual = product(turn.transpose(), m) - product(m, turn.transpose());
    for (int k = 0; k < b.rows(); ++k) b(k, l) = dual.cwiseProduct(rotations[k]).sum() / 2;
  }
  return b;
}

}  // namespace polhode::test
