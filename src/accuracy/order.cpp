#include "accuracy/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy/distances.hpp"
#include "quantiles.hpp"
#include "spec/composition.hpp"

namespace polhode {
namespace {

/// Bound on differences: an order is computed from smaller ones only.
constexpr double most_apart = 0.01;
/// Longest step with which halving begins, in units of h, and the fewest steps that may show an order.
constexpr std::int64_t longest_multiple = 64, fewest_steps = 8;
/// Number of halvings of h: the least, and the most while differences are large, or small without showing round-off.
constexpr int halvings = 3, most_halvings = 10;
/// Least ratio by which halving the step reduces a difference that is not round-off.
constexpr double least_reduction = 1.6;

/// Ladder of solutions, each with half the step of the one before, and the differences of their states.
class Ladder {
 public:
  /// multiple: the longest step, in units of h.
  Ladder(const Orbits& orbits, std::int64_t multiple, const SolutionProgress& progress)
      : orbits_(orbits), progress_(progress), multiple_(multiple) {
    // Times are compared that are halves of each other, so that one suits the growth of distances.
    at_.push_back(orbits.steps() / multiple);
    while (at_.back() > 1) at_.push_back(at_.back() / 2);
    at_.push_back(0);
    std::ranges::reverse(at_);
  }

  /// Report at the time at which the largest number of differences is in range, the latest if there are several.
  OrderReport operator()() {
    for (std::int64_t divisor = 1; !is_long_enough(divisor); divisor *= 2) solve(divisor);
    const Distances distances(*orbits_.run().system, solutions_.back().recording.states);
    std::vector<OrderReport> reports;
    for (std::size_t t = 1; t < at_.size(); ++t) reports.push_back(at_time(t, distances));
    return *std::ranges::max_element(reports.rbegin(), reports.rend(), {}, &OrderReport::in_range);
  }

 private:
  /// Whether the ladder needs no solution with the longest step divided by `divisor`.
  bool is_long_enough(std::int64_t divisor) const {
    if (divisor <= multiple_ << halvings) return false;
    if (divisor > multiple_ << most_halvings) return true;
    const std::size_t n = solutions_.size(), last = at_.size() - 1;
    const Distances distances(*orbits_.run().system, solutions_.back().recording.states);
    const auto difference = [&](std::size_t k, std::size_t t) {
      return apart(solutions_[n - k - 1], solutions_[n - k], t, distances);
    };
    const bool is_large = !(difference(1, 1) <= most_apart / 16);  // or it fails
    const bool shows_round_off = !(difference(1, last) < difference(2, last) / least_reduction);
    return !is_large && (!(difference(1, last) < small()) || shows_round_off);
  }

  double epsilon() const { return orbits_.run().spec.execution.precision == Precision::binary64 ? 0x1p-52 : 0x1p-23; }
  /// Bound below which a difference may be round-off that the motion has amplified.
  double small() const { return std::sqrt(epsilon()); }

  /// Adds the solution with the longest step divided by `divisor`.
  void solve(std::int64_t divisor) {
    std::vector<std::int64_t> at = at_;
    for (std::int64_t& step : at) step *= divisor;
    MethodSpec method = orbits_.run().spec.method;
    method.step *= static_cast<double>(multiple_) / static_cast<double>(divisor);
    ResolvedRun run = orbits_.by(method, at.back());
    run.spec.section.reset();
    solutions_.push_back(orbits_.solve(run, at, 0, progress_));
  }

  /// Report at the time at_[t].
  OrderReport at_time(std::size_t t, const Distances& distances) const {
    const ResolvedRun& run = orbits_.run();
    OrderReport report{.time = static_cast<double>(at_[t] * multiple_) * run.spec.method.step,
                       .trajectories = orbits_.count(),
                       .declared = run.properties.order,
                       .rows = {},
                       .measured = std::numeric_limits<double>::quiet_NaN()};
    report.declared_is_bound =
        std::holds_alternative<std::vector<double>>(run.spec.method.options.at(composition_option().name));
    for (std::size_t k = 0; k + 1 < solutions_.size(); ++k)
      report.rows.push_back({.step = solutions_[k].step,
                             .steps = solutions_[k].recording.steps[t],
                             .apart = apart(solutions_[k], solutions_[k + 1], t, distances),
                             .order = std::numeric_limits<double>::quiet_NaN()});
    const double noise = grown_round_off(report.rows);
    for (OrderRow& row : report.rows) {
      // At least a few roundings for each square root of the steps. A twentieth changes an order by less than 0.1.
      const double round_off = std::max(noise, 5 * epsilon() * std::sqrt(static_cast<double>(row.steps)));
      row.in_range = row.steps >= fewest_steps && row.apart < most_apart && row.apart > 20 * round_off;
    }
    for (std::size_t k = 0; k + 1 < report.rows.size(); ++k) {
      if (!report.rows[k].in_range || !report.rows[k + 1].in_range) continue;
      const double order = std::log2(report.rows[k].apart / report.rows[k + 1].apart);
      report.measured = report.rows[k].order = order;
    }
    report.settled = is_settled(report.rows);
    return report;
  }

  /// The largest difference below small() that halving the step does not reduce by `least_reduction`; 0 without one.
  double grown_round_off(const std::vector<OrderRow>& rows) const {
    double noise = 0;
    for (std::size_t k = 0; k + 1 < rows.size(); ++k)
      if (rows[k].apart < small() && rows[k + 1].apart > rows[k].apart / least_reduction)
        noise = std::max(noise, rows[k].apart);
    return noise;
  }

  /// Whether the last two orders are alike, and the last is nearly an integer, as orders are in the asymptotic range.
  static bool is_settled(const std::vector<OrderRow>& rows) {
    std::vector<double> orders;
    for (const OrderRow& row : rows)
      if (!std::isnan(row.order)) orders.push_back(row.order);
    const std::size_t n = orders.size();
    return n > 1 && std::abs(orders[n - 1] - orders[n - 2]) < 0.4 &&
           std::abs(orders[n - 1] - std::round(orders[n - 1])) < 0.2;
  }

  /// Difference of two solutions at the time at_[t], as OrderRow::apart has it.
  static double apart(const Solution& coarse, const Solution& fine, std::size_t t, const Distances& distances) {
    const Batch &a = coarse.recording.states[t], &b = fine.recording.states[t];
    std::vector<double> all;
    for (std::int64_t k = 0; k < a.n; ++k)
      if (a.steps[k] == coarse.recording.steps[t] && b.steps[k] == fine.recording.steps[t])
        all.push_back(distances(a, b, k));
    return median(std::move(all), a.n);
  }

  const Orbits& orbits_;
  const SolutionProgress& progress_;
  std::int64_t multiple_;
  std::vector<std::int64_t> at_;  ///< times at which states are compared, in longest steps
  std::vector<Solution> solutions_;
};

}  // namespace

std::int64_t OrderReport::in_range() const { return std::ranges::count_if(rows, &OrderRow::in_range); }

bool OrderReport::agrees() const {
  return measured > declared - 0.5 && (declared_is_bound || measured < declared + 0.5);
}

OrderReport measure_order(const Orbits& orbits, const SolutionProgress& progress) {
  // Short times need short steps, long ones show the error of high orders.
  OrderReport best;
  for (std::int64_t multiple = longest_multiple; multiple > 0; multiple /= 4) {
    if (multiple > 1 && orbits.steps() / multiple < fewest_steps) continue;
    OrderReport report = Ladder(orbits, multiple, progress)();
    if (best.rows.empty() || report.in_range() > best.in_range()) best = std::move(report);
  }
  return best;
}

}  // namespace polhode
