// A symplectic scheme does not keep all integrals unless it is exact, up to the time (Pierce 1994, sect. 4.1). The
// system of Henon and Heiles has no integral but the energy: methods that keep the form change it, at any order, and a
// rule that keeps it changes the form, that of the average gradient,
//
//     Q = q + h (p + P) / 2,   P = p - h int_0^1 V_q(q + s (Q - q)) ds,
//
// which Simpson's rule gives exactly for a cubic V. So it is on a reduced space: of a Lagrange top RATTLE keeps the
// Casimirs and Pi_3, which are its integrals but for the energy, and is Poisson, and the energy changes.
//
// The Moser-Veselov map keeps all integrals of a free body. It is the exact motion in another time
// (time_change_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "numerics/structures.hpp"
#include "numerics/support.hpp"
#include "polhode/system/henon_heiles.hpp"

namespace polhode::test {
namespace {

using Along = Dual<double, 1>;

/// Averaged gradient, by iteration to round-off: a sweep gains the factor h^2 / 4.
bool average_gradient(double h, State& x, State& tangent) {
  const HenonHeiles::Model<Along> model(nullptr);
  Vec<Along, 2> q, p;
  for (int k = 0; k < 2; ++k) {
    q[k] = Along(x[k]), q[k].tangent[0] = tangent[k];
    p[k] = Along(x[2 + k]), p[k].tangent[0] = tangent[2 + k];
  }
  Vec<Along, 2> end = q, momentum = p;
  for (int k = 0; k < 40; ++k) {
    end = q + Along(h / 2) * (p + momentum);
    momentum = p - Along(h / 6) *
                       (model.potential_gradient(q) + Along(4.0) * model.potential_gradient(Along(0.5) * (q + end)) +
                        model.potential_gradient(end));
  }
  for (int k = 0; k < 2; ++k) {
    x[k] = end[k].value, tangent[k] = end[k].tangent[0];
    x[2 + k] = momentum[k].value, tangent[2 + k] = momentum[k].tangent[0];
  }
  return true;
}

/// Largest change of the energy of an orbit over t = 40.
double energy_error(const Subject& subject, double h, const std::function<void(State&)>& step) {
  State x(4);
  HenonHeiles::example_state(nullptr, x.data());
  const double start = subject.energy(x);
  double most = 0;
  for (int n = 0; n < std::lround(40 / h); ++n) {
    step(x);
    most = std::max(most, std::abs(subject.energy(x) - start) / start);
  }
  return most;
}

TEST(SystemOfHenonAndHeiles, KeepsItsEnergyOrItsFormButNotBoth) {
  const Subject& subject = subject_of("henon-heiles");
  State x(4);
  HenonHeiles::example_state(nullptr, x.data());
  const auto form = [&](const TangentMap& step) {
    return subject.structure_defect(Momentum::hidden_constraint, x, step);
  };

  int symplectic = 0;
  for (const std::vector<Method>* methods : {&catalog_methods(), &methods_of_higher_order()})
    for (const Method& method : *methods) {
      if (method.system != subject.system.name || !method.properties.poisson) continue;
      SCOPED_TRACE(method.name);
      const auto of_energy = [&](double h) {
        return energy_error(subject, h,
                            [&](State& at) { subject.advance(method.solvers[0], method.stages, h, 1, at); });
      };
      EXPECT_LT(form(subject.tangent_step(method.solvers[0], method.stages, 0.1)), 1e-15);
      const double coarse = of_energy(0.1), fine = of_energy(0.05);
      EXPECT_GT(fine, 1e-10);                                               // of order 4; round-off is 2e-15
      EXPECT_NEAR(std::log2(coarse / fine), method.properties.order, 0.1);  // the next term: 0.044 was measured
      ++symplectic;
    }
  EXPECT_GE(symplectic, 4);

  const auto average = [](double h) {
    return [h](State& at, State& tangent) { return average_gradient(h, at, tangent); };
  };
  State unused = State::Zero(4);
  for (const double h : {0.1, 0.05})
    EXPECT_LT(energy_error(subject, h, [&](State& at) { average_gradient(h, at, unused); }),
              1e-14);  // 800 roundings: 2.2e-15
  const double coarse = form(average(0.1)), fine = form(average(0.05));
  EXPECT_GT(fine, 1e-6);
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.1);  // the local error of a rule of order 2: 2.96
}

TEST(ReducedLagrangeTop, KeepsItsEnergyOrItsBracketButNotBoth) {
  using Method = Rattle<HeavyTop, CayleySolver>;
  constexpr TopParameters body{1.5, 1.5, 0.9, 0, 0, 1, 1};
  constexpr int pi_3 = 4;
  const HeavyTop::Model<double> model(body.data());
  const auto start = to_state<HeavyTop, double>(Point{0.4, -0.3, 1.1, 0.6, 0, 0.8});
  const auto changes = [&](double h) {
    std::array<double, HeavyTop::n_invariants> most{};
    auto x = start;
    for (int n = 0; n < std::lround(40 / h); ++n) {
      EXPECT_TRUE((advance<Method, double>(body, h, 1, x)));
      for (int i = 0; i < HeavyTop::n_invariants; ++i)
        most[i] = std::max(most[i], std::abs(model.invariant(i, x) - model.invariant(i, start)));
    }
    return most;
  };
  const auto coarse = changes(0.1), fine = changes(0.05);
  for (const int kept : {1, 2, pi_3}) EXPECT_LT(fine[kept], 1e-14) << HeavyTop::invariants[kept].name;  // 1.6e-15
  EXPECT_GT(fine[0], 1e-3);
  EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 2, 0.01);  // 2.003

  const TangentMap step = [&](State& at, State& tangent) {
    HeavyTop::State<Along> x;
    for (int i = 0; i < 6; ++i) x[i] = Along(at[i]), x[i].tangent[0] = tangent[i];
    const bool valid = advance<Method, Along>(body, 0.1, 1, x);
    for (int i = 0; i < 6; ++i) at[i] = x[i].value, tangent[i] = x[i].tangent[0];
    return valid;
  };
  EXPECT_LT(poisson_defect(bracket_on_se3, Eigen::Map<const State>(start.v, 6), step), 2e-15);
}

}  // namespace
}  // namespace polhode::test
