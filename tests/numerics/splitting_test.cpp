// Splittings of a body in a potential: how far they are from Poisson maps, what they keep to round-off, and the steps
// that they have in common with other methods.
#include "polhode/method/splittings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "backend/run_plan.hpp"
#include "catalog/catalog.hpp"
#include "numerics/structures.hpp"
#include "polhode/method/preprocessed_rotation.hpp"
#include "polhode/run/staged_step.hpp"
#include "polhode/system/heavy_top.hpp"
#include "spec/method_step.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {
namespace {

using Map = PreprocessedRotation<HeavyTop, CayleySolver>;
using Point = HeavyTop::State<long double>;

/// The step of a table with a drift of some order, on the top of MS Figure 1, in long double.
class LongStep {
 public:
  LongStep(const char* table, int drift_order, double h) {
    std::copy(figure_top.begin(), figure_top.end(), plan_.parameters);
    plan_.step = h;
    plan_.step_plan = step_of(*find_method("heavy-top", "splitting"),
                              {{"coefficients", std::string(table)}, {"drift_order", std::int64_t{drift_order}}})
                          .step_plan;
    for (Stage& stage : std::span(plan_.step_plan.stages, plan_.step_plan.n_stages))
      stage.sweeps = static_cast<std::int16_t>(
          Map::nominal_sweeps<long double>(plan_.parameters, options_from<OptionsOf<Map>>(plan_.step_plan.options),
                                           plan_.step_plan.kicks[stage.kicks], stage.fraction * h));
  }
  Point operator()(const Point& x) const {
    const HeavyTop::Model<long double> model(plan_.parameters);
    const StageConstants<Map, long double> constants(plan_);
    const NominalStep<Map, long double> step(model, plan_.step_plan, constants);
    Point y;
    Failures<long double> failures;
    EXPECT_TRUE(step(x, y, true, failures));
    return y;
  }

 private:
  RunPlan plan_{};
};

using Matrix = Eigen::Matrix<long double, 6, 6>;

Matrix bracket(const Point& x) {
  const auto hat = [&](int first) {
    Eigen::Matrix<long double, 3, 3> m;
    m << 0, -x[first + 2], x[first + 1], x[first + 2], 0, -x[first], -x[first + 1], x[first], 0;
    return m;
  };
  Matrix b = Matrix::Zero();
  b.topLeftCorner<3, 3>() = hat(0);
  b.topRightCorner<3, 3>() = b.bottomLeftCorner<3, 3>() = hat(3);
  return b;
}

constexpr Point start{0.9L, 0.4L, -0.9L, 0.6L, 0.48L, 0.64L};

/// Largest entry of D B D^T - B' for the derivative D of a step, by sixth-order differences: rounding 1e-15.
double poisson_defect(const LongStep& step) {
  constexpr long double apart = 1e-4L, weights[] = {0.75L, -0.15L, 1 / 60.0L};
  Matrix D = Matrix::Zero();
  for (int j = 0; j < 6; ++j)
    for (int n = 1; n <= 3; ++n)
      for (const int sign : {1, -1}) {
        Point x = start;
        x[j] += static_cast<long double>(sign * n) * apart;
        const Point y = step(x);
        for (int i = 0; i < 6; ++i) D(i, j) += static_cast<long double>(sign) * weights[n - 1] * y[i] / apart;
      }
  return static_cast<double>((D * bracket(start) * D.transpose() - bracket(step(start))).cwiseAbs().maxCoeff());
}

constexpr double never = 0;

/// What docs/theory/splitting.md says, to a tenth of it.
TEST(Splitting, DefectOfThePoissonStructureIsThatOfTheDrift) {
  const struct {
    const char* table;
    int drift_order;
    double defects[3];  ///< at h = 0.8, 0.4, 0.2; `never`: round-off
  } rows[] = {
      {"srkn6-11b", 8, {3.061e-9, 2.466e-12, never}},   {"srkn6-14a", 8, {9.038e-10, 7.06e-13, never}},
      {"srkn8-19a", 8, {1.781e-8, 1.467e-11, 2.4e-14}}, {"srkn6-11b", 6, {9.466e-7, 3.484e-9, 2.58e-11}},
      {"srkn6-14a", 10, {1.361e-12, never, never}},
  };
  for (const auto& row : rows) {
    double h = 0.8;
    for (const double expected : row.defects) {
      const double found = poisson_defect({row.table, row.drift_order, h});
      if (expected == never) {
        EXPECT_LT(found, 1e-14) << row.table << ", drift of order " << row.drift_order << ", h = " << h;
        h /= 2;
        continue;
      }
      EXPECT_NEAR(found / expected, 1, 0.1)
          << row.table << ", drift of order " << row.drift_order << ", h = " << h << ": " << found;
      h /= 2;
    }
  }
}

/// With a drift of order 2 every splitting is a product of Poisson maps.
TEST(Splitting, IsPoissonWithADriftOfOrderTwo) {
  for (const SplittingTable& table : splitting_tables)
    for (const double h : {0.4, 0.2}) EXPECT_LT(poisson_defect({table.name, 2, h}), 4e-15) << table.name;
}

/// Casimirs to round-off, whatever the drift.
TEST(Splitting, KeepsTheCasimirs) {
  for (const SplittingTable& table : splitting_tables) {
    const LongStep step(table.name, 8, 0.5);
    const auto casimirs = [](const Point& x) {
      const Vec<long double, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]};
      return std::pair(dot(gamma, gamma), dot(pi, gamma));
    };
    Point x = start;
    for (int n = 0; n < 1000; ++n) x = step(x);
    // 2000 to 20000 stages as a random walk, 1e-17 was measured.
    EXPECT_NEAR(static_cast<double>(casimirs(x).first - casimirs(start).first), 0, 1e-16) << table.name;
    EXPECT_NEAR(static_cast<double>(casimirs(x).second - casimirs(start).second), 0, 1e-16) << table.name;
  }
}

}  // namespace
}  // namespace polhode::test
