// The Poisson structures of the two systems of a top, and that the declared methods keep them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "numerics/methods.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {
namespace {

template <int N>
using Matrix = std::array<std::array<double, N>, N>;

/// {x_i, x_j} = B_ij(x), so that x' = B grad H. On se(3)*, state (Pi, Gamma):
///
///     {Pi_i, Pi_j} = -eps_ijk Pi_k,   {Pi_i, Gamma_j} = -eps_ijk Gamma_k,   {Gamma, Gamma} = 0
Matrix<6> bracket(const Vec<double, 6>& x) {
  Matrix<6> b{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i][j] = -x[k], b[j][i] = x[k];
    b[i][3 + j] = -x[3 + k], b[j][3 + i] = x[3 + k];
    b[3 + i][j] = -x[3 + k], b[3 + j][i] = x[3 + k];
  }
  return b;
}

/// On T*SO(3) in body coordinates, state (Pi, q): Pi_i generates the rotation about body axis i, which multiplies q on
/// the right,
///
///     {Pi_i, Pi_j} = -eps_ijk Pi_k,   {q, Pi_i} = 1/2 q e_i,   {q, q} = 0
///
/// It is one on all of R^3 x R^4, with the Casimir |q|^2.
Matrix<7> bracket(const Vec<double, 7>& x) {
  Matrix<7> b{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i][j] = -x[k], b[j][i] = x[k];
    Vec<double, 4> axis{0, 0, 0, 0};
    axis[1 + i] = 0.5;
    const auto turned = quaternion_product(RigidBody::attitude(x), axis);
    for (int a = 0; a < 4; ++a) b[3 + a][i] = turned[a], b[i][3 + a] = -turned[a];
  }
  return b;
}

/// x with tangents along every coordinate.
template <int N>
Vec<Dual<double, N>, N> with_tangents(const Vec<double, N>& x) {
  Vec<Dual<double, N>, N> state;
  for (int i = 0; i < N; ++i) state[i] = Dual<double, N>::variable(x[i], i);
  return state;
}

template <class System>
class Bracket : public ::testing::Test {};
using Systems = ::testing::Types<HeavyTop, RigidBody>;
TYPED_TEST_SUITE(Bracket, Systems);

TYPED_TEST(Bracket, MakesTheFlowOfTheEnergy) {
  constexpr int N = TypeParam::dim;
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const TopParameters body = random_body(random);
    auto x = to_state<TypeParam, double>(random_point(random));
    for (int i = 3; i < N; ++i) x[i] *= 1.1;  // the structure and the energy go on beyond unit lengths
    const auto energy = typename TypeParam::template Model<Dual<double, N>>(body.data()).energy(with_tangents(x));
    const auto rate = flow<TypeParam, double>(typename TypeParam::template Model<double>(body.data()), x);
    const auto b = bracket(x);
    for (int i = 0; i < N; ++i) {
      double sum = 0;
      for (int j = 0; j < N; ++j) sum += b[i][j] * energy.tangent[j];
      EXPECT_NEAR(sum, rate[i], 2e-14);  // a few roundings of Pi^2 / I, up to 30
    }
  }
}

/// Largest element of D B(x) D^T - B(y) over |Pi|, where y is x after a step and D its Jacobian.
template <class Method>
double poisson_defect(const TopParameters& body, double h, const Point& point) {
  constexpr int N = Method::System::dim;
  const auto x = to_state<typename Method::System, double>(point);
  auto state = with_tangents(x);
  EXPECT_TRUE((advance<Method, Dual<double, N>>(body, h, 1, state)));
  Vec<double, N> image;
  for (int i = 0; i < N; ++i) image[i] = state[i].value;
  const auto before = bracket(x), after = bracket(image);
  double defect = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double carried = 0;
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) carried += state[i].tangent[a] * before[a][b] * state[j].tangent[b];
      defect = std::max(defect, std::abs(carried - after[i][j]));
    }
  return defect / std::hypot(x[0], x[1], x[2]);
}

template <class Method>
class Poisson : public ::testing::Test {};
TYPED_TEST_SUITE(Poisson, DeclaringMethods);

TYPED_TEST(Poisson, KeptWhereDeclared) {
  constexpr Point points[] = {body_start, {0.3, -1.1, 0.7, 0.6, 0, 0.8}, {1.4, 0.5, -0.6, 0.3, -0.9, 0.3}};
  for (TopParameters body : {heavy_body, oblique_body}) {
    if (is_for_free_bodies<TypeParam>) body[6] = 0;
    for (const Point& x : points) {
      const double coarse = poisson_defect<TypeParam>(body, 0.1, x), fine = poisson_defect<TypeParam>(body, 0.05, x);
      if (TypeParam::properties.poisson) {
        EXPECT_LT(coarse, 1e-12) << "chi1 = " << body[3];  // sums of 36 or 49 products, of a solve to 7e-15
        EXPECT_LT(fine, 1e-12) << "chi1 = " << body[3];
      } else {
        // The structure is missed by a term of the error, h^(order+1) or more.
        EXPECT_GT(fine, 1e-6) << "chi1 = " << body[3];
        EXPECT_NEAR(std::log2(coarse / fine), TypeParam::properties.order + 1, 0.5) << "chi1 = " << body[3];
      }
    }
  }
}

}  // namespace
}  // namespace polhode::test
