// The derivatives that a Physics gives of its own (system/constrained_system.hpp) are those of V and g, found
// otherwise: by the complex step, and for second derivatives by dual numbers along a line of first ones. A system that
// leaves its derivatives to dual numbers has these checked. On every system of constant mass in
// the catalog.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/mechanical_problem.hpp"
#include "catalog_types.hpp"

namespace polhode::test {
namespace {

template <class... System>
::testing::Types<System...> as_tested(TypeList<System...>);
using Systems = decltype(as_tested(CatalogTypes<ConstrainedMotionMap>::Systems{}));

struct SystemName {
  template <class System>
  static std::string GetName(int) {
    return System::name;
  }
};

template <class System>
class ConstrainedDerivatives : public ::testing::Test {
 protected:
  static constexpr int N = System::N, D = System::D;
  using Position = Vec<double, N>;
  using Matrix = Eigen::MatrixXd;

  static constexpr double tolerance = 1e-13;  // relative to the largest element

  ConstrainedDerivatives()
      : parameters_(std::data(System::example_parameters)),
        model_(parameters_),
        problem_(mechanical_problem(mechanical_values<System>(parameters_))) {
    typename System::template State<double> x;
    System::example_state(parameters_, x.v);
    example_ = System::position(x);
  }

  /// Near the example, off the constraints.
  Position near(const Position& centre) {
    Position q = centre;
    const double size = std::sqrt(dot(centre, centre) / N);
    for (int i = 0; i < N; ++i) q[i] += 0.05 * size * normal_(random_);
    return q;
  }
  Position direction() {
    Position v;
    for (int i = 0; i < N; ++i) v[i] = normal_(random_);
    return v;
  }
  static Eigen::VectorXd to_eigen(const Position& v) { return Eigen::Map<const Eigen::VectorXd>(v.v, N); }
  /// G by the complex step.
  Matrix jacobian(const Position& q) const {
    return complex_step_jacobian<Eigen::Dynamic>(problem_.constraints, to_eigen(q));
  }
  template <int n>
  static void expect_same(const Vec<double, n>& given, const Eigen::VectorXd& computed) {
    const Eigen::VectorXd difference = Eigen::Map<const Eigen::VectorXd>(given.v, n) - computed;
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), tolerance * computed.cwiseAbs().maxCoeff());
  }
  static void expect_same(const Mat<double, D, D>& given, const Matrix& computed) {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        EXPECT_NEAR(given[i][j], computed(i, j), tolerance * computed.cwiseAbs().maxCoeff()) << i << ", " << j;
  }

  const double* parameters_;
  typename System::template Model<double> model_;
  ConstrainedProblem<double> problem_;
  Position example_;
  std::mt19937_64 random_{31};
  std::normal_distribution<double> normal_;
};
TYPED_TEST_SUITE(ConstrainedDerivatives, Systems, SystemName);

TYPED_TEST(ConstrainedDerivatives, OfThePotential) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto q = this->near(this->example_);
    const Eigen::VectorXd gradient = ConstrainedStep<double>(this->problem_).potential_gradient(this->to_eigen(q));
    this->expect_same(this->model_.potential_gradient(q), gradient);
    const auto p = this->direction();
    const double s = this->normal_(this->random_);
    this->expect_same(this->model_.kick(q, s, p), this->to_eigen(p) + s * gradient);
  }
}

TYPED_TEST(ConstrainedDerivatives, OfTheConstraints) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto q = this->near(this->example_), v = this->direction();
    const auto jacobian = this->jacobian(q);
    this->expect_same(this->model_.push(q, v), jacobian * this->to_eigen(v));
    Vec<double, TypeParam::D> s;
    for (int i = 0; i < TypeParam::D; ++i) s[i] = this->normal_(this->random_);
    const Eigen::VectorXd force = jacobian.transpose() * Eigen::Map<const Eigen::VectorXd>(s.v, TypeParam::D);
    this->expect_same(this->model_.pull(q, s), force);
    this->expect_same(this->model_.pull(q, s, v), this->to_eigen(v) + force);
    this->expect_same(this->model_.displace(q, s, v), this->to_eigen(v) + this->problem_.inverse_mass * force);
  }
}

TYPED_TEST(ConstrainedDerivatives, InTheMatrices) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto q = this->near(this->example_), r = this->near(q);
    const auto jacobian = this->jacobian(q);
    const auto& inverse_mass = this->problem_.inverse_mass;
    ASSERT_EQ(inverse_mass, inverse_mass.transpose());
    this->expect_same(this->model_.schur(r, q), this->jacobian(r) * inverse_mass * jacobian.transpose());
    this->expect_same(this->model_.gram(q), jacobian * jacobian.transpose());
  }
}

TYPED_TEST(ConstrainedDerivatives, TwiceAlongALine) {
  // D^2 g(v, v) = d/dt G(q + t v) v.
  using Along = Dual<double, 1>;
  const typename TypeParam::template Model<Along> model(this->parameters_);
  for (int trial = 0; trial < 10; ++trial) {
    const auto q = this->near(this->example_), v = this->direction();
    Vec<Along, TypeParam::N> line, direction;
    for (int i = 0; i < TypeParam::N; ++i) {
      line[i] = Along(q[i]), direction[i] = Along(v[i]);
      line[i].tangent[0] = v[i];
    }
    const auto rate = model.push(line, direction);
    Eigen::VectorXd second(TypeParam::D);
    for (int i = 0; i < TypeParam::D; ++i) second[i] = rate[i].tangent[0];
    this->expect_same(this->model_.curvature(q, v), second);
  }
}

}  // namespace
}  // namespace polhode::test
