// The structures that the suite of properties measures with (structures.hpp): they make the flow of the energy, and psi
// carries that of CM to that of TN (McLachlan & Scovel 1995, Theorem 1).
#include <cmath>

#include "numerics/structures.hpp"
#include "numerics/support.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {
namespace {

class TangentMomenta : public ::testing::TestWithParam<const Subject*> {};

std::vector<const Subject*> with_tangent_space() {
  std::vector<const Subject*> chosen = subjects();
  std::erase_if(chosen, [](const Subject* subject) { return !subject->has_tangent_space; });
  return chosen;
}
INSTANTIATE_TEST_SUITE_P(Every, TangentMomenta, ::testing::ValuesIn(with_tangent_space()), subject_name);

TEST_P(TangentMomenta, CarryFormAndEnergy) {
  const Subject& subject = *GetParam();
  std::mt19937_64 random(29);
  for (int trial = 0; trial < 10; ++trial) {
    const State x = subject.start(random, Momentum::hidden_constraint);
    State image = x, unused = State::Zero(x.size());
    ASSERT_TRUE(subject.tangent_psi()(image, unused));
    EXPECT_LT(subject.distance(subject.lifted(image), x), 1e-14);
    const auto n = x.size() / 2;
    const double scale = std::abs(subject.energy(x)) + x.tail(n).dot(subject.flow(x).head(n));
    EXPECT_LT(subject.structure_defect(Momentum::hidden_constraint, x, subject.tangent_psi()), 1e-13);
    EXPECT_NEAR(subject.energy(image), subject.energy(x), 1e-14 * scale);
  }
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
    Vec<Dual<double, N>, N> with_tangents;
    for (int i = 0; i < N; ++i) with_tangents[i] = Dual<double, N>::variable(x[i], i);
    const auto energy = typename TypeParam::template Model<Dual<double, N>>(body.data()).energy(with_tangents);
    const auto rate = flow<TypeParam, double>(typename TypeParam::template Model<double>(body.data()), x);
    const State at = Eigen::Map<const State>(x.v, N);
    const State made =
        (N == 6 ? bracket_on_se3(at) : bracket_on_cotangent_so3(at)) * Eigen::Map<const State>(energy.tangent, N);
    for (int i = 0; i < N; ++i) EXPECT_NEAR(made[i], rate[i], 2e-14);  // a few roundings of Pi^2 / I, up to 30
  }
}

TEST(BracketOnSo, MakesTheFlowOfTheEnergy) {
  // m' = [m, omega], omega_ij = m_ij / (alpha_i + alpha_j).
  int compared = 0;
  for (const Subject* subject : subjects()) {
    if (subject->system.family != std::string("rigid-body-n")) continue;
    const std::vector<double>& alpha = subject->parameters;
    const auto n = static_cast<int>(alpha.size());
    std::mt19937_64 random(5);
    const State x = subject->start(random, Momentum::hidden_constraint), rate = subject->flow(x);
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n), omega = m;
    for (int i = 0, k = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j, ++k) {
        m(i, j) = x[k], m(j, i) = -x[k];
        omega(i, j) = x[k] / (alpha[i] + alpha[j]), omega(j, i) = -omega(i, j);
      }
    const Eigen::MatrixXd exact = m * omega - omega * m;
    for (int i = 0, k = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j, ++k) EXPECT_NEAR(rate[k], exact(i, j), 4e-15);  // sums of products up to 1
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

}  // namespace
}  // namespace polhode::test
