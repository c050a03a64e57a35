#include "accuracy/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "accuracy/distances.hpp"
#include "error.hpp"

namespace polhode {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Longest step, in units of h: 2 to this power.
constexpr int longest_power = 6;
/// Bound on the stages of one row, in units of the steps of the run.
constexpr std::int64_t most_stages = 128;
/// The same of a reference, which is integrated once.
constexpr std::int64_t most_reference_stages = 4096;
/// Integrations of less are repeated: a thousand times the resolution of the clock.
constexpr double least_seconds = 0.02;
/// States along a reference, for the lengths of states.
constexpr std::int64_t samples = 16;

std::vector<std::int64_t> from_start_to(std::int64_t steps, std::int64_t parts) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t i = 1; i <= parts; ++i)
    if (const std::int64_t step = i * steps / parts; step > at.back()) at.push_back(step);
  return at;
}

/// The points of every trajectory, in a row: at[k], ..., at[k + 1] - 1 for trajectory k.
std::vector<std::int64_t> places(const SectionPoints& points, std::int64_t trajectories) {
  std::vector<std::int64_t> at(trajectories + 1, 0);
  for (const std::int64_t k : points.trajectory) ++at[k + 1];
  for (std::int64_t k = 0; k < trajectories; ++k) at[k + 1] += at[k];
  return at;
}

struct PointErrors {
  double median = nan;
  std::int64_t other_counts = 0;
};

/// Relative distances of points, one by one in the order of time, of trajectories with equal numbers of them.
PointErrors compare_points(const Solution& a, const Solution& b, std::int64_t trajectories) {
  const SectionPoints &p = a.recording.section, &q = b.recording.section;
  const std::vector<std::int64_t> at_p = places(p, trajectories), at_q = places(q, trajectories);
  PointErrors errors;
  std::vector<double> all;
  for (std::int64_t k = 0; k < trajectories; ++k) {
    if (!a.reached_end(k) || !b.reached_end(k)) continue;
    const std::int64_t count = at_p[k + 1] - at_p[k];
    if (count != at_q[k + 1] - at_q[k]) {
      ++errors.other_counts;
      continue;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      double difference = 0, length = 0;
      for (int c = 0; c < p.dim; ++c) {
        const double x = p.state[(at_p[k] + i) * p.dim + c], y = q.state[(at_q[k] + i) * q.dim + c];
        difference += (x - y) * (x - y);
        length += y * y;
      }
      all.push_back(difference > 0 ? std::sqrt(difference / length) : 0);
    }
  }
  errors.median = median(std::move(all));
  return errors;
}

/// Median of the distances at the end, of trajectories that reach it; NaN where fewer than half do.
double compare_ends(const Solution& a, const Solution& b, const Distances& distances) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < a.end().n; ++k)
    if (a.reached_end(k) && b.reached_end(k)) all.push_back(distances(a.end(), b.end(), k));
  return 2 * static_cast<std::int64_t>(all.size()) < a.end().n ? nan : median(std::move(all));
}

class WorkPrecision {
 public:
  WorkPrecision(const Orbits& orbits, const WorkPrecisionProgress& progress) : orbits_(orbits), progress_(progress) {}

  WorkPrecisionReport operator()(const std::vector<std::string>& methods) {
    MethodVariants all = variants_for(orbits_.run(), {}), measured = variants_for(orbits_.run(), methods);
    if (measured.usable.empty())
      throw InputError(fmt::format("cannot compare methods (none of the methods can be used: {}, {}). Choose others.",
                                   measured.others.front().label, measured.others.front().why));
    report_.time = orbits_.time();
    report_.trajectories = orbits_.count();
    report_.unusable = std::move(measured.others);
    find_references(all.usable);
    if (references_.empty())
      throw InputError("cannot compare methods (none of this system comes to the end). Shorten the time or the step.");
    report_.isa = references_.front().solution.isa;
    for (std::size_t i = 0; i < measured.usable.size(); ++i) {
      done_ = static_cast<std::int64_t>(i);
      of_all_ = static_cast<std::int64_t>(measured.usable.size());
      measure(measured.usable[i]);
    }
    return std::move(report_);
  }

 private:
  struct Reference {
    MethodVariant variant;
    Solution solution;
    double change;
  };

  std::optional<Solution> solve(const MethodVariant& variant, std::int64_t steps, double repeat_below,
                                std::int64_t parts) const {
    MethodSpec method = variant.method;
    method.step = orbits_.time() / static_cast<double>(steps);
    return orbits_.solve(orbits_.by(method, steps), from_start_to(steps, parts), repeat_below);
  }
  std::int64_t stages_of(const MethodVariant& variant) const {
    MethodSpec method = variant.method;
    method.step = orbits_.run().spec.method.step;
    return orbits_.by(method, 1).step.n_stages;
  }
  void show(const std::string& label) const {
    if (progress_) progress_(label, done_, of_all_);
  }

  /// The solution of a method that changes least by halving its step: shorter steps add nothing but round-off.
  std::optional<Reference> finest(const MethodVariant& variant) const {
    std::optional<Reference> best;
    std::optional<Solution> before;
    const std::int64_t most_steps = most_reference_stages * orbits_.steps() / stages_of(variant);
    for (std::int64_t steps = std::max<std::int64_t>(1, orbits_.steps() >> 2); steps <= most_steps; steps *= 2) {
      std::optional<Solution> now = solve(variant, steps, 0, samples);
      if (before && now->failed == 0 && before->failed == 0) {
        const Distances distances(*orbits_.run().system, now->recording.states);
        const double change = compare_ends(*before, *now, distances);
        if (best && !(change < best->change)) break;
        best = {variant, *now, change};
      }
      before = std::move(now);
    }
    return best;
  }

  void find_references(const std::vector<MethodVariant>& variants) {
    // Of each step map the variants of the highest order; of a single map, those of two orders.
    std::vector<const MethodVariant*> candidates;
    const auto add_best = [&](const auto& is_wanted) {
      const MethodVariant* best = nullptr;
      for (const MethodVariant& variant : variants)
        if (is_wanted(variant) && (!best || variant.order > best->order)) best = &variant;
      if (best) candidates.push_back(best);
    };
    for (const MethodVariant& variant : variants)
      if (std::ranges::none_of(candidates, [&](const MethodVariant* other) { return other->map == variant.map; }))
        add_best([&](const MethodVariant& other) { return other.map == variant.map; });
    report_.independent = candidates.size() > 1;
    if (candidates.size() == 1) {
      const MethodVariant* const first = candidates.front();
      add_best([&](const MethodVariant& other) { return other.order < first->order; });
    }
    std::vector<Reference> found;
    of_all_ = static_cast<std::int64_t>(candidates.size());
    for (const MethodVariant* candidate : candidates) {
      show("reference by " + candidate->label);
      if (auto reference = finest(*candidate)) found.push_back(*std::move(reference));
      ++done_;
    }
    std::ranges::stable_sort(found, {}, &Reference::change);
    if (found.size() > 2) found.erase(found.begin() + 2, found.end());
    references_ = std::move(found);
    for (const Reference& reference : references_)
      report_.references.push_back({reference.variant.label, reference.solution.step, reference.change});
    report_.states_apart = report_.points_apart = nan;
    if (references_.size() < 2) return;
    const Solution &a = references_[0].solution, &b = references_[1].solution;
    report_.states_apart = compare_ends(a, b, Distances(*orbits_.run().system, a.recording.states));
    report_.points_apart = compare_points(a, b, orbits_.count()).median;
  }

  /// The reference of another step map, if there is one.
  const Solution& reference_for(const MethodVariant& variant) const {
    const auto& other = std::ranges::find_if(
        references_, [&](const Reference& reference) { return reference.variant.map != variant.map; });
    return (other == references_.end() ? references_.front() : *other).solution;
  }

  void measure(const MethodVariant& variant) {
    WorkPrecisionCurve curve{variant, {}};
    const Solution& reference = reference_for(variant);
    const Distances distances(*orbits_.run().system, references_.front().solution.recording.states);
    const std::int64_t most_steps = most_stages * orbits_.steps() / stages_of(variant);
    std::int64_t last_steps = 0;
    for (int power = -longest_power;; ++power) {
      const std::int64_t steps =
          std::max<std::int64_t>(1, power < 0 ? orbits_.steps() >> -power : orbits_.steps() << power);
      if (steps > most_steps) break;
      if (steps == last_steps) continue;
      last_steps = steps;
      show(variant.label);
      const Solution solution = *solve(variant, steps, least_seconds, 1);
      curve.rows.push_back(row_of(solution, reference, distances));
      if (curve.rows.back().failed == 0 && !curve.rows.back().resolved) break;
    }
    report_.curves.push_back(std::move(curve));
  }

  WorkPrecisionRow row_of(const Solution& solution, const Solution& reference, const Distances& distances) const {
    const double units = std::abs(orbits_.time()) * static_cast<double>(orbits_.count());
    WorkPrecisionRow row{.step = solution.step, .steps = solution.steps, .failed = solution.failed};
    row.nanoseconds = 1e9 * solution.seconds / units;
    row.stages = static_cast<double>(solution.stages) / std::abs(orbits_.time());
    row.state = compare_ends(solution, reference, distances);
    row.points = nan;
    if (orbits_.run().spec.section) {
      const PointErrors errors = compare_points(solution, reference, orbits_.count());
      row.points = errors.median;
      row.other_counts = errors.other_counts;
    }
    std::vector<double> energies;
    for (std::size_t k = 0; k < solution.energy.size(); ++k)
      if (solution.reached_end(static_cast<std::int64_t>(k))) energies.push_back(solution.energy[k]);
    row.energy = median(std::move(energies));
    row.resolved = row.state > 3 * report_.states_apart;
    return row;
  }

  const Orbits& orbits_;
  const WorkPrecisionProgress& progress_;
  std::vector<Reference> references_;
  WorkPrecisionReport report_;
  std::int64_t done_ = 0, of_all_ = 1;
};

}  // namespace

WorkPrecisionReport measure_work_precision(const Orbits& orbits, const std::vector<std::string>& methods,
                                           const WorkPrecisionProgress& progress) {
  return WorkPrecision(orbits, progress)(methods);
}

Cheapest cheapest(const WorkPrecisionReport& report, double error) {
  Cheapest best;
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows)
      if (row.failed == 0 && row.state <= error && (!best.row || row.nanoseconds < best.row->nanoseconds))
        best = {&curve, &row};
  return best;
}

}  // namespace polhode
