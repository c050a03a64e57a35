// Random runs against a dense reference: the same orbits at every hundredth of a step. There, where nothing is searched
// for, every crossing is a change of sign. Angles that jump at values on both sides of the jump, of orbits in a plane,
// near one and anywhere; and terminal sections of what does not jump.
//
// POLHODE_RANDOM_RUNS is their number, where it is set.
#include <iterator>
#include <numbers>
#include <optional>

#include "backends/support.hpp"
#include "integration/missed_crossings.hpp"
#include "support/planar_orbits.hpp"

namespace polhode::test {
namespace {

constexpr double pi = std::numbers::pi, tau = 2 * pi;
constexpr int parts = 100;  // of a step
constexpr std::int64_t steps = 60;

/// A method, an orbit of its system, and a section.
struct RandomRun {
  const MethodEntry* method;
  int solver;
  RunPlan plan;
  Batch start;
  std::string name;
};

template <class Range, class Random>
const auto& any_of(const Range& range, Random& random) {
  return range[random() % std::size(range)];
}

class Subjects {
 public:
  Subjects() {
    for (const Case& one : all_cases({Precision::binary64})) {
      const SystemEntry& system = *find_system(one.method->system);
      if (system.dim > 12 || one.method->momentum == Momentum::unprojected) continue;
      all_.push_back(one);
      if (has_jumps(system)) with_jumps_.push_back(one);
    }
  }

  RandomRun make(std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    const bool is_of_angle = seed % 2 == 0;
    Case one = any_of(is_of_angle ? with_jumps_ : all_, random);
    const std::string method = one.method->name;
    if (method == "gauss") one.stages = 2 + static_cast<int>(random() % 3);
    if (method == "lobatto") one.stages = 2 + static_cast<int>(random() % 3);
    const SystemEntry& system = *find_system(one.method->system);
    RunPlan plan = example_plan(one, steps);
    plan.step *= 0.5 + 4 * uniform(random);
    plan.step_plan =
        one.method->with_sweeps(plan.step_plan, one.solver, plan.parameters, plan.step, Precision::binary64);
    plan.invariants = 0;
    Batch start = random_ensemble(1, random(), 1, 0, *one.method, 0);
    int observable = static_cast<int>(random() % system.observables.size());
    if (is_of_angle) {
      while (system.observables[observable].angle != Angle::wrapped)
        observable = (observable + 1) % static_cast<int>(system.observables.size());
      constexpr double offs[] = {0, 1e-9, -1e-9, 1e-3};
      const std::vector<double> parameters(system.example_parameters.begin(), system.example_parameters.end());
      const double plane = any_of(std::array{0.0, 0.3, -2.5, 1.0}, random);
      if (random() % 3 > 0) start = planar_orbits(*one.method, parameters, 1, plane, any_of(offs, random), random());
    }
    const bool is_up = random() % 2 == 0, is_both = random() % 3 == 0;
    plan.section = {observable, 0, is_up || is_both, !is_up || is_both};
    plan.section.terminal = !is_of_angle;
    plan.section.long_steps = step_of(*one.method, options_of(one)).properties.long_steps;
    plan.section.jumps = system.observables[observable].angle == Angle::wrapped;
    plan.section.modulo_turns = system.observables[observable].angle == Angle::unbounded;
    const std::string name = case_name({one, 0}) + ", " + system.observables[observable].name;
    RandomRun run{one.method, one.solver, plan, start, name};
    if (is_of_angle) {
      run.plan.section.value = value_of_an_angle(random);
    } else if (const auto value = value_on_the_orbit(run, random); value && !plan.section.jumps) {
      run.plan.section.value = *value;
    } else {
      return make(seed + 1000002);  // another terminal section
    }
    return run;
  }

  static Outcome states_of(const RandomRun& run) {
    RunPlan plan = run.plan;
    plan.section.observable = -1;
    plan.snapshots_every = 1;
    return run_all(*make_cpu(plan, best_isa(), 1, run.solver, Precision::binary64, *run.method), run.start,
                   plan.last_step, plan.last_step);
  }

 private:
  static bool has_jumps(const SystemEntry& system) {
    return std::ranges::any_of(system.observables, [](const Quantity& o) { return o.angle == Angle::wrapped; });
  }
  static double value_of_an_angle(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    const double beside = std::pow(10, -1 - 3 * uniform(random));
    return any_of(std::array{0.0, pi, -pi, 0.3, -2.5, 1.0, pi - beside, -pi + beside, pi * (2 * uniform(random) - 1)},
                  random);
  }
  /// Between the values that the orbit takes, often close to the largest or the least of them.
  /// Nothing of what hardly changes.
  static std::optional<double> value_on_the_orbit(const RandomRun& run, std::mt19937_64& random) {
    const SystemEntry& system = *find_system(run.method->system);
    const Outcome outcome = states_of(run);
    std::vector<double> values;
    for (std::int64_t k = 0; k < outcome.batch.steps[0]; ++k)
      values.push_back(
          system.observe(run.plan.parameters, run.plan.section.observable, &outcome.snapshots[k * system.dim]));
    if (values.empty()) return std::nullopt;
    const auto [least, largest] = std::ranges::minmax(values);
    if (!(largest - least > 1e-6 * (1 + std::abs(largest)))) return std::nullopt;
    // What an invariant does in a step is the method's error, which no values at its ends tell.
    const std::string name = system.observables[run.plan.section.observable].name;
    if (std::ranges::any_of(system.invariants, [&](const Quantity& one) { return name == one.name; }))
      return std::nullopt;
    std::uniform_real_distribution<double> uniform(0, 1);
    const double within = random() % 2 == 0 ? uniform(random) : std::pow(10, -1 - 3 * uniform(random));
    return random() % 2 == 0 ? least + within * (largest - least) : largest - within * (largest - least);
  }

  std::vector<Case> all_, with_jumps_;
};

/// The observable, less the section's value, at every hundredth of every step of an orbit.
class DenseOrbit {
 public:
  explicit DenseOrbit(const RandomRun& run)
      : run_(run), system_(*find_system(run.method->system)), states_(Subjects::states_of(run)) {
    count_ = states_.batch.steps[0];
    const auto dim = static_cast<std::int64_t>(system_.dim);
    starts_ = Batch(count_, system_.dim, 0);
    for (std::int64_t n = 0; n < count_; ++n)
      for (std::int64_t i = 0; i < dim; ++i)
        starts_.state[i * count_ + n] = n == 0 ? run.start.state[i] : states_.snapshots[(n - 1) * dim + i];
    for (int part = 0; part < parts; ++part) f_.push_back(after(static_cast<double>(part) / parts, starts_));
  }

  std::int64_t steps() const { return count_; }
  /// f after each whole step, from the start on.
  std::vector<double> whole_steps() const {
    std::vector<double> f = f_.front();
    if (count_ > 0) f.push_back(at(count_ - 1, 1));
    return f;
  }
  /// f at theta in (0, 1] of step n.
  double at(std::int64_t n, double theta) const {
    if (theta == 1) return measured(n, end_of(n).data());
    return after(theta, part_of(starts_, n, n + 1), n).front();
  }
  double part(std::int64_t n, int part) const { return part == parts ? at(n, 1) : f_[part][n]; }
  /// The first of some times, and f at the ends of its step.
  std::string describe(const std::vector<double>& times) const {
    if (times.empty()) return {};
    const auto n = std::clamp<std::int64_t>(static_cast<std::int64_t>(times[0]), 0, count_ - 1);
    return "first at " + std::to_string(times[0]) + " between " + std::to_string(part(n, 0)) + " and " +
           std::to_string(part(n, parts));
  }

 private:
  std::vector<double> end_of(std::int64_t n) const {
    const double* x = &states_.snapshots[n * system_.dim];
    return {x, x + system_.dim};
  }
  /// f after a part of a step from each of the states, which are those from step `first` on.
  std::vector<double> after(double theta, const Batch& from, std::int64_t first = 0) const {
    if (from.n == 0) return {};
    Batch to = from;
    if (theta > 0) {
      RunPlan plan = run_.plan;
      plan.section.observable = -1;
      plan.step *= theta;
      plan.last_step = 1;
      const auto backend = make_cpu(plan, best_isa(), 1, run_.solver, Precision::binary64, *run_.method);
      backend->load(from);
      backend->advance({0, 1});
      backend->store(to);
    }
    std::vector<double> f, x(system_.dim);
    for (std::int64_t k = 0; k < from.n; ++k) {
      for (int i = 0; i < system_.dim; ++i) x[i] = to.state[i * from.n + k];
      f.push_back(to.code[k] == 0 ? measured(first + k, x.data()) : std::nan(""));
    }
    return f;
  }
  /// Of an angle without bound from the turn that is nearest where step n begins.
  double measured(std::int64_t n, const double* x) const {
    const SectionPlan& section = run_.plan.section;
    const double f = observe(x) - section.value;
    if (!section.modulo_turns) return f;
    std::vector<double> start(system_.dim);
    for (int i = 0; i < system_.dim; ++i) start[i] = starts_.state[i * count_ + n];
    const double first = observe(start.data()) - section.value;
    return f - (first - std::remainder(first, tau));
  }
  double observe(const double* x) const {
    return system_.observe(run_.plan.parameters, run_.plan.section.observable, x);
  }

  const RandomRun& run_;
  const SystemEntry& system_;
  Outcome states_;
  std::int64_t count_ = 0;
  Batch starts_;
  std::vector<std::vector<double>> f_;  ///< [part][step]
};

struct Crossings {
  struct One {
    double time;
    bool is_up;
    bool is_firm = true;  ///< other than in a step whose ends do not tell
  };
  std::vector<One> all{};
  bool decided = true;  ///< no part of a step failed, no step begins within round-off of the section, and no passage is
                        ///< within that of the axis
};

/// Whether f goes through zero between two times in step n, and does not jump over it: halved until it is known.
/// Nothing where that takes a bracket of a few units of round-off: within 1e-10 of the axis an angle is uncertain by
/// more than it may change.
std::optional<bool> is_continuous(const DenseOrbit& orbit, std::int64_t n, double low, double high, double f_low,
                                  double f_high) {
  while (std::abs(f_high - f_low) > 1e-5) {
    const double middle = (low + high) / 2;
    if (high - low < 1e-15) return std::abs(f_high - f_low) > 1 ? std::optional(false) : std::nullopt;
    const double f = orbit.at(n, middle);
    ((f < 0) == (f_low < 0) ? low : high) = middle;
    ((f < 0) == (f_low < 0) ? f_low : f_high) = f;
  }
  return true;
}

/// f of a smooth curve through the values after six steps, those about step n, which it starts after and ends before: a
/// polynomial of fifth degree. Turns are taken out of it. NaN if there are no six.
class SmoothCurve {
 public:
  SmoothCurve(const SectionPlan& section, const std::vector<double>& f, std::int64_t n) {
    const std::int64_t first = std::clamp<std::int64_t>(n - 2, 0, std::max<std::int64_t>(0, std::ssize(f) - count));
    start_ = static_cast<double>(n - first);
    for (std::int64_t k = 0; k < count; ++k) f_[k] = first + k < std::ssize(f) ? f[first + k] : std::nan("");
    if (!section.jumps && !section.modulo_turns) return;
    const auto at = static_cast<int>(n - first);
    for (int k = at; k + 1 < count; ++k) f_[k + 1] = f_[k] + std::remainder(f_[k + 1] - f_[k], tau);
    for (int k = at; k > 0; --k) f_[k - 1] = f_[k] - std::remainder(f_[k] - f_[k - 1], tau);
  }
  double operator()(double theta) const {
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      double weight = 1;
      for (int j = 0; j < count; ++j)
        if (j != k) weight *= (start_ + theta - j) / (k - j);
      sum += weight * f_[k];
    }
    return sum;
  }

 private:
  static constexpr int count = 6;
  double start_;
  std::array<double, count> f_;
};

/// Whether the values at the ends of steps tell that f crosses in step n. They do not
/// * where it goes beyond the section by no more than a part of a step leaves the smooth curve through whole steps, as
///   those of methods of low order do,
/// * where an angle turns by more than a quarter in the step.
bool is_firm(const SectionPlan& section, const DenseOrbit& orbit, const std::vector<double>& whole, std::int64_t n) {
  const SmoothCurve curve(section, whole, n);
  double least = orbit.part(n, 0), largest = least, turned = 0, off = 0;
  bool jumps = false, is_followed = true;
  for (int part = 1; part <= parts; ++part) {
    const double f = orbit.part(n, part), change = f - orbit.part(n, part - 1);
    turned += std::abs(std::remainder(change, tau));
    jumps = jumps || std::abs(change) > 5;
    is_followed = is_followed && std::abs(change) < 1;
    off = std::max(off, std::abs(f - curve(static_cast<double>(part) / parts)));
    least = std::min(least, f);
    largest = std::max(largest, f);
  }
  const double f0 = orbit.part(n, 0), f1 = orbit.part(n, parts);
  if (section.jumps && turned > pi / 2) return f0 * f1 < 0 && is_followed && turned < 1.01 * std::abs(f1 - f0);
  if (section.jumps && jumps) {
    const double rest = std::remainder(f1 - f0, tau);
    return f0 * (f0 + rest) < 0 || (f1 - rest) * f1 < 0;
  }
  return f0 * f1 < 0 || std::min(-least, largest) > off;
}

/// In both directions.
Crossings dense_crossings(const RandomRun& run, const DenseOrbit& orbit) {
  constexpr double round_off = 1e-12;
  const std::vector<double> whole = orbit.whole_steps();
  Crossings found;
  for (std::int64_t n = 0; n < orbit.steps(); ++n) {
    std::optional<std::pair<double, double>> last;  // theta and f, where that is no round-off
    found.decided = found.decided && std::abs(orbit.part(n, 0)) > round_off;
    for (int part = 0; part <= parts && found.decided; ++part) {
      const double theta = static_cast<double>(part) / parts, f = orbit.part(n, part);
      found.decided = !std::isnan(f);
      if (!(std::abs(f) > round_off)) continue;
      if (last && (last->second < 0) != (f < 0)) {
        const std::optional<bool> goes_through =
            run.plan.section.jumps ? is_continuous(orbit, n, last->first, theta, last->second, f) : true;
        found.decided = goes_through.has_value();
        if (found.decided && *goes_through)
          found.all.push_back(
              {static_cast<double>(n) + (last->first + theta) / 2, f > 0, is_firm(run.plan.section, orbit, whole, n)});
      }
      last = {theta, f};
    }
  }
  return found;
}

using Times = std::vector<double>;

/// Times of the crossings in the directions that count; with `apart` of the firm ones, but for pairs that are closer.
Times times_of(const SectionPlan& section, const Crossings& crossings, double apart = 0) {
  Times times;
  const auto& all = crossings.all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool is_of_a_pair = (k > 0 && all[k].time - all[k - 1].time < apart) ||
                              (k + 1 < all.size() && all[k + 1].time - all[k].time < apart);
    const bool counts = apart == 0 || (!is_of_a_pair && all[k].is_firm);
    if (counts && (all[k].is_up ? section.up : section.down)) times.push_back(all[k].time);
  }
  return times;
}
/// Whether there is one within a hundredth of a step.
bool has(const Times& times, double time) {
  return std::ranges::any_of(times, [&](double other) { return std::abs(other - time) < 1.1 / parts; });
}
Times without(const Times& times, const Times& others) {
  Times rest;
  std::ranges::copy_if(times, std::back_inserter(rest), [&](double time) { return !has(others, time); });
  return rest;
}

TEST(RandomSections, AreThoseOfTheOrbitsAtHundredthsOfAStep) {
  const char* const asked = std::getenv("POLHODE_RANDOM_RUNS");
  const int runs = asked ? std::atoi(asked) : 200;
  // What comes to the section for a tenth of a step and goes again is for the search of long steps alone.
  constexpr double touching = 0.1;
  const Subjects subjects;
  int decided = 0, crossed = 0, ended = 0, missing = 0;
  for (int r = 0; r < runs; ++r) {
    const RandomRun run = subjects.make(static_cast<std::uint64_t>(r));
    const SectionPlan& section = run.plan.section;
    const std::string what = "run " + std::to_string(r) + ": " + run.name + " = " + std::to_string(section.value);
    const Outcome outcome = run_all(*make_cpu(run.plan, best_isa(), 1, run.solver, Precision::binary64, *run.method),
                                    run.start, steps, steps);
    const DenseOrbit orbit(run);
    const Crossings crossings = dense_crossings(run, orbit);
    if (!crossings.decided) continue;
    ++decided;
    Times found;
    for (std::int64_t k = 0; k < outcome.section.size(); ++k)
      found.push_back(static_cast<double>(outcome.section.step[k]) + outcome.section.theta[k]);
    crossed += static_cast<int>(found.size());
    ended += section.terminal && !found.empty();

    // Two in one hundredth change no sign there.
    Times too_many = without(found, times_of(section, crossings));
    if (section.long_steps && section.up && section.down && too_many.size() % 2 == 0) too_many.clear();
    if (section.long_steps && (section.terminal || section.up != section.down)) too_many.clear();
    EXPECT_TRUE(too_many.empty()) << what << ": " << too_many.size() << " too many, " << orbit.describe(too_many);

    const Times firm = times_of(section, crossings, touching);
    Times too_few = without(firm, found);
    if (section.terminal && !found.empty()) std::erase_if(too_few, [&](double time) { return time > found.front(); });
    if (too_few.empty()) continue;
    missing += static_cast<int>(too_few.size());
    EXPECT_GT(count_missed(section, orbit.whole_steps()), 0)
        << what << ": " << too_few.size() << " missing, " << orbit.describe(too_few);
  }
  EXPECT_GT(decided, runs / 3);
  EXPECT_GT(crossed, runs / 4);
  EXPECT_GT(ended, runs / 20);
  RecordProperty("decided", decided);
  RecordProperty("crossed", crossed);
  RecordProperty("ended", ended);
  RecordProperty("missing", missing);
}

}  // namespace
}  // namespace polhode::test
