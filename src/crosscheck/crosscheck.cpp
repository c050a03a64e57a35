#include "crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/cpu/isa.hpp"
#include "ensemble/initial.hpp"
#include "ensemble/random_stream.hpp"
#include "error.hpp"
#include "integration/backends.hpp"
#include "polhode/method/status.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

/// So many times at which states are compared.
constexpr std::int64_t samples = 40;

/// What the reference may differ by in one step, ten times what the tests of the agreement find for any system.
constexpr StepBound reference_bound{1e-13, std::numeric_limits<double>::epsilon()};

/// The same for single precision. It takes the operations of double in the same order, and ends its iterations at as
/// many units in the last place, so that what round-off does to a step is the same number of these to first order; and
/// parameters and step that are rounded are roundings of positions and of what they move by.
constexpr double in_single =
    std::numeric_limits<float>::epsilon() / static_cast<double>(std::numeric_limits<double>::epsilon());
constexpr StepBound single_bound{in_single * reference_bound.allowed, std::numeric_limits<float>::epsilon()};

InitialStates some_of(const InitialStates& all, int dim, std::int64_t count) {
  InitialStates some;
  some.n = std::min(count, all.n);
  for (std::int64_t k = 0; k < some.n; ++k) {
    const auto state = all.state.begin() + k * all.n / some.n * dim;
    some.state.insert(some.state.end(), state, state + dim);
  }
  return some;
}

/// Near the states that are given, by 1e-9 of what the trajectories from there reach: in every half of a state by
/// itself.
InitialStates near(const ResolvedRun& run, InitialStates states, const Recording& recording) {
  const int dim = run.system->dim;
  const Distances distances(*run.system, recording);
  const double components = std::sqrt(distances.part_size());
  for (std::int64_t k = 0; k < states.n; ++k) {
    RandomStream random(0, k);
    double* x = states.state.data() + k * dim;
    for (int i = 0; i < dim; ++i)
      x[i] += 1e-9 * distances.scale(k, i / distances.part_size()) / components * random.normal();
    run.system->bring_near(run.parameters.data(), x);
    run.system->prepare(run.parameters.data(), run.method->coefficients.momentum, x);
  }
  return states;
}

std::vector<std::int64_t> sample_steps(std::int64_t steps) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t k = 1; k <= samples; ++k)
    if (const std::int64_t step = k * steps / samples; step > at.back()) at.push_back(step);
  return at;
}

/// A run of the specification with something changed.
struct Subject {
  std::string name;
  std::unique_ptr<Backend> backend;
  Recording recording;
};

class Crosscheck {
 public:
  Crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read)
      : run_(run), options_(options) {
    if (options.with_single && run.spec.integration.precision != Precision::binary64)
      throw InputError(
          "cannot use --with-single (the configuration is in single precision already). Add --precision double.");
    starts_ = some_of(make_initial_states(run_, read), run_.system->dim, options.trajectories);
    plan_ = make_plan(run_, starts_.state);
    plan_.selection = {};  // every crossing is compared
    plan_.snapshots_every = 0;
    plan_.last_step = std::min(options.steps, run_.spec.integration.steps);
    batch_ = make_batch(run_.system->dim, plan_, starts_.state);
  }

  CrosscheckReport operator()() {
    report_.subject = fmt::format("{} by {} ({}), {} precision, {} trajectories, {} steps of {:g}", run_.system->name,
                                  run_.method->name, run_.solver().solver, name_of(run_.spec.integration.precision),
                                  batch_.n, plan_.last_step, run_.spec.method.step);
    Subject first = compare_fast(run_, plan_, batch_);
    if (is_wanted(BackendChoice::reference)) compare_reference(first);
    if (options_.with_single) compare_single(first);
    if (options_.step_halving) halve_step(first);
    if (report_.findings.empty())
      throw InputError(
          "nothing to compare (one instruction set and no other backend). Give more with --backends or --isa.");
    return std::move(report_);
  }

 private:
  Precision precision() const { return run_.spec.integration.precision; }
  bool is_wanted(BackendChoice backend) const {
    return options_.backends.empty() ||
           std::find(options_.backends.begin(), options_.backends.end(), backend) != options_.backends.end();
  }

  /// The best first: the others are compared with it.
  std::vector<Isa> isas_to_run() const {
    std::vector<Isa> isas = options_.isas;
    if (isas.empty())
      for (int i = n_isas; i-- > 0;)
        if (isa_supported(Isa{i}) && run_.method->cpu[i]) isas.push_back(Isa{i});
    if (!is_wanted(BackendChoice::cpu)) isas.resize(1);
    return isas;
  }

  /// On a backend, for the CPU with an instruction set.
  Subject integrate(ResolvedRun run, const Plan& plan, const Batch& batch, BackendChoice backend,
                    std::optional<Isa> isa = std::nullopt) const {
    run.spec.integration.backend = backend;
    run.spec.integration.isa = isa;
    ChosenBackend chosen = make_backend(run, plan);
    std::string name = isa ? fmt::format("cpu {}", isa_names[static_cast<int>(*isa)]) : chosen.name;
    if (run.spec.integration.precision != precision()) name += " single";
    Recording recording = record(*chosen.backend, batch, sample_steps(plan.last_step));
    return {name, std::move(chosen.backend), std::move(recording)};
  }

  Pair pair(Subject& first, Subject& other) {
    report_.compared = report_.compared || have_steps(first.recording, other.recording);
    return {fmt::format("{} against {}", other.name, first.name),
            *run_.system,
            *first.backend,
            *other.backend,
            first.recording,
            other.recording};
  }

  void skip(const char* subject, const char* promise, const std::string& why) {
    report_.findings.push_back({subject, promise, Verdict::skipped, why, {}});
  }

  /// Instruction sets and CUDA, which have the same bits; returns the one that the others are compared with.
  Subject compare_fast(const ResolvedRun& run, const Plan& plan, const Batch& batch) {
    const std::vector<Isa> isas = isas_to_run();
    Subject first = integrate(run, plan, batch, BackendChoice::cpu, isas.front());
    for (std::size_t i = 1; i < isas.size(); ++i) {
      Subject other = integrate(run, plan, batch, BackendChoice::cpu, isas[i]);
      report_.findings.push_back(check_bits(pair(first, other)));
    }
    if (!is_wanted(BackendChoice::cuda)) return first;
    try {
      Subject cuda = integrate(run, plan, batch, BackendChoice::cuda);
      report_.findings.push_back(check_bits(pair(first, cuda)));
    } catch (const UnavailableError& error) {
      if (!options_.backends.empty()) throw;
      if (run.spec.integration.precision == precision()) skip("cuda", "bits", error.what());  // once
    }
    return first;
  }

  void compare_reference(Subject& first) {
    if (precision() != Precision::binary64 && options_.backends.empty())
      return skip("reference", "step", "it computes in double precision only");
    std::optional<Subject> reference;
    try {
      reference = integrate(run_, plan_, batch_, BackendChoice::reference);
    } catch (const Error& error) {
      if (!options_.backends.empty()) throw;
      return skip("reference", "step", error.what());
    }
    const Pair both = pair(first, *reference);
    check_motion(both, reference_bound, growth(first));
    if (run_.spec.section) report_.findings.push_back(check_section(both));
  }

  /// Both from starts that are numbers of single precision, as states that are common to both are.
  void compare_single(Subject& first) {
    InitialStates starts = starts_;
    for (double& x : starts.state) x = static_cast<float>(x);
    const Batch batch = make_batch(run_.system->dim, plan_, starts.state);
    ResolvedRun run = run_;
    run.spec.integration.precision = Precision::binary32;
    Plan plan = plan_;
    plan.sweeps = make_plan(run, starts_.state).sweeps;
    Subject single = compare_fast(run, plan, batch);
    single.name = "single precision";
    Subject wide = integrate(run_, plan_, batch, BackendChoice::cpu, isas_to_run().front());
    wide.name = "double";
    const bool kept = is_single(single.recording);
    report_.findings.push_back(
        {.subject = single.name,
         .promise = "precision",
         .verdict = kept ? Verdict::kept : Verdict::broken,
         .text = kept ? "all states are numbers of single precision" : "some state is no number of single precision"});
    Pair both = pair(single, wide);
    both.subject = fmt::format("{} against {}", single.name, wide.name);
    check_motion(both, single_bound, growth(first));
  }

  void check_motion(const Pair& both, const StepBound& bound, const Growth& growth) {
    report_.findings.push_back(check_statuses(both));
    const Finding step = check_step(both, bound);
    report_.findings.push_back(step);
    report_.findings.push_back(check_trajectories(both, growth, step.figures.at("largest")));
  }

  /// Measured once, on what the others are compared with.
  const Growth& growth(Subject& first) {
    if (growth_.empty()) {
      const InitialStates beside_starts = near(run_, starts_, first.recording);
      const Recording beside =
          record(*first.backend, make_batch(run_.system->dim, plan_, beside_starts.state), first.recording.steps);
      growth_ = growth_of(*run_.system, first.recording, beside);
    }
    return growth_;
  }

  /// The distances of h from h / 2 and of that from h / 4, after as many steps as leave them small, of trajectories
  /// that no event has ended.
  void halve_step(Subject& first);

  ResolvedRun run_;
  const CrosscheckOptions& options_;
  InitialStates starts_;
  Plan plan_;
  Batch batch_;
  Growth growth_;  ///< once it is measured
  CrosscheckReport report_;
};

void Crosscheck::halve_step(Subject& first) {
  const std::vector<std::int64_t>& steps = first.recording.steps;
  Recording finer[2];
  for (int i = 0; i < 2; ++i) {
    ResolvedRun run = run_;
    run.spec.integration.backend = BackendChoice::cpu;
    const std::int64_t factor = std::int64_t{2} << i;
    run.spec.method.step /= static_cast<double>(factor);
    Plan plan = make_plan(run, starts_.state);
    plan.section.observable = -1;
    plan.snapshots_every = 0;
    std::vector<std::int64_t> at = steps;
    for (std::int64_t& step : at) step *= factor;
    plan.last_step = at.back();
    finer[i] = record(*make_backend(run, plan).backend, batch_, at);
  }
  report_.compared = report_.compared || have_steps(first.recording, finer[0]);
  // The median over trajectories, at the last time at which it is below a hundredth. Of positions where there are
  // some: momenta that are not projected differ by a constraint force times h.
  const Distances distances(*run_.system, first.recording);
  const auto median = [&](std::size_t t, const Batch& a, const Batch& b) {
    std::vector<double> all;
    for (std::int64_t k = 0; k < a.n; ++k)
      if (first.recording.states[t].code[k] != static_cast<std::uint8_t>(Status::event))
        all.push_back(distances.of_positions(a, b, k));
    if (all.empty()) return std::numeric_limits<double>::infinity();
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  };
  const double epsilon = precision() == Precision::binary64 ? 0x1p-52 : 0x1p-23;
  double coarse = 0, fine = 0;
  std::int64_t at = 0;
  for (std::size_t t = 1; t < steps.size(); ++t) {
    const double d = median(t, first.recording.states[t], finer[0].states[t]);
    const double e = median(t, finer[0].states[t], finer[1].states[t]);
    if (!(d < 0.01)) break;
    if (e < 1000 * epsilon * std::sqrt(static_cast<double>(4 * steps[t]))) continue;  // round-off has no order
    coarse = d;
    fine = e;
    at = steps[t];
  }
  if (at == 0)
    return skip("h, h/2 and h/4", "order",
                "the differences are too large, or round-off, or there are none: no order can be seen");
  const double order = std::log2(coarse / fine);
  const int declared = run_.method->properties.order;
  report_.findings.push_back(
      {.subject = "h, h/2 and h/4",
       .promise = "order",
       .verdict = std::abs(order - declared) < 0.5 ? Verdict::kept : Verdict::broken,
       .text = fmt::format("{:.1e} and {:.1e} apart after {} steps: order {:.2f}, declared {}", coarse, fine, at, order,
                           declared),
       .figures = {{"coarse", coarse}, {"fine", fine}, {"order", order}, {"declared", declared}}});
}

}  // namespace

bool CrosscheckReport::all_kept() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.verdict == Verdict::broken; });
}

CrosscheckReport crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read) {
  return Crosscheck(run, options, read)();
}

}  // namespace polhode
