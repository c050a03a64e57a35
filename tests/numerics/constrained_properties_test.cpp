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
    for (const int solver : GetParam().solvers) {
      SCOPED_TRACE(subject().solvers[solver]);
      test(solver);
    }
  }
  int first_solver() const { return GetParam().solvers.front(); }
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
  // needs smaller steps: 0.03 was measured for six pendula, 0.001 for one. So does order 4: 0.08 was measured for two
  // pendula; for one its errors then come near round-off, below which nothing is compared.
  const int order = GetParam().order(), finer = order == 1 ? 64 : order == 4 ? 4 : 1;
  std::mt19937_64 random(3);
  const State start = subject().start(random, coefficients().momentum);
  const double t = 32 * subject().step;
  const State end = exact(subject(), t, order == 4 ? 4096 : 512, subject().lifted(start));
  const int n = subject().N;
  const double allowed = order == 4 ? 0.1 : 0.05;
  with_every_solver([&](int solver) {
    int compared = 0;
    double previous_q = 0, previous_p = 0;
    for (const int steps : {32 * finer, 64 * finer, 128 * finer}) {
      const State x = subject().lifted(advanced(solver, coefficients(), t / steps, steps, start));
      const double q_error = (x - end).head(n).norm(), p_error = (x - end).tail(n).norm();
      if (previous_q > 0 && q_error > 1e-12 && p_error > 1e-12) {
        ++compared;
        EXPECT_NEAR(std::log2(previous_q / q_error), order, allowed) << steps << " steps, " << q_error;
        EXPECT_NEAR(std::log2(previous_p / p_error), order, allowed) << steps << " steps, " << p_error;
      }
      previous_q = q_error, previous_p = p_error;
    }
    EXPECT_GT(compared, 0);
  });
}

TEST_P(ConstrainedProperties, AdjointUndoes) {
  if (coefficients().kick_before + coefficients().kick_after == 0)
    GTEST_SKIP() << "a method that is not made of kicks has no adjoint among the methods; a symmetric one is tested to "
                    "undo itself in SymmetricWhereDeclared";
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
      const State there = advanced(first_solver(), coefficients(), h, 1, start);
      const State back = advanced(first_solver(), coefficients(), -h, 1, there);
      return distance(subject().lifted(back), subject().lifted(start));
    };
    // Order 4 leaves too little of itself to be seen at the example's step.
    const double h = (GetParam().order() > 2 ? 3 : 1) * subject().step;
    coarse = std::max(coarse, way_back(h));
    fine = std::max(fine, way_back(h / 2));
  }
  if (GetParam().is_symmetric()) {
    EXPECT_LT(coarse, round_off);
    EXPECT_LT(fine, round_off);
  } else {
    // Terms h^(order+1) of the two steps add up for odd order and cancel for even order.
    const int order = GetParam().order();
    EXPECT_GT(fine, order == 4 ? 1e-10 : 1e-7);  // at least 10^3 times what symmetric methods are allowed
    EXPECT_NEAR(std::log2(coarse / fine), order % 2 == 1 ? order + 1 : order + 2, order == 4 ? 0.4 : 0.3);
  }
}

TEST_P(ConstrainedProperties, SolversAgree) {
  if (GetParam().solvers.size() == 1)
    GTEST_SKIP() << "this method has one solver on this system: there is none to compare it with";
  std::mt19937_64 random(11);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const State start = subject().start(random, coefficients().momentum);
    const State first = advanced(first_solver(), coefficients(), subject().step, 1, start);
    with_every_solver([&](int solver) {
      worst = std::max(worst, distance(advanced(solver, coefficients(), subject().step, 1, start), first));
    });
  }
  // Multipliers known to round-off act on the momentum over h; a projection takes all but a part h of it away again.
  EXPECT_LT(worst, coefficients().momentum == Momentum::unprojected ? 1e-15 / subject().step : round_off);
}

TEST_P(ConstrainedProperties, Energy) {
  const int order = GetParam().order();
  const int finer = order == 1 ? 16 : order == 4 ? 2 : 1;
  std::mt19937_64 random(13);
  const State start = subject().start(random, coefficients().momentum);
  double previous = 0;
  for (const int steps : {32 * finer, 64 * finer, 128 * finer}) {
    const Excursion run =
        subject().follow(first_solver(), coefficients(), 32 * subject().step / steps, steps, 1, start);
    EXPECT_TRUE(run.valid);
    const double error = run.changes[0];
    if (subject().is_free && error < 1e-12) continue;  // a free rigid body keeps it (MS Theorem 6)
    EXPECT_GT(error, 1e-13);  // over terms of stiff forces that may be large; round-off is 1e-15
    // The largest error falls between two steps. That of order 4 has a next term not far below: it moved the slope by
    // 0.2 and 0.1 in two pendula.
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), order, order == 4 ? 0.3 : 0.1) << steps << " steps, " << error;
    }
    previous = error;
  }
}

TEST_P(ConstrainedProperties, Kept) {
  // Integrals are kept but for round-off in every step, at worst all with one sign: 3e-14 was measured for pendula,
  // 1e-12 for a molecule on TN.
  std::mt19937_64 random(17);
  with_every_solver([&](int solver) {
    // Within seconds; and what does not keep the constraints ends far from them, two pendula by rk4 after 5000 steps.
    const bool is_long = solver == first_solver() && subject().D <= 8 && GetParam().properties.constraints;
    const int steps = is_long ? 10000 : 1000;
    const Excursion run = subject().follow(solver, coefficients(), subject().step, steps, 20,
                                           subject().start(random, coefficients().momentum));
    EXPECT_TRUE(run.valid);
    for (int i = 1; i < run.changes.size(); ++i) {
      if (GetParam().properties.momentum)
        EXPECT_LT(run.changes[i], 5e-12) << subject().invariants[i];
      else
        EXPECT_GT(run.changes[i], 1e-10) << subject().invariants[i];
    }
    EXPECT_LT(run.hidden_at_lift, round_off);
    if (GetParam().properties.constraints) {
      EXPECT_LT(run.position, 4e-15);
      EXPECT_LT(run.momentum, round_off);
    } else {
      EXPECT_GT(run.position, 1e-10);
    }
    if (coefficients().momentum == Momentum::unprojected) {
      EXPECT_GT(run.hidden_constraint, 1e-4);  // of order h
    }
  });
}

}  // namespace
}  // namespace polhode::test
