#include "accuracy/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "accuracy/chaos.hpp"
#include "accuracy/comparison.hpp"
#include "error.hpp"
#include "integration/backends.hpp"
#include "integration/plan.hpp"
#include "quantiles.hpp"

namespace polhode {
namespace {

/// Exponent of the longest step: 2 to that power, in units of h.
constexpr int longest_power = 6;
/// Bound on the stages of one row, for each step h of the run.
constexpr std::int64_t most_stages = 128;
/// Bound on the stages of a reference, for each step h of the run; a reference is integrated once.
constexpr std::int64_t most_reference_stages = 4096;
/// Least processor time of an integration with its repetitions, in seconds, so that starting and ending it counts for
/// less than a hundredth.
constexpr double least_seconds = 0.02;
/// Largest number of states along a reference, besides the start, from which Distances takes the scales.
constexpr std::int64_t states_along = 16;

class WorkPrecision {
 public:
  WorkPrecision(const Orbits& orbits, const WorkPrecisionProgress& progress) : orbits_(orbits), progress_(progress) {}

  WorkPrecisionReport operator()(const std::vector<std::string>& methods) {
    MethodVariants all = variants_for(orbits_.run(), {}), measured = variants_for(orbits_.run(), methods);
    if (measured.usable.empty())
      throw InputError(fmt::format("cannot compare methods (none of the methods can be used: {}, {}). Choose others.",
                                   measured.unusable.front().label, measured.unusable.front().why));
    report_.time = orbits_.time();
    report_.trajectories = orbits_.count();
    report_.unusable = std::move(measured.unusable);
    if (!methods.empty()) require_kernels(measured.usable);
    find_references(all.usable);
    if (references_.empty()) require_kernels(all.usable);
    if (references_.empty())
      throw InputError(
          "cannot compare methods (by none of this system do half of the trajectories come to the end). Shorten the "
          "time "
          "or the step.");
    report_.isa = references_.front().solution.isa;
    report_.section = describe_section(run_by(references_.front().variant, orbits_.steps()).spec);
    for (std::size_t i = 0; i < measured.usable.size(); ++i) {
      done_ = static_cast<std::int64_t>(i);
      of_all_ = static_cast<std::int64_t>(measured.usable.size());
      if (!absence_of(measured.usable[i])) measure(measured.usable[i]);
    }
    if (report_.curves.empty()) require_kernels(measured.usable);
    return std::move(report_);
  }

 private:
  struct Reference {
    MethodVariant variant;
    Solution solution;
    Quantiles change;  ///< distances of the states at the end from those with twice the step
  };

  ResolvedRun run_by(const MethodVariant& variant, std::int64_t steps) const {
    MethodSpec method = variant.method;
    method.step = orbits_.time() / static_cast<double>(steps);
    return orbits_.by(method, steps);
  }
  Solution solve(const MethodVariant& variant, std::int64_t steps, double repeat_below_seconds,
                 std::int64_t parts) const {
    return orbits_.solve(run_by(variant, steps), evenly_spaced_steps(steps, parts), repeat_below_seconds);
  }
  std::int64_t stages_of(const MethodVariant& variant) const {
    return run_by(variant, orbits_.steps()).step_plan.n_stages;
  }
  void show(const std::string& label) const {
    if (progress_) progress_(label, done_, of_all_);
  }

  /// Why the kernel of a variant is neither there nor can be compiled; none if it is there now. The report has a method
  /// with such a kernel as unusable.
  const std::optional<UnavailableError>& absence_of(const MethodVariant& variant) {
    const auto [known, is_new] = absences_.try_emplace(variant.label);
    std::optional<UnavailableError>& absence = known->second;
    if (!is_new) return absence;
    show("kernel of " + variant.label);
    try {
      const ResolvedRun run = run_by(variant, orbits_.steps());
      constexpr std::uint32_t no_invariants = 0;
      make_backend(run, make_plan(run, no_invariants));
    } catch (const UnavailableError& error) {
      absence = error;
      const UnusableMethod unusable{variant.method.name, error.what()};
      // Once for all variants that share a kernel.
      if (std::ranges::find(report_.unusable, unusable) == report_.unusable.end()) report_.unusable.push_back(unusable);
    }
    return absence;
  }

  /// Throws UnavailableError where the kernel of a variant is absent.
  void require_kernels(const std::vector<MethodVariant>& variants) {
    for (const MethodVariant& variant : variants)
      if (const auto& absence = absence_of(variant)) throw *absence;
  }

  Distances distances_along(const Solution& solution) const {
    return {*orbits_.run().system, solution.recording.states};
  }

  /// Solution by a variant, with the step for which the distance from the solution with twice the step is the least:
  /// shorter steps add nothing but round-off. None where no such distance is known.
  std::optional<Reference> finest(const MethodVariant& variant) const {
    std::optional<Reference> best;
    std::optional<Solution> before;
    const std::int64_t most_steps = most_reference_stages * orbits_.steps() / stages_of(variant);
    for (std::int64_t steps = std::max<std::int64_t>(1, orbits_.steps() >> 2); steps <= most_steps; steps *= 2) {
      Solution now = solve(variant, steps, 0, states_along);
      const Quantiles change = before ? compare_ends(*before, now, distances_along(now)) : Quantiles();
      const bool is_better = best ? change.median() < best->change.median() : !std::isnan(change.median());
      // Changes of steps that are much too long are all large.
      if (best && best->change.median() < 0.01 && !is_better) break;
      before = now;
      if (is_better) best = {variant, std::move(now), change};
    }
    return best;
  }

  void find_references(const std::vector<MethodVariant>& variants) {
    // Of each step map a variant of the highest order; of a single map, those of two orders.
    std::vector<const MethodVariant*> candidates, by_order;
    std::vector<std::string_view> maps;
    for (const MethodVariant& variant : variants) by_order.push_back(&variant);
    std::ranges::stable_sort(by_order, std::greater(), &MethodVariant::order);
    const auto add_best = [&](const auto& is_wanted) {
      const auto best = std::ranges::find_if(
          by_order, [&](const MethodVariant* variant) { return is_wanted(*variant) && !absence_of(*variant); });
      if (best != by_order.end()) candidates.push_back(*best);
    };
    for (const MethodVariant& variant : variants) {
      if (std::ranges::find(maps, variant.map) != maps.end()) continue;
      maps.push_back(variant.map);
      add_best([&](const MethodVariant& other) { return other.map == variant.map; });
    }
    for (const MethodVariant* candidate : candidates) add_reference(*candidate);
    if (references_.size() == 1) {
      const MethodVariant first = references_.front().variant;
      candidates.clear();
      add_best([&](const MethodVariant& other) { return other.map == first.map && other.order < first.order; });
      for (const MethodVariant* candidate : candidates) add_reference(*candidate);
    }
    std::ranges::stable_sort(references_, {}, [](const Reference& reference) { return reference.change.median(); });
    if (references_.size() > 2) references_.erase(references_.begin() + 2, references_.end());
    for (const Reference& reference : references_)
      report_.references.push_back(
          {reference.variant.label, reference.solution.step, reference.change, reference.solution.failed});
    compare_references();
    if (!references_.empty()) find_chaotic(references_.front());
  }
  void find_chaotic(const Reference& reference) {
    show("neighbours by " + reference.variant.label);
    report_.chaotic = count_chaotic(orbits_, run_by(reference.variant, reference.solution.steps).spec.method,
                                    reference.solution.steps);
  }
  void add_reference(const MethodVariant& variant) {
    show("reference by " + variant.label);
    if (auto reference = finest(variant)) references_.push_back(*std::move(reference));
  }
  void compare_references() {
    const bool is_double = orbits_.run().spec.execution.precision == Precision::binary64;
    const auto known_from = [&](Quantiles apart) {
      const double round_off = is_double ? 0x1p-52 : 0x1p-23;
      for (double& x : apart.of) x = x < round_off ? 3 * round_off : 3 * x;  // NaN of NaN
      return apart;
    };
    if (references_.size() == 2) {
      const Reference &a = references_[0], &b = references_[1];
      const Distances distances = distances_along(a.solution);
      report_.independent = a.variant.map != b.variant.map;
      report_.states_apart = compare_ends(a.solution, b.solution, distances);
      report_.points_apart = compare_points(a.solution, b.solution, distances).quantiles;
    }
    report_.states_known_from = known_from(references_.size() == 1 ? references_.front().change : report_.states_apart);
    report_.points_known_from = known_from(report_.points_apart);
  }

  /// Reference for a variant: by another step map, else by another variant, else the only one.
  const Solution& reference_for(const MethodVariant& variant) const {
    const auto first_unlike = [&](auto&& is_like) {
      return std::ranges::find_if(references_, [&](const Reference& other) { return !is_like(other.variant); });
    };
    auto other = first_unlike([&](const MethodVariant& of_reference) { return of_reference.map == variant.map; });
    if (other == references_.end())
      other = first_unlike([&](const MethodVariant& of_reference) { return of_reference.label == variant.label; });
    return (other == references_.end() ? references_.front() : *other).solution;
  }

  void measure(const MethodVariant& variant) {
    WorkPrecisionCurve curve{variant, {}};
    const Solution& reference = reference_for(variant);
    const bool is_own_reference = references_.size() == 1 && references_.front().variant.label == variant.label;
    const Distances distances = distances_along(references_.front().solution);
    const std::int64_t most_steps = most_stages * orbits_.steps() / stages_of(variant);
    std::int64_t last_steps = 0;
    for (int power = -longest_power;; ++power) {
      const std::int64_t steps =
          std::max<std::int64_t>(1, power < 0 ? orbits_.steps() >> -power : orbits_.steps() << power);
      if (steps > most_steps) break;
      if (steps == last_steps) continue;
      last_steps = steps;
      show(variant.label);
      curve.rows.push_back(row_of(solve(variant, steps, least_seconds, 1), reference, distances, is_own_reference));
      if (is_known_no_better(curve.rows.back().state)) break;
    }
    report_.curves.push_back(std::move(curve));
  }

  /// Whether shorter steps say no more: the errors of half and of most trajectories are below the bounds from which
  /// errors are known.
  bool is_known_no_better(const Quantiles& state) const {
    return std::ranges::all_of(std::array{half_of_them, most_of_them}, [&](std::size_t share) {
      return state.of[share] <= report_.states_known_from.of[share];  // never of NaN
    });
  }

  WorkPrecisionRow row_of(const Solution& solution, const Solution& reference, const Distances& distances,
                          bool is_own_reference) const {
    const double units = std::abs(orbits_.time()) * static_cast<double>(orbits_.count());
    WorkPrecisionRow row{.step = solution.step, .steps = solution.steps, .failed = solution.failed};
    row.nanoseconds = 1e9 * solution.seconds / units;
    row.stages = static_cast<double>(solution.stages) / std::abs(orbits_.time());
    // A reference alone is no measure of itself.
    if (!is_own_reference) row.state = compare_ends(solution, reference, distances);
    if (orbits_.run().spec.section && !is_own_reference) {
      const PointErrors errors = compare_points(solution, reference, distances);
      row.points = errors.quantiles;
      row.other_counts = errors.other_counts;
    }
    std::vector<double> energies;
    for (std::size_t k = 0; k < solution.energy.size(); ++k)
      if (solution.reached_end(static_cast<std::int64_t>(k))) energies.push_back(solution.energy[k]);
    row.energy = median(std::move(energies), orbits_.count());
    return row;
  }

  const Orbits& orbits_;
  const WorkPrecisionProgress& progress_;
  std::vector<Reference> references_;
  WorkPrecisionReport report_;
  std::map<std::string, std::optional<UnavailableError>> absences_;  ///< answers of absence_of(), by label
  std::int64_t done_ = 0, of_all_ = 0;
};

}  // namespace

WorkPrecisionReport measure_work_precision(const Orbits& orbits, const std::vector<std::string>& methods,
                                           const WorkPrecisionProgress& progress) {
  return WorkPrecision(orbits, progress)(methods);
}

Cheapest cheapest(const WorkPrecisionReport& report, double error, std::size_t share) {
  Cheapest best;
  std::int64_t most_failed = 0;
  for (const WorkPrecisionReference& reference : report.references)
    most_failed = std::max(most_failed, reference.failed);
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows)
      if (row.failed <= most_failed && row.state.of[share] <= error &&
          (!best.row || row.nanoseconds < best.row->nanoseconds))
        best = {&curve, &row};
  return best;
}

}  // namespace polhode
