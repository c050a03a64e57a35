// What every method declares of itself (method/properties.hpp) on every system of the catalog, with every solver and at
// two sets of parameters: order, symmetry, what is kept; and that what is not declared is measurably absent. An
// explicit rule without any property goes through the same tests. Tolerances are in support/tolerances.hpp.
#include <cmath>
#include <cstdio>
#include <iterator>

#include "numerics/subject.hpp"
#include "support/tolerances.hpp"

namespace polhode::test {
namespace {

class MethodProperties : public ::testing::TestWithParam<Method> {
 protected:
  const Method& method() const { return GetParam(); }
  const Tolerances& allowed() const { return tolerances_of(method().name); }
  static const RoundOff& round_off(const Subject& subject) { return round_off_of(subject.system); }

  /// test(subject) with the method's parameters.
  template <class Test>
  void on_every_subject(const Test& test) const {
    for (const Subject* subject : method().subjects) {
      SCOPED_TRACE(::testing::PrintToString(subject->parameters));
      test(*subject);
    }
  }
  /// test(solver).
  template <class Test>
  void with_every_solver(const Subject& subject, const Test& test) const {
    for (const int solver : method().solvers) {
      SCOPED_TRACE(subject.solver_name(solver));
      test(solver);
    }
  }
  /// The same within seconds: of large systems with the first alone, to which the others are compared.
  template <class Test>
  void with_solvers_in_time(const Subject& subject, const Test& test) const {
    with_every_solver(subject, [&](int solver) {
      if (solver == method().solvers.front() || is_small(subject)) test(solver);
    });
  }
  static bool is_small(const Subject& subject) { return subject.dim() <= 7; }

  /// Numbers of steps, each twice the one before, to which an error is compared that is not larger than this.
  struct Steps {
    int first, last;
    double largest_error;
    bool is_wide() const { return largest_error < HUGE_VAL; }
  };
  /// 32, 64 and 128 times the refinement. Maps of high order need long steps for errors above round-off, and how long
  /// is a matter of the system: below 1 it is where the numbers begin, up to 1024, and the asymptotic range is found.
  static Steps steps_of(double refinement) {
    if (refinement < 1) return {static_cast<int>(32 * refinement), 1024, 1e-6};
    return {static_cast<int>(32 * refinement), static_cast<int>(128 * refinement), HUGE_VAL};
  }

  State advanced(const Subject& subject, int solver, const Stages& stages, double h, std::int64_t steps,
                 State x) const {
    EXPECT_TRUE(subject.advance(solver, stages, h, steps, x));
    return x;
  }
  /// The parts of the error of a state: of q and of p, of Pi and of Gamma. An angle that is a part by itself counts
  /// with the one before, because the error of one number may vanish.
  static std::vector<double> errors(const Subject& subject, const State& x, const State& exact) {
    std::vector<double> all;
    int first = 0;
    for (std::size_t k = 0; k < subject.parts.size(); first += subject.parts[k++]) {
      const double error = (x - exact).segment(first, subject.parts[k]).norm();
      if (subject.system.layout[k].form == Block::Form::angle)
        all.back() = std::hypot(all.back(), error);
      else
        all.push_back(error);
    }
    return all;
  }
  /// Whether an integral is linear in the state, so that any rule keeps it.
  static bool is_linear(const Subject& subject, int k) {
    std::mt19937_64 random(23);
    const auto gradient = [&] {
      return subject.invariant_gradient(subject.invariants[k], subject.start(random, Momentum::hidden_constraint));
    };
    return gradient() == gradient();
  }
  /// The largest measured value of a test, in the report.
  void record(const char* what, double value) const {
    char text[32];
    std::snprintf(text, sizeof(text), "%.2g", value);
    RecordProperty(what, text);
  }
};
template <class Predicate>
std::vector<Method> those_of(const std::vector<Method>& methods, const Predicate& wanted) {
  std::vector<Method> chosen;
  std::copy_if(methods.begin(), methods.end(), std::back_inserter(chosen), wanted);
  return chosen;
}
bool is_made_of_kicks(const Method& method) { return method.is_made_of_kicks(); }

INSTANTIATE_TEST_SUITE_P(Catalog, MethodProperties, ::testing::ValuesIn(catalog_methods()), method_name);
INSTANTIATE_TEST_SUITE_P(Composed, MethodProperties, ::testing::ValuesIn(compositions()), method_name);
INSTANTIATE_TEST_SUITE_P(HigherOrder, MethodProperties, ::testing::ValuesIn(methods_of_higher_order()), method_name);
INSTANTIATE_TEST_SUITE_P(Control, MethodProperties, ::testing::ValuesIn(controls()), method_name);

TEST_P(MethodProperties, Order) {
  // 32 example steps of time. Errors that come near the round-off of as many steps, some 1e-15, are not compared.
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    const int order = method().order(subject);
    const Steps range = steps_of(method().properties.order == order ? allowed().order_refinement : 1);
    std::mt19937_64 random(3);
    const State start = subject.start(random, method().momentum());
    const double t = 32 * subject.step;
    const State end = subject.exact(t, order > 2 ? 4096 : 512, subject.lifted(start));
    with_every_solver(subject, [&](int solver) {
      int compared = 0;
      std::vector<double> previous;
      for (int steps = range.first; steps <= range.last; steps *= 2) {
        const State x = subject.lifted(advanced(subject, solver, method().stages, t / steps, steps, start));
        const std::vector<double> now = errors(subject, x, end);
        for (std::size_t k = 0; k < previous.size(); ++k)
          if (std::ranges::min(now) > 2e-13 && std::ranges::max(previous) < range.largest_error) {
            ++compared;
            const double slope = std::log2(previous[k] / now[k]);
            EXPECT_NEAR(slope, order, allowed().order_slope) << "part " << k << ", " << steps << " steps, " << now[k];
            worst = std::max(worst, std::abs(slope - order));
          }
        previous = now;
      }
      EXPECT_GT(compared, 0);
    });
  });
  record("worst", worst);
}

/// A method that is not made of kicks has no adjoint among the methods.
class KickedMethods : public MethodProperties {};
INSTANTIATE_TEST_SUITE_P(Catalog, KickedMethods, ::testing::ValuesIn(those_of(catalog_methods(), is_made_of_kicks)),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Composed, KickedMethods, ::testing::ValuesIn(compositions()), method_name);

TEST_P(KickedMethods, AreUndoneByTheAdjoint) {
  // The adjoint of the step with the shares (a, b) of the kick has (b, a), and of a composition the stages in reverse.
  // Momenta are compared on CM: SHAKE's own come back up to a constraint force.
  Stages adjoint(method().stages.rbegin(), method().stages.rend());
  for (Part& stage : adjoint) stage.scheme.kicks = stage.scheme.kicks.adjoint();
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    std::mt19937_64 random(5);
    double moved = 0;
    for (int trial = 0; trial < 10; ++trial) {
      const State start = subject.start(random, method().momentum());
      with_every_solver(subject, [&](int solver) {
        for (const double h : {subject.step, -subject.step}) {
          const State there = advanced(subject, solver, method().stages, h, 1, start),
                      back = advanced(subject, solver, adjoint, -h, 1, there);
          const double off = subject.distance(subject.lifted(back), subject.lifted(start));
          EXPECT_LT(off, round_off(subject).step);
          worst = std::max(worst, off);
          moved = std::max(moved, subject.distance(there, start));
        }
      });
    }
    EXPECT_GT(moved, 1e-3);
  });
  record("worst", worst);
}

TEST_P(MethodProperties, SymmetricWhereDeclared) {
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    std::mt19937_64 random(7);
    std::vector<State> starts;
    for (int trial = 0; trial < 10; ++trial) starts.push_back(subject.start(random, method().momentum()));
    with_solvers_in_time(subject, [&](int solver) {
      const auto way_back = [&](double h) {
        double most = 0;
        for (const State& start : starts) {
          const State there = advanced(subject, solver, method().stages, h, 1, start);
          const State back = advanced(subject, solver, method().stages, -h, 1, there);
          most = std::max(most, subject.distance(subject.lifted(back), subject.lifted(start)));
        }
        return most;
      };
      if (method().is_symmetric(subject)) {
        for (const double h : {subject.step, subject.step / 2}) {
          const double off = way_back(h);
          EXPECT_LT(off, round_off(subject).step) << "h = " << h;
          worst = std::max(worst, off);
        }
        return;
      }
      // Terms h^(order+1) of the two steps add up for odd order and cancel for even order.
      const int order = method().order(subject);
      double h = subject.step / 2;
      for (int k = 0; k < 4 && way_back(h) < allowed().way_back_least; ++k) h *= 2;
      const double coarse = way_back(2 * h), fine = way_back(h);
      EXPECT_GT(fine, allowed().way_back_least);
      EXPECT_NEAR(std::log2(coarse / fine), order % 2 == 1 ? order + 1 : order + 2, allowed().way_back_slope);
    });
  });
  record("worst", worst);
}

class MethodsWithSolvers : public MethodProperties {};
INSTANTIATE_TEST_SUITE_P(Catalog, MethodsWithSolvers,
                         ::testing::ValuesIn(those_of(catalog_methods(),
                                                      [](const Method& method) { return method.solvers.size() > 1; })),
                         method_name);

TEST_P(MethodsWithSolvers, AgreeAndAreNotOne) {
  // To round-off, and not to the last bit: solvers are different computations, and two whose results are always the
  // same are one under two names.
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    const auto n = method().solvers.size();
    std::vector<std::vector<bool>> differ(n, std::vector<bool>(n));
    std::mt19937_64 random(11);
    const int trials = is_small(subject) ? 1000 : 100;
    for (int trial = 0; trial < trials; ++trial) {
      const State start = subject.start(random, method().momentum());
      std::vector<State> ends;
      for (const int solver : method().solvers)
        ends.push_back(advanced(subject, solver, method().stages, subject.step, 1, start));
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          worst = std::max(worst, subject.distance(ends[a], ends[b]));
          differ[a][b] = differ[a][b] || ends[a] != ends[b];
        }
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_TRUE(differ[a][b]) << subject.solver_name(method().solvers[a]) << " is "
                                  << subject.solver_name(method().solvers[b]) << ": the same bits from all states";
    // Multipliers known to round-off act on the momentum over h; a projection takes all but a part h of it away again.
    EXPECT_LT(worst, allowed().momentum_over_h ? 1e-15 / subject.step : round_off(subject).step);
  });
  record("worst", worst);
}

TEST_P(MethodProperties, Energy) {
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    const int order = method().order(subject);
    const Steps range = steps_of(method().properties.order == order ? allowed().energy_refinement : 1);
    std::mt19937_64 random(13);
    const State start = subject.start(random, method().momentum());
    with_solvers_in_time(subject, [&](int solver) {
      double previous = 0;
      int compared = 0;
      for (int steps = range.first; steps <= range.last; steps *= 2) {
        // Seen at the same times of each run.
        const Excursion run = subject.follow(solver, method().stages, 32 * subject.step / steps, steps,
                                             steps / std::min(range.first, 32), start);
        EXPECT_TRUE(run.valid);
        const double error = run.changes[0];
        if (method().properties.energy) {
          EXPECT_LT(error, 1e-13) << steps << " steps";  // as many roundings
          continue;
        }
        // A free body keeps it by any method that is made of kicks (MS Theorem 6).
        if (subject.is_free && method().is_made_of_kicks() && error < 1e-12) continue;
        if (range.is_wide() && error < 1e-12) break;
        EXPECT_GT(error, 1e-13);  // over terms of stiff forces that may be large; round-off is 1e-15
        if (previous > 0 && previous < range.largest_error) {
          ++compared;
          const double slope = std::log2(previous / error);
          EXPECT_NEAR(slope, order, allowed().energy_slope) << steps << " steps, " << error;
          worst = std::max(worst, std::abs(slope - order));
        }
        previous = error;
      }
      if (range.is_wide() && !method().properties.energy) {
        EXPECT_GT(compared, 0);
      }
    });
  });
  record("worst", worst);
}

TEST_P(MethodProperties, Kept) {
  double worst = 0, least = HUGE_VAL;
  on_every_subject([&](const Subject& subject) {
    std::mt19937_64 random(17);
    with_every_solver(subject, [&](int solver) {
      // Within seconds. What does not keep the constraints ends far from them, two pendula by rk4 after 5000 steps; and
      // an explicit rule does not go on for long.
      const bool stays = method().properties.constraints || !subject.has_constraints;
      const bool is_example = &subject == method().subjects.front() && method().stages.size() == 1;
      const int largest = method().name == std::string("variational") ? 18 : 24;  // its steps take milliseconds
      const bool is_long = stays && is_example &&
                           (is_small(subject) || (solver == method().solvers.front() && subject.dim() <= largest));
      const int steps = solver == Subject::explicit_midpoint ? 200 : is_long ? 10000 : 1000;
      const Excursion run =
          subject.follow(solver, method().stages, subject.step, steps, 20, subject.start(random, method().momentum()));
      EXPECT_TRUE(run.valid);
      double most_momentum = 0;
      int n_momenta = 0;
      for (int k = 1; k < run.changes.size(); ++k) {
        const double change = run.changes[k];
        if (!subject.is_casimir[k] && !is_linear(subject, k))
          most_momentum = std::max(most_momentum, change), ++n_momenta;
        if (subject.is_casimir[k] ? method().properties.casimirs : method().properties.momentum) {
          EXPECT_LT(change, round_off(subject).kept) << subject.invariant_name(k);
          worst = std::max(worst, change);
        } else if (subject.is_casimir[k]) {
          EXPECT_GT(change, allowed().least_drift) << subject.invariant_name(k);
          least = std::min(least, change);
        }
      }
      if (n_momenta > 0 && !method().properties.momentum) {
        EXPECT_GT(most_momentum, allowed().least_drift);
        least = std::min(least, most_momentum);
      }
      if (!subject.has_constraints) return;
      EXPECT_LT(run.distances.hidden_at_lift, round_off(subject).step);
      if (method().properties.constraints) {
        EXPECT_LT(run.distances.position, 4e-15);  // some units in the last place
        EXPECT_LT(run.distances.momentum, round_off(subject).step);
      } else {
        EXPECT_GT(run.distances.position, allowed().least_drift);
        least = std::min(least, run.distances.position);
      }
      if (method().momentum() == Momentum::unprojected) {
        EXPECT_GT(run.distances.hidden_constraint, 1e-4);  // of order h
      }
    });
  });
  record("worst", worst);
  record("least", least);
}

TEST_P(MethodProperties, StructureKeptWhereDeclared) {
  // The derivative of a step is that of the dual numbers that it is made with.
  double worst = 0;
  on_every_subject([&](const Subject& subject) {
    std::mt19937_64 random(19);
    const auto defect = [&](int solver, double h, const State& x) {
      return subject.structure_defect(method().momentum(), x, subject.tangent_step(solver, method().stages, h));
    };
    if (method().properties.poisson) {
      for (int trial = 0; trial < 3; ++trial) {
        const State x = subject.start(random, method().momentum());
        with_every_solver(subject, [&](int solver) {
          for (const double h : {subject.step, -2 * subject.step}) {
            const double changed = defect(solver, h, x);
            EXPECT_LT(changed, 5e-14) << "h = " << h;
            worst = std::max(worst, changed);
          }
        });
      }
      return;
    }
    // Changed by a term of the local error or by the next ones.
    const State x = subject.start(random, method().momentum());
    with_solvers_in_time(subject, [&](int solver) {
      double h = subject.step;
      for (int k = 0; k < 8 && defect(solver, h, x) < 1e-6; ++k) h *= 2;
      const double coarse = defect(solver, 2 * h, x), fine = defect(solver, h, x);
      EXPECT_GT(fine, 1e-7);  // 10^6 times what is allowed where it is kept
      const double power = std::log2(coarse / fine);
      EXPECT_GT(power, method().order(subject) + 0.5);
      EXPECT_LT(power, method().order(subject) + 2.5);
    });
  });
  record("worst", worst);
}

}  // namespace
}  // namespace polhode::test
