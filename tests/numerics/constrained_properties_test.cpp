// What the methods of constrained systems declare of themselves (method/properties.hpp), on every system and with every
// solver: order, symmetry, what is kept. Symplecticity is in constrained_symplectic_test.cpp.
#include <cmath>

#include "numerics/constrained_subjects.hpp"

namespace polhode::test {
namespace {

class ConstrainedProperties : public ::testing::TestWithParam<ConstrainedMethod> {
 protected:
  const Subject& subject() const { return *GetParam().subject; }
  const Coefficients& coefficients() const { return GetParam().coefficients; }

  template <class Test>
  void with_every_solver(const Test& test) const {
    for (int solver = 0; solver < static_cast<int>(subject().solvers.size()); ++solver) {
      SCOPED_TRACE(subject().solvers[solver]);
      test(solver);
    }
  }
  State advanced(int solver, const Coefficients& by, double h, std::int64_t steps, State x) const {
    EXPECT_TRUE(subject().advance(solver, by, h, steps, x));
    return x;
  }
};
INSTANTIATE_TEST_SUITE_P(Every, ConstrainedProperties, ::testing::ValuesIn(constrained_methods()), method_name);

/// Of two steps, relative: 1e-15 for pendula, up to 2e-14 for molecules with stiff forces.
constexpr double round_off = 5e-14;

/// By the classical Runge-Kutta method on the equations without multipliers.
State exact(const Subject& subject, double t, int steps, State x) {
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    const State a = subject.flow(x), b = subject.flow(x + h / 2 * a), c = subject.flow(x + h / 2 * b),
                d = subject.flow(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return x;
}

TEST_P(ConstrainedProperties, Order) {
  // 32 example steps of time. The next term of the error moves the slope by the step times the rate, so that order 1
  // needs smaller steps: 0.03 was measured for six pendula, 0.001 for one.
  const int finer = GetParam().order() == 1 ? 64 : 1;
  std::mt19937_64 random(3);
  const State start = subject().start(random, coefficients().momentum);
  const double t = 32 * subject().step;
  const State end = exact(subject(), t, 512, subject().lifted(start));
  const int n = subject().N;
  with_every_solver([&](int solver) {
    double previous_q = 0, previous_p = 0;
    for (const int steps : {32 * finer, 64 * finer, 128 * finer}) {
      const State x = subject().lifted(advanced(solver, coefficients(), t / steps, steps, start));
      const double q_error = (x - end).head(n).norm(), p_error = (x - end).tail(n).norm();
      if (previous_q > 0) {
        EXPECT_NEAR(std::log2(previous_q / q_error), GetParam().order(), 0.05) << steps << " steps, " << q_error;
        EXPECT_NEAR(std::log2(previous_p / p_error), GetParam().order(), 0.05) << steps << " steps, " << p_error;
      }
      previous_q = q_error, previous_p = p_error;
    }
  });
}

TEST_P(ConstrainedProperties, AdjointUndoes) {
  // The adjoint of the step with the shares (a, b) of the kick has (b, a). Momenta are compared on CM: SHAKE's own come
  // back up to a constraint force.
  const Coefficients adjoint{coefficients().kick_after, coefficients().kick_before, coefficients().momentum};
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const State start = subject().start(random, coefficients().momentum);
    with_every_solver([&](int solver) {
      for (const double h : {subject().step, -subject().step}) {
        const State there = advanced(solver, coefficients(), h, 1, start),
                    back = advanced(solver, adjoint, -h, 1, there);
        EXPECT_LT(distance(subject().lifted(back), subject().lifted(start)), round_off);
        EXPECT_GT(distance(there, start), 1e-3);
      }
    });
  }
}

TEST_P(ConstrainedProperties, SymmetricWhereDeclared) {
  std::mt19937_64 random(7);
  double coarse = 0, fine = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const State start = subject().start(random, coefficients().momentum);
    const auto way_back = [&](double h) {
      const State back = advanced(0, coefficients(), -h, 1, advanced(0, coefficients(), h, 1, start));
      return distance(subject().lifted(back), subject().lifted(start));
    };
    coarse = std::max(coarse, way_back(subject().step));
    fine = std::max(fine, way_back(subject().step / 2));
  }
  if (GetParam().is_symmetric()) {
    EXPECT_LT(coarse, round_off);
    EXPECT_LT(fine, round_off);
  } else {
    // Terms h^(order+1) of the two steps add up for odd order.
    EXPECT_GT(fine, 1e-7);
    EXPECT_NEAR(std::log2(coarse / fine), GetParam().order() + 1, 0.3);
  }
}

TEST_P(ConstrainedProperties, SolversAgree) {
  std::mt19937_64 random(11);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const State start = subject().start(random, coefficients().momentum);
    const State first = advanced(0, coefficients(), subject().step, 1, start);
    with_every_solver([&](int solver) {
      worst = std::max(worst, distance(advanced(solver, coefficients(), subject().step, 1, start), first));
    });
  }
  // Multipliers known to round-off act on the momentum over h; a projection takes all but a part h of it away again.
  EXPECT_LT(worst, coefficients().momentum == Momentum::unprojected ? 1e-15 / subject().step : round_off);
}

TEST_P(ConstrainedProperties, Energy) {
  const int finer = GetParam().order() == 1 ? 16 : 1;
  std::mt19937_64 random(13);
  const State start = subject().start(random, coefficients().momentum);
  double previous = 0;
  for (const int steps : {32 * finer, 64 * finer, 128 * finer}) {
    const Excursion run = subject().follow(0, coefficients(), 32 * subject().step / steps, steps, 1, start);
    EXPECT_TRUE(run.valid);
    const double error = run.changes[0];
    if (subject().is_free && error < 1e-12) continue;  // a free rigid body keeps it (MS Theorem 6)
    EXPECT_GT(error, 1e-13);  // over terms of stiff forces that may be large; round-off is 1e-15
    // The largest error falls between two steps.
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), GetParam().order(), 0.1) << steps << " steps, " << error;
    }
    previous = error;
  }
}

TEST_P(ConstrainedProperties, Kept) {
  // Integrals are kept but for round-off in every step, at worst all with one sign: 3e-14 was measured for pendula,
  // 1e-12 for a molecule on TN.
  std::mt19937_64 random(17);
  with_every_solver([&](int solver) {
    const int steps = solver == 0 && subject().D <= 8 ? 10000 : 1000;  // within seconds
    const Excursion run = subject().follow(solver, coefficients(), subject().step, steps, 20,
                                           subject().start(random, coefficients().momentum));
    EXPECT_TRUE(run.valid);
    for (int i = 1; i < run.changes.size(); ++i) EXPECT_LT(run.changes[i], 5e-12) << subject().invariants[i];
    EXPECT_LT(run.position, 4e-15);
    EXPECT_LT(run.momentum, round_off);
    EXPECT_LT(run.hidden_at_lift, round_off);
    if (coefficients().momentum == Momentum::unprojected) {
      EXPECT_GT(run.hidden_constraint, 1e-4);  // of order h
    }
  });
}

}  // namespace
}  // namespace polhode::test
