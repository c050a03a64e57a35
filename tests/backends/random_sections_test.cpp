// Random runs against a dense reference: the same orbits at every hundredth of a step. There, where nothing is searched
// for, every crossing is a change of sign. Angles that jump at values on both sides of the jump, of orbits in a plane,
// near one and anywhere; and terminal sections of what does not jump.
//
// POLHODE_RANDOM_RUNS is their number, where it is set.
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
  int variant;
  Plan plan;
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
      if (system.dim > 12 || one.method->coefficients.momentum == Momentum::unprojected) continue;
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
    Plan plan = example_plan(one, steps);
    plan.step *= 0.5 + 4 * uniform(random);
    plan.method = one.method->with_sweeps(plan.method, one.variant, plan.parameters, plan.step, Precision::binary64);
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
    RandomRun run{one.method, one.variant, plan, start, name};
    run.plan.section.value = is_of_angle ? value_of_an_angle(random) : value_on_the_orbit(run, random);
    run.plan.section.terminal = run.plan.section.terminal && !run.plan.section.jumps;
    return run;
  }

  static Outcome states_of(const RandomRun& run) {
    Plan plan = run.plan;
    plan.section.observable = -1;
    plan.snapshots_every = 1;
    return run_all(*make_cpu(plan, best_isa(), 1, run.variant, Precision::binary64, *run.method), run.start,
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
  static double value_on_the_orbit(const RandomRun& run, std::mt19937_64& random) {
    const SystemEntry& system = *find_system(run.method->system);
    const Outcome outcome = states_of(run);
    std::vector<double> values;
    for (std::int64_t k = 0; k < outcome.batch.steps[0]; ++k)
      values.push_back(
          system.observe(run.plan.parameters, run.plan.section.observable, &outcome.snapshots[k * system.dim]));
    if (values.empty()) return 0;
    const auto [least, largest] = std::ranges::minmax(values);
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
      Plan plan = run_.plan;
      plan.section.observable = -1;
      plan.step *= theta;
      plan.last_step = 1;
      const auto backend = make_cpu(plan, best_isa(), 1, run_.variant, Precision::binary64, *run_.method);
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
  std::vector<double> times;
  bool decided =
      true;  ///< no step to a hundredth failed, and nothing is so close to the section that round-off decides
};

/// Whether f goes through zero between two hundredths of step n, and does not jump over it: halved until it is known.
bool is_continuous(const DenseOrbit& orbit, std::int64_t n, double low, double high, double f_low, double f_high) {
  while (std::abs(f_high - f_low) > 1e-3) {
    const double middle = (low + high) / 2;
    if (!(middle > low && middle < high) || high - low < 1e-15) return false;
    const double f = orbit.at(n, middle);
    ((f < 0) == (f_low < 0) ? low : high) = middle;
    ((f < 0) == (f_low < 0) ? f_low : f_high) = f;
  }
  return true;
}

Crossings dense_crossings(const RandomRun& run, const DenseOrbit& orbit) {
  const SectionPlan& section = run.plan.section;
  constexpr double round_off = 1e-12;
  Crossings found;
  for (std::int64_t n = 0; n < orbit.steps(); ++n) {
    // The last value that is not round-off, of this step or of the one before, where it is measured alike.
    std::optional<std::pair<double, double>> last;
    if (n > 0 && std::abs(orbit.part(n, 0)) <= round_off) found.decided = false;
    for (int part = 0; part <= parts; ++part) {
      const double theta = static_cast<double>(part) / parts, f = orbit.part(n, part);
      if (std::isnan(f)) {
        found.decided = false;
        break;
      }
      if (std::abs(f) <= round_off) continue;
      if (last && (last->second < 0) != (f < 0) && (f > 0 ? section.up : section.down) &&
          (!section.jumps || is_continuous(orbit, n, last->first, theta, last->second, f)))
        found.times.push_back(static_cast<double>(n) + (last->first + theta) / 2);
      last = {theta, f};
    }
  }
  return found;
}

/// Times without a match in others, within a hundredth of a step.
std::vector<double> unmatched(const std::vector<double>& times, std::vector<double> others) {
  std::vector<double> rest;
  for (const double time : times) {
    const auto match = std::ranges::find_if(others, [&](double other) { return std::abs(other - time) < 1.1 / parts; });
    if (match == others.end())
      rest.push_back(time);
    else
      others.erase(match);
  }
  return rest;
}
/// Those that are in no pair closer than `apart`: what is closer merely touches the section.
std::vector<double> without_pairs(const std::vector<double>& times, double apart) {
  std::vector<double> rest;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (k + 1 < times.size() && times[k + 1] - times[k] < apart)
      ++k;
    else
      rest.push_back(times[k]);
  return rest;
}

TEST(RandomSections, AreThoseOfTheOrbitsAtHundredthsOfAStep) {
  const char* const asked = std::getenv("POLHODE_RANDOM_RUNS");
  const int runs = asked ? std::atoi(asked) : 200;
  const Subjects subjects;
  int decided = 0, crossed = 0, ended = 0, missing = 0;
  for (int r = 0; r < runs; ++r) {
    const RandomRun run = subjects.make(static_cast<std::uint64_t>(r));
    const SectionPlan& section = run.plan.section;
    const std::string what = "run " + std::to_string(r) + ": " + run.name + " = " + std::to_string(section.value);
    const Outcome outcome = run_all(*make_cpu(run.plan, best_isa(), 1, run.variant, Precision::binary64, *run.method),
                                    run.start, steps, steps);
    const DenseOrbit orbit(run);
    Crossings expected = dense_crossings(run, orbit);
    if (!expected.decided) continue;
    ++decided;
    std::vector<double> found;
    for (std::int64_t k = 0; k < outcome.section.size(); ++k)
      found.push_back(static_cast<double>(outcome.section.step[k]) + outcome.section.theta[k]);
    // What a method looks for beside changes of sign comes to the section in pairs, in both directions.
    const bool is_both = section.up && section.down;
    const double touching = 0.1;
    crossed += static_cast<int>(found.size());
    if (section.terminal) {
      ended += !found.empty();
      if (found.empty() && expected.times.empty()) continue;
      const bool same =
          !found.empty() && !expected.times.empty() && std::abs(found[0] - expected.times[0]) < 1.1 / parts;
      if (same) continue;
      const bool is_too_early = !found.empty() && (expected.times.empty() || found[0] < expected.times[0]);
      EXPECT_FALSE(is_too_early && !section.long_steps) << what;
      if (is_too_early) continue;  // within less than a hundredth
      ++missing;
      EXPECT_TRUE(count_missed(section, orbit.whole_steps()) > 0 || is_both) << what << ": first passage missed";
      continue;
    }
    std::vector<double> too_many = unmatched(found, expected.times), too_few = unmatched(expected.times, found);
    if (section.long_steps) too_many = without_pairs(too_many, 2.2 / parts);
    EXPECT_TRUE(too_many.empty()) << what << ": " << too_many.size() << " too many";
    if (is_both) too_few = without_pairs(too_few, touching);
    if (too_few.empty()) continue;
    missing += static_cast<int>(too_few.size());
    EXPECT_FALSE(section.long_steps) << what << ": " << too_few.size() << " missing";
    EXPECT_GT(count_missed(section, orbit.whole_steps()), 0) << what << ": " << too_few.size() << " missing";
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
