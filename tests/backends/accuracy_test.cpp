// Measured orders and errors against known ones, on orbits of Henon and Heiles that a test integrates by itself.
#include <array>
#include <cmath>
#include <map>

#include "accuracy/chaos.hpp"
#include "accuracy/comparison.hpp"
#include "accuracy/distances.hpp"
#include "accuracy/order.hpp"
#include "accuracy/work_precision.hpp"
#include "backends/support.hpp"
#include "polhode/method/compositions.hpp"
#include "quantiles.hpp"
#include "spec/resolved_run.hpp"

namespace polhode::test {
namespace {

using Extended = std::array<long double, 4>;  // x, y, p_x, p_y

constexpr std::int64_t n = 6;
constexpr double longest = 12.8;  // a time over which even chaotic orbits of this energy stay together

/// The equations of motion.
Extended flow(const Extended& s) { return {s[2], s[3], -s[0] - 2 * s[0] * s[1], -s[1] - s[0] * s[0] + s[1] * s[1]}; }

constexpr int parts = 16;  // of the time, after which lengths are looked at

/// The states after each part, by the classical Runge-Kutta method in extended precision: its error is about 1e-15.
std::array<Extended, parts + 1> exact_orbit(Extended s) {
  constexpr int steps = 1600;  // in a part
  const long double h = static_cast<long double>(longest) / (parts * steps);
  const auto moved = [](const Extended& x, long double by, const Extended& rate) {
    Extended y;
    for (int i = 0; i < 4; ++i) y[i] = x[i] + by * rate[i];
    return y;
  };
  std::array<Extended, parts + 1> orbit{s};
  for (int k = 0; k < parts * steps; ++k) {
    const Extended a = flow(s), b = flow(moved(s, h / 2, a)), c = flow(moved(s, h / 2, b)), d = flow(moved(s, h, c));
    for (int i = 0; i < 4; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    if ((k + 1) % steps == 0) orbit[(k + 1) / steps] = s;
  }
  return orbit;
}

long double length_of_half(const Extended& s, int half) { return std::hypot(s[2 * half], s[2 * half + 1]); }

RunSpec henon_heiles(const char* method, std::map<std::string, Value> options = {}) {
  RunSpec spec;
  spec.system.name = "henon-heiles";
  spec.method = {.name = method, .step = 0.1, .solver = {}, .options = std::move(options)};
  GivenStarts starts{.states = {.numbers = {}, .width = 4}, .variables = {}};
  for (std::int64_t k = 0; k < n; ++k) {
    const double x = 0.05 * static_cast<double>(k);
    for (const double value : {x, 0.1 - x, 0.25, 0.2 + x / 2}) starts.states.numbers.push_back(value);
  }
  spec.ensemble = starts;
  spec.execution.steps = std::lround(longest / spec.method.step);
  spec.section.emplace().name = "q1";
  return spec;
}

/// The example of a system, with its step, by RATTLE.
RunSpec example_by_rattle(const char* name) {
  RunSpec spec;
  spec.system.name = name;
  const SystemEntry& system = *find_system(spec.system.name);
  for (std::size_t i = 0, first = 0; i < system.parameters.size(); first += system.parameters[i++].size)
    spec.system.parameters[system.parameters[i].name] = {
        system.example_parameters.begin() + first,
        system.example_parameters.begin() + first + system.parameters[i].size};
  spec.method = {.name = "rattle", .step = system.example_step, .solver = {}, .options = {}};
  std::vector<double> state(system.dim);
  system.example_state(system.example_parameters.data(), state.data());
  spec.ensemble = GivenStarts{.states = {.numbers = state, .width = state.size()}, .variables = {}};
  spec.execution.steps = 64;
  return spec;
}

Orbits orbits_of(const RunSpec& spec) {
  const ResolvedRun run = resolve(spec);
  const Starts starts = make_initial_states(run, {}).starts;
  return {run, sample_of(starts, starts.count()), spec.execution.steps};
}

OrderReport order_of(const char* method, std::map<std::string, Value> options = {}) {
  return measure_order(orbits_of(henon_heiles(method, std::move(options))));
}

std::vector<std::array<Extended, parts + 1>> exact_orbits() {
  const RunSpec spec = henon_heiles("stoermer-verlet");
  const auto& starts = std::get<GivenStarts>(spec.ensemble).states.numbers;
  std::vector<std::array<Extended, parts + 1>> orbits;
  for (std::int64_t k = 0; k < n; ++k) {
    Extended start;
    std::copy_n(starts.begin() + 4 * k, 4, start.begin());
    orbits.push_back(exact_orbit(start));
  }
  return orbits;
}

/// The distances from the exact states, of each half over its largest length along the orbit.
std::vector<double> errors_of(const std::vector<std::array<Extended, parts + 1>>& exact,
                              const std::vector<double>& end) {
  std::vector<double> errors;
  for (std::int64_t k = 0; k < n; ++k) {
    long double error = 0;
    for (int half = 0; half < 2; ++half) {
      long double longest_half = 0;
      for (const Extended& s : exact[k]) longest_half = std::max(longest_half, length_of_half(s, half));
      Extended apart;
      for (int i = 0; i < 4; ++i) apart[i] = exact[k].back()[i] - end[i * n + k];
      error = std::max(error, length_of_half(apart, half) / longest_half);
    }
    errors.push_back(static_cast<double>(error));
  }
  return errors;
}

TEST(MeasuredOrder, IsTheKnownOne) {
  using Options = std::map<std::string, Value>;
  const auto table = [](const char* name) { return Options{{"coefficients", std::string(name)}}; };
  for (const auto& [method, options, order] : {std::tuple("symplectic-euler", Options{}, 1),
                                               {"stoermer-verlet", Options{}, 2},
                                               {"splitting", table("mclachlan4"), 4},
                                               {"splitting", table("srkn6-11b"), 6}}) {
    const OrderReport report = order_of(method, options);
    EXPECT_NEAR(report.measured, order, 0.1) << method;
    EXPECT_TRUE(report.settled && report.agrees()) << method;
    EXPECT_EQ(report.declared, order);
    EXPECT_EQ(report.trajectories, n);
  }
}

/// Sums of the fractions show order 4 at most; those of a table of order 6, given as one's own, have it.
TEST(MeasuredOrder, OfOwnFractionsMayBeMoreThanTheirSumsShow) {
  const auto& half = compositions::kahan_li6;
  const int m = static_cast<int>(std::size(half));
  std::vector<double> fractions;
  for (int i = 0; i < 2 * m - 1; ++i) fractions.push_back(static_cast<double>(half[std::min(i, 2 * m - 2 - i)]));
  OrderReport report = order_of("stoermer-verlet", {{"composition", fractions}});
  EXPECT_TRUE(report.declared_is_bound);
  EXPECT_EQ(report.declared, 4);
  EXPECT_NEAR(report.measured, 6, 0.1);
  EXPECT_TRUE(report.agrees());
  report.declared_is_bound = false;
  EXPECT_FALSE(report.agrees());
}

/// Differences are those of the states at the time that is said, from the steps that are said.
TEST(MeasuredOrder, ComesFromDifferencesOfHalvedSteps) {
  const Orbits orbits = orbits_of(henon_heiles("stoermer-verlet"));
  const OrderReport report = measure_order(orbits);
  const Solution whole = orbits.solve(orbits.by(orbits.run().spec.method, 128), {0, 1, 2, 4, 8, 16, 32, 64, 128});
  const Distances distances(*orbits.run().system, whole.recording.states);
  for (const OrderRow& row : report.rows) {
    if (!row.in_range) continue;
    EXPECT_NEAR(row.step * static_cast<double>(row.steps), report.time, 1e-12);
    const auto end_with = [&](double step, std::int64_t steps) {
      MethodSpec method = orbits.run().spec.method;
      method.step = step;
      return orbits.solve(orbits.by(method, steps), {0, steps});
    };
    const Solution coarse = end_with(row.step, row.steps), fine = end_with(row.step / 2, 2 * row.steps);
    std::vector<double> apart;
    for (std::int64_t k = 0; k < n; ++k) apart.push_back(distances(coarse.end(), fine.end(), k));
    EXPECT_NEAR(row.apart / median(std::move(apart), n), 1, 0.1);  // lengths are those at more times here
  }
}

TEST(MeasuredOrder, IsNoneOfAStateAtRest) {
  RunSpec spec = henon_heiles("stoermer-verlet");
  spec.ensemble = GivenStarts{.states = {.numbers = {0, 0, 0, 0}, .width = 4}, .variables = {}};
  const OrderReport report = measure_order(orbits_of(spec));
  EXPECT_TRUE(std::isnan(report.measured));
  EXPECT_FALSE(report.settled || report.agrees());
}

TEST(WorkPrecision, ErrorsAreThoseOfAnExactSolution) {
  const Orbits orbits = orbits_of(henon_heiles("stoermer-verlet"));
  const WorkPrecisionReport report = measure_work_precision(orbits, {"stoermer-verlet", "splitting"});
  const auto exact = exact_orbits();
  ASSERT_EQ(report.references.size(), 2);
  EXPECT_LT(report.states_apart.median(), 1e-12);
  EXPECT_LT(report.points_apart.median(), 1e-12);
  EXPECT_NEAR(report.time, longest, 1e-12);
  int compared = 0;
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows) {
      if (row.failed > 0 || row.state.median() <= report.states_known_from.median() || row.state.median() > 0.1)
        continue;
      MethodSpec method = curve.variant.method;
      method.step = row.step;
      const ResolvedRun run = orbits.by(method, row.steps);
      std::vector<double> errors = errors_of(exact, orbits.solve(run, {0, row.steps}).end().state);
      std::ranges::sort(errors);
      // Of six orbits the middle of the third and the fourth, and the last one for 90 percent and more. 1e-13:
      // round-off of both, and of the reference.
      const double wanted[] = {(errors[2] + errors[3]) / 2, errors[5], errors[5], errors[5]};
      for (std::size_t i = 0; i < shares.size(); ++i)
        EXPECT_NEAR(row.state.of[i], wanted[i], 1e-13 + 1e-6 * wanted[i])
            << curve.variant.label << ", " << row.step << ", " << shares[i];
      if (row.state.median() > 1e-3) continue;
      EXPECT_EQ(row.other_counts, 0) << curve.variant.label << ", " << row.step;
      EXPECT_LT(row.points.median(), 10 * row.state.median()) << curve.variant.label << ", " << row.step;
      EXPECT_GT(row.points.median(), 0.01 * row.state.median()) << curve.variant.label << ", " << row.step;
      EXPECT_GE(row.points.of.back(), row.points.median()) << curve.variant.label << ", " << row.step;
      EXPECT_NEAR(row.stages * report.time, static_cast<double>(row.steps * run.step_plan.n_stages), 1e-6);
      EXPECT_GT(row.nanoseconds, 0);
      ++compared;
    }
  EXPECT_GT(compared, 30);
}

TEST(WorkPrecision, HasTheMethodsThatThereAre) {
  const WorkPrecisionReport report = measure_work_precision(orbits_of(henon_heiles("stoermer-verlet")), {});
  std::map<std::string, int> orders;
  for (const WorkPrecisionCurve& curve : report.curves) orders[curve.variant.label] = curve.variant.order;
  EXPECT_EQ(orders.at("symplectic-euler"), 1);
  EXPECT_EQ(orders.at("stoermer-verlet"), 2);
  EXPECT_EQ(orders.at("stoermer-verlet, kahan-li8"), 8);
  EXPECT_EQ(orders.at("splitting, srkn8-19a"), 8);
  EXPECT_TRUE(report.unusable.empty());
  for (const std::size_t share : {half_of_them, most_of_them}) {
    EXPECT_EQ(cheapest(report, 1e-20, share).row, nullptr);
    const Cheapest best = cheapest(report, 1e-6, share);
    ASSERT_NE(best.row, nullptr);
    EXPECT_LE(best.row->state.of[share], 1e-6);
    for (const WorkPrecisionCurve& curve : report.curves)
      for (const WorkPrecisionRow& row : curve.rows)
        if (row.failed == 0 && row.state.of[share] <= 1e-6) {
          EXPECT_LE(best.row->nanoseconds, row.nanoseconds);
        }
  }
}

/// The logarithm of what a tangent vector grows by along an orbit, by the classical Runge-Kutta method.
double growth(const double* start, double time) {
  using Pair = std::array<double, 8>;  // a state and a tangent vector
  const auto rate = [](const Pair& s) -> Pair {
    return {s[2],
            s[3],
            -s[0] - 2 * s[0] * s[1],
            -s[1] - s[0] * s[0] + s[1] * s[1],
            s[6],
            s[7],
            -(1 + 2 * s[1]) * s[4] - 2 * s[0] * s[5],
            -2 * s[0] * s[4] - (1 - 2 * s[1]) * s[5]};
  };
  Pair s{start[0], start[1], start[2], start[3], 0.5, -0.5, 0.5, 0.5};
  const double h = 0.01;
  const auto moved = [&](double by, const Pair& v) {
    Pair y = s;
    for (int i = 0; i < 8; ++i) y[i] += by * v[i];
    return y;
  };
  double log_growth = 0;
  for (int k = 0; k < std::lround(time / h); ++k) {
    const Pair a = rate(s), b = rate(moved(h / 2, a)), c = rate(moved(h / 2, b)), d = rate(moved(h, c));
    for (int i = 0; i < 8; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    const double length = std::sqrt(s[4] * s[4] + s[5] * s[5] + s[6] * s[6] + s[7] * s[7]);
    for (int i = 4; i < 8; ++i) s[i] /= length;
    log_growth += std::log(length);
  }
  return log_growth;
}

/// Orbits of Henon and Heiles on q1 = 0 at an energy, p2 = 0, over an interval of q2.
RunSpec henon_heiles_at(double energy, std::int64_t count, std::int64_t steps) {
  RunSpec spec = henon_heiles("splitting");
  std::vector<double>& numbers = std::get<GivenStarts>(spec.ensemble).states.numbers;
  numbers.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    const double q2 = -0.35 + 0.8 * static_cast<double>(k) / static_cast<double>(count);
    const double p1 = std::sqrt(2 * energy - q2 * q2 + 2 * q2 * q2 * q2 / 3);
    for (const double value : {0.0, q2, p1, 0.0}) numbers.push_back(value);
  }
  spec.execution.steps = steps;
  return spec;
}

/// Those whose tangent vectors grow e^12-fold are chaotic over a time, those in which they grow less than e^6-fold are
/// not; between them it depends on when.
TEST(WorkPrecision, CountsChaoticOrbits) {
  const RunSpec spec = henon_heiles_at(0.15, 40, 4000);
  const std::vector<double>& starts = std::get<GivenStarts>(spec.ensemble).states.numbers;
  int chaotic = 0, regular = 0;
  for (int k = 0; k < 40; ++k) {
    const double grown = growth(&starts[4 * k], 400);
    chaotic += grown > 12;
    regular += grown < 6;
  }
  ASSERT_GT(chaotic, 5);
  ASSERT_GT(regular, 5);
  MethodSpec method = spec.method;
  method.step = 0.05;
  const std::int64_t found = count_chaotic(orbits_of(spec), method, 8000);
  EXPECT_GE(found, chaotic);
  EXPECT_LE(found, 40 - regular);
  EXPECT_EQ(measure_work_precision(orbits_of(henon_heiles_at(0.15, 40, 1000)), {"splitting"}).chaotic,
            count_chaotic(orbits_of(henon_heiles_at(0.15, 40, 1000)), method, 2000));
}

/// At energy 1/12 all are regular, and so are all of an integrable system.
TEST(WorkPrecision, FindsNoChaosWhereThereIsNone) {
  MethodSpec method = henon_heiles("splitting").method;
  method.step = 0.05;
  EXPECT_EQ(count_chaotic(orbits_of(henon_heiles_at(1.0 / 12, 40, 2000)), method, 4000), 0);
  RunSpec kepler;
  kepler.system.name = "kepler";
  kepler.method = {
      .name = "splitting", .step = 0.05, .solver = {}, .options = {{"coefficients", std::string("srkn6-14a")}}};
  GivenStarts starts{.states = {.numbers = {}, .width = 4}, .variables = {}};
  for (const double speed : {0.6, 0.8, 1.0, 1.1, 1.2})
    for (const double value : {1.0, 0.0, 0.0, speed}) starts.states.numbers.push_back(value);
  kepler.ensemble = starts;
  kepler.execution.steps = 2000;
  MethodSpec fine = kepler.method;
  fine.step = 0.01;
  EXPECT_EQ(count_chaotic(orbits_of(kepler), fine, 10000), 0);
}

/// An orbit that escapes is a failure of its own, not one of the methods.
TEST(WorkPrecision, GoesOnWhereSomeOrbitsFail) {
  RunSpec spec = henon_heiles("stoermer-verlet");
  std::vector<double>& numbers = std::get<GivenStarts>(spec.ensemble).states.numbers;
  for (const double value : {0.0, 0.0, 1.0, 1.0}) numbers.push_back(value);  // far above the saddles
  const WorkPrecisionReport report = measure_work_precision(orbits_of(spec), {"stoermer-verlet"});
  ASSERT_EQ(report.references.size(), 2);
  EXPECT_EQ(report.references[0].failed, 1);
  const Cheapest best = cheapest(report, 1e-6, most_of_them);
  ASSERT_NE(best.row, nullptr);
  EXPECT_EQ(best.row->failed, 1);
  EXPECT_FALSE(std::isnan(best.row->energy) || std::isnan(best.row->points.median()));
}

/// Where most fail, nothing is known of the rest.
TEST(WorkPrecision, HasNoMediansOfAFewOrbits) {
  const WorkPrecisionReport report =
      measure_work_precision(orbits_of(henon_heiles("stoermer-verlet")), {"stoermer-verlet"});
  int fail = 0;
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows) {
      if (2 * row.failed <= n) continue;
      ++fail;
      for (std::size_t i = 0; i < shares.size(); ++i)
        EXPECT_TRUE(std::isnan(row.state.of[i]) && std::isnan(row.points.of[i])) << row.step;
      EXPECT_TRUE(std::isnan(row.energy)) << row.step;
    }
  EXPECT_GT(fail, 0);
}

TEST(WorkPrecision, OfAStateAtRestKnowsNoErrors) {
  RunSpec spec = henon_heiles("stoermer-verlet");
  spec.ensemble = GivenStarts{.states = {.numbers = {0, 0, 0, 0}, .width = 4}, .variables = {}};
  const WorkPrecisionReport report = measure_work_precision(orbits_of(spec), {"stoermer-verlet"});
  EXPECT_EQ(report.states_apart.median(), 0);
  EXPECT_GT(report.states_known_from.median(), 0);
  EXPECT_EQ(report.chaotic, 0);
  for (const WorkPrecisionCurve& curve : report.curves) {
    EXPECT_EQ(curve.rows.size(), 1);  // shorter steps tell no more
    EXPECT_EQ(curve.rows.front().state.of.back(), 0);
  }
}

/// Errors of states that differ much: a few orbits say what the median does not.
TEST(WorkPrecision, TellsTheErrorsThatTheMedianLeavesOut) {
  std::vector<double> errors(100, 1e-8);
  for (int k = 85; k < 100; ++k) errors[k] = k < 99 ? 1e-3 : 0.17;
  EXPECT_EQ(quantile(errors, 0.5), 1e-8);
  EXPECT_EQ(quantile(errors, 0.85), 1e-8);
  EXPECT_EQ(quantile(errors, 0.9), 1e-3);
  EXPECT_EQ(quantile(errors, 0.99), 1e-3);
  EXPECT_EQ(quantile(errors, 1), 0.17);
  EXPECT_EQ(quantile({3}, 0.5), 3);
}

/// A row that half of the orbits are satisfied with, and one that most are: the cheaper one is for half of them.
TEST(WorkPrecision, AimsAtMostOrbitsToo) {
  WorkPrecisionReport report;
  report.curves.push_back({{.label = "fast", .method = {}}, {}});
  for (const auto& [nanoseconds, state] : {std::pair(1.0, std::array{1e-8, 1e-3, 0.1, 0.17}),
                                           {2.0, std::array{1e-9, 1e-7, 1e-4, 1e-3}},
                                           {9.0, std::array{1e-9, 1e-9, 1e-9, 1e-9}}}) {
    WorkPrecisionRow row;
    row.nanoseconds = nanoseconds;
    row.state.of = state;
    report.curves.back().rows.push_back(row);
  }
  EXPECT_EQ(cheapest(report, 1e-6, half_of_them).row->nanoseconds, 1);
  EXPECT_EQ(cheapest(report, 1e-6, most_of_them).row->nanoseconds, 2);
  EXPECT_EQ(cheapest(report, 1e-8, most_of_them).row->nanoseconds, 9);
}

/// Solutions of three trajectories with these numbers of section points, all `apart` from the origin.
Solution solution_with(const std::vector<int>& counts, double apart, std::initializer_list<int> failing = {}) {
  Batch end(3, 4, 0);
  for (double& x : end.state) x = 1 + apart;
  for (const int k : failing) end.code[k] = static_cast<std::uint8_t>(Status::not_converged);
  Solution solution;
  solution.recording.states = {end};
  SectionPoints& points = solution.recording.section;
  points.dim = 4;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < counts[k]; ++i) {
      points.trajectory.push_back(k);
      points.step.push_back(i);
      points.theta.push_back(1);
      points.state.insert(points.state.end(), 4, 1 + apart);
    }
  return solution;
}

/// What cannot be compared is as far apart as can be: a median says nothing where it is one of these.
TEST(Comparison, CountsWhatCannotBeCompared) {
  const Solution exact = solution_with({2, 3, 4}, 0);
  const Distances distances(*find_system("henon-heiles"), exact.recording.states);
  const auto points_of = [&](const Solution& a) { return compare_points(a, exact, distances); };
  const double apart = points_of(solution_with({2, 3, 4}, 0.1)).quantiles.median();
  EXPECT_NEAR(apart, 0.1, 1e-15);  // each half of a state of length 1
  const PointErrors one = points_of(solution_with({2, 3, 5}, 0.1)), two = points_of(solution_with({2, 2, 5}, 0.1));
  EXPECT_EQ(one.other_counts, 1);
  EXPECT_EQ(one.quantiles.median(), apart);
  EXPECT_TRUE(std::isnan(one.quantiles.of[most_of_them]));
  EXPECT_EQ(two.other_counts, 2);
  EXPECT_TRUE(std::isnan(two.quantiles.median()));
  const Quantiles ends = compare_ends(solution_with({2, 3, 4}, 0.1, {0}), exact, distances);
  EXPECT_EQ(ends.median(), apart);
  EXPECT_TRUE(std::isnan(ends.of[most_of_them]) && std::isnan(ends.of.back()));
  EXPECT_TRUE(std::isnan(compare_ends(solution_with({2, 3, 4}, 0.1, {0, 1}), exact, distances).median()));
  EXPECT_TRUE(std::isnan(points_of(solution_with({2, 3, 4}, 0.1, {0, 1})).quantiles.median()));
  // Trajectories without points do not count.
  EXPECT_EQ(compare_points(solution_with({0, 0, 4}, 0.1), solution_with({0, 0, 4}, 0), distances).quantiles.median(),
            apart);
}

/// A single step map has two references by compositions of two orders, which is said.
TEST(WorkPrecision, OfOneStepMapIsSaidSo) {
  const WorkPrecisionReport report = measure_work_precision(orbits_of(example_by_rattle("rigid-body-4")), {"rattle"});
  ASSERT_EQ(report.references.size(), 2);
  EXPECT_FALSE(report.independent);
  EXPECT_NE(report.references[0].label, report.references[1].label);
  // A reference is not its own: its error is the distance from the other.
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows)
      if (curve.variant.label == report.references[0].label && row.step == report.references[0].step) {
        EXPECT_GT(row.state.median(), 0);
      }
}

TEST(Median, IsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median({3, 1, 2}, 3), 2);
  EXPECT_EQ(median({4, 1, 3, 2}, 4), 2.5);
  EXPECT_EQ(median({1, 2}, 4), 1.5);
  EXPECT_TRUE(std::isnan(median({1, 2}, 5)));
  EXPECT_TRUE(std::isnan(median({}, 0)));
}

TEST(WorkPrecision, OwnOptionsAreACurveOfTheirOwn) {
  const RunSpec spec = henon_heiles("stoermer-verlet", {{"composition", std::vector<double>{0.5, 0.5}}});
  const WorkPrecisionReport report = measure_work_precision(orbits_of(spec), {"stoermer-verlet"});
  EXPECT_EQ(report.curves.back().variant.label, "stoermer-verlet, as configured");
  const RunSpec known = henon_heiles("stoermer-verlet", {{"composition", std::string("kahan-li8")}});
  for (const WorkPrecisionCurve& curve : measure_work_precision(orbits_of(known), {"stoermer-verlet"}).curves)
    EXPECT_EQ(curve.variant.label.find("configured"), std::string::npos) << curve.variant.label;
}

/// Momenta off the hidden constraint are lifted before they are compared: positions and momenta of `shake` are those
/// of RATTLE.
TEST(WorkPrecision, ComparesLiftedMomenta) {
  RunSpec spec = example_by_rattle("double-spherical-pendulum");
  spec.method.step = 0.01;
  const WorkPrecisionReport report = measure_work_precision(orbits_of(spec), {"rattle", "shake"});
  std::map<std::pair<std::string, double>, double> errors;
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows) errors[{curve.variant.label, row.step}] = row.state.median();
  int compared = 0;
  for (const auto& [key, error] : errors)
    if (const auto twin = errors.find({"shake", key.second}); key.first == "rattle" && error > 1e-9) {
      ASSERT_NE(twin, errors.end());
      EXPECT_NEAR(twin->second / error, 1, 1e-3);
      ++compared;
    }
  EXPECT_GT(compared, 3);
}

}  // namespace
}  // namespace polhode::test
