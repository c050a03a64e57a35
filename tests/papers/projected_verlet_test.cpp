// A symplectic scheme, once it is constrained, "may or may not be symplectic" (Pierce 1994, sect. 3). The Verlet scheme
// (14) is, and with multipliers, as SHAKE (15) and RATTLE (16), it still is. With a projection instead it is not:
//
//     p' = p - h/2 V_q(q),   Q' = q + h W p',   P' = p' - h/2 V_q(Q')
//     Q = Q' + W G^T s on g = 0,   P = P' - G(Q)^T mu on G W P = 0
//
// because the impulses that bring Q' back to the constraints are missing in P.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "numerics/structures.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/shake.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

template <class System>
class ProjectedVerlet : public ::testing::Test {
 protected:
  static constexpr int N = System::N;
  using Along = Dual<double, 1>;
  using Position = Vec<Along, N>;

  /// Verlet's step, and its projection to the constraints.
  TangentMap verlet(double h, bool is_projected) const {
    return [=, this](State& x, State& tangent) {
      const typename System::template Model<Along> model(subject_.parameters.data());
      const Along half(h / 2);
      Position q, p;
      for (int k = 0; k < N; ++k) {
        q[k] = Along(x[k]), q[k].tangent[0] = tangent[k];
        p[k] = Along(x[N + k]), p[k].tangent[0] = tangent[N + k];
      }
      p = model.kick(q, -half, p);
      q = q + Along(h) * model.velocity(p);
      p = model.kick(q, -half, p);
      if (is_projected) {
        for (int k = 0; k < 10; ++k) q = q - model.displacement(q, q);
        p = model.to_hidden_constraint(q, p);
      }
      for (int k = 0; k < N; ++k) {
        x[k] = q[k].value, tangent[k] = q[k].tangent[0];
        x[N + k] = p[k].value, tangent[N + k] = p[k].tangent[0];
      }
      return true;
    };
  }
  double defect(const State& x, const TangentMap& map, Momentum momentum = Momentum::hidden_constraint) const {
    return subject_.structure_defect(momentum, x, map);
  }

  const Subject& subject_ = subject_of(System::name);
};
using Pendula = ::testing::Types<SphericalPendulum, DoubleSphericalPendulum>;
TYPED_TEST_SUITE(ProjectedVerlet, Pendula);

TYPED_TEST(ProjectedVerlet, IsNotSymplecticThoughVerletIs) {
  const Subject& subject = this->subject_;
  std::mt19937_64 random(157);
  for (int trial = 0; trial < 10; ++trial) {
    const State x = subject.start(random, Momentum::hidden_constraint);
    const double h = subject.step;
    // On all positions and momenta, and on those of the constraints: 6e-16 was measured.
    EXPECT_LT(form_defect(Eigen::MatrixXd(0, x.size()), x, this->verlet(h, false)), 5e-15);
    for (const Scheme& scheme : {scheme_of<RattleMethod>(), scheme_of<ShakeMethod>()})
      EXPECT_LT(this->defect(x, subject.tangent_step(0, {{scheme}}, h), scheme.momentum), 5e-15);

    const double coarse = this->defect(x, this->verlet(h, true)), fine = this->defect(x, this->verlet(h / 2, true));
    EXPECT_GT(fine, 5e-5);                           // 1.0e-4 to 1.4e-3 were measured: no round-off
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);  // h^2 of an impulse; the next term: 1.99 to 2.02 were measured
  }
}

}  // namespace
}  // namespace polhode::test
