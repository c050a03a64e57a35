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
#include "spec/composition.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

/// Number of times at which states are compared.
constexpr std::int64_t samples = 40;

/// Upper bound on distances from which an order is computed.
constexpr double most_apart = 0.01;

/// Longest step to begin halving with, in units of h.
constexpr std::int64_t longest_multiple = 64;

/// Bound on the difference of one step from the reference: ten times the largest that the tests find for any system.
constexpr StepBound reference_bound{1e-13, std::numeric_limits<double>::epsilon()};

/// The same bound for single precision: the operations are those of double in the same order, and iterations end at as
/// many units in the last place, so that the round-off of a step is the same number of these to first order. Rounded
/// parameters and steps act as roundings of positions and displacements.
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

/// States at a distance of 1e-9 from the given ones, relative to the largest length along the trajectory, in each half
/// of the state.
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

/// Recording of the run on one backend, instruction set and precision.
struct Subject {
  std::string name;
  std::unique_ptr<Backend> backend;
  Recording recording;
};

class Crosscheck {
 public:
  Crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read,
             const CrosscheckProgress& progress)
      : run_(run), options_(options), progress_(progress) {
    if (options.with_single && run.spec.integration.precision != Precision::binary64)
      throw InputError(
          "cannot use --with-single (the configuration is in single precision already). Add --precision double.");
    const StartsProgress of_starts = [&](std::int64_t done, std::int64_t all) { progress("starts", done, all); };
    starts_ = some_of(make_initial_states(run_, read, progress ? of_starts : StartsProgress()), run_.system->dim,
                      options.trajectories);
    plan_ = make_plan(run_, starts_.state);
    plan_.selection = {};  // every crossing is compared
    plan_.snapshots_every = 0;
    plan_.last_step = std::min(options.steps, run_.spec.integration.steps);
    batch_ = make_batch(run_.system->dim, plan_, starts_.state);
  }

  CrosscheckReport operator()() {
    const std::string composition = run_.composition_in_words();
    report_.subject =
        fmt::format("{} by {} ({}{}), {} precision, {} trajectories, {} steps of {:g}", run_.system->name,
                    run_.method->name, run_.solver().solver, composition.empty() ? "" : ", " + composition,
                    name_of(run_.spec.integration.precision), batch_.n, plan_.last_step, run_.spec.method.step);
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
  /// Round-off of a step times a thousand: an order cannot be computed from smaller differences.
  double round_off() const { return 1000 * (precision() == Precision::binary64 ? 0x1p-52 : 0x1p-23); }
  bool is_wanted(BackendChoice backend) const {
    return options_.backends.empty() ||
           std::find(options_.backends.begin(), options_.backends.end(), backend) != options_.backends.end();
  }

  /// Instruction sets, the best first, with which the others are compared.
  std::vector<Isa> isas_to_run() const {
    std::vector<Isa> isas = options_.isas;
    if (isas.empty())
      for (int i = n_isas; i-- > 0;)
        if (isa_supported(Isa{i}) && run_.method->cpu[i]) isas.push_back(Isa{i});
    if (!is_wanted(BackendChoice::cpu)) isas.resize(1);
    return isas;
  }

  /// Recording on a backend; on the CPU with an instruction set.
  Subject integrate(ResolvedRun run, const Plan& plan, const Batch& batch, BackendChoice backend,
                    std::optional<Isa> isa = std::nullopt) const {
    run.spec.integration.backend = backend;
    run.spec.integration.isa = isa;
    ChosenBackend chosen = make_backend(run, plan);
    std::string name = isa ? fmt::format("cpu {}", isa_names[static_cast<int>(*isa)]) : chosen.name;
    if (run.spec.integration.precision != precision()) name += " single";
    Recording recording = record_with_progress(name, *chosen.backend, batch, sample_steps(plan.last_step));
    return {name, std::move(chosen.backend), std::move(recording)};
  }

  Recording record_with_progress(const std::string& subject, Backend& backend, const Batch& batch,
                                 const std::vector<std::int64_t>& steps) const {
    const Reached reached = [&](std::int64_t step) { progress_(subject, step, steps.back()); };
    return record(backend, batch, steps, progress_ ? reached : Reached());
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

  /// Compares instruction sets and CUDA bitwise; returns the recording with which the others are compared.
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

  /// Both start from initial states representable in single precision.
  void compare_single(Subject& first) {
    InitialStates starts = starts_;
    for (double& x : starts.state) x = static_cast<float>(x);
    const Batch batch = make_batch(run_.system->dim, plan_, starts.state);
    ResolvedRun run = run_;
    run.spec.integration.precision = Precision::binary32;
    Plan plan = plan_;
    plan.method = make_plan(run, starts_.state).method;
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

  /// Growth on the backend with which the others are compared; measured once.
  const Growth& growth(Subject& first) {
    if (growth_.empty()) {
      const InitialStates beside_starts = near(run_, starts_, first.recording);
      const Recording beside =
          record_with_progress("growth of small distances", *first.backend,
                               make_batch(run_.system->dim, plan_, beside_starts.state), first.recording.steps);
      growth_ = growth_of(*run_.system, first.recording, beside);
    }
    return growth_;
  }

  /// Distances between the results of steps h and h/2, h/2 and h/4, and so on, after as many steps as leave them small.
  struct Halving {
    std::vector<double> apart = {};  ///< above round-off
    std::int64_t steps = 0;
    bool compared = false;  ///< there were steps after the start

    double order(std::size_t k) const { return std::log2(apart[k] / apart[k + 1]); }
  };
  /// Halving of steps of `multiple` h, with the recording `coarse`; trajectories that an event has ended are left out.
  Halving halve(std::int64_t multiple, const Recording& coarse, int halvings) const;
  /// Recording with steps of `factor` h, without a section.
  Recording with_step(double factor, const std::vector<std::int64_t>& at) const;
  void halve_step(Subject& first);

  ResolvedRun run_;
  const CrosscheckOptions& options_;
  const CrosscheckProgress& progress_;
  InitialStates starts_;
  Plan plan_;
  Batch batch_;
  Growth growth_;  ///< once it is measured
  CrosscheckReport report_;
};

Recording Crosscheck::with_step(double factor, const std::vector<std::int64_t>& at) const {
  ResolvedRun run = run_;
  run.spec.integration.backend = BackendChoice::cpu;
  run.spec.method.step *= factor;
  Plan plan = make_plan(run, starts_.state);
  plan.section.observable = -1;
  plan.snapshots_every = 0;
  plan.last_step = at.back();
  return record_with_progress(fmt::format("steps of {:g} h", factor), *make_backend(run, plan).backend, batch_, at);
}

Crosscheck::Halving Crosscheck::halve(std::int64_t multiple, const Recording& coarse, int halvings) const {
  std::vector<Recording> finer;
  for (int k = 1; k <= halvings; ++k) {
    const std::int64_t factor = std::int64_t{1} << k;
    std::vector<std::int64_t> at = coarse.steps;
    for (std::int64_t& step : at) step *= factor;
    finer.push_back(with_step(static_cast<double>(multiple) / static_cast<double>(factor), at));
  }
  // The median over trajectories, at the last time at which it is below a hundredth. Of positions where there are
  // some: momenta that are not projected differ by a constraint force times h.
  const Distances distances(*run_.system, coarse);
  const auto median = [&](std::size_t t, const Batch& a, const Batch& b) {
    std::vector<double> all;
    for (std::int64_t k = 0; k < a.n; ++k)
      if (coarse.states[t].code[k] != static_cast<std::uint8_t>(Status::event))
        all.push_back(distances.of_positions(a, b, k));
    if (all.empty()) return std::numeric_limits<double>::infinity();
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  };
  Halving seen{.compared = have_steps(coarse, finer.front())};
  for (std::size_t t = 1; t < coarse.steps.size(); ++t) {
    std::vector<double> apart{median(t, coarse.states[t], finer.front().states[t])};
    if (!(apart.front() < most_apart)) break;
    for (int k = 1; k < halvings; ++k) apart.push_back(median(t, finer[k - 1].states[t], finer[k].states[t]));
    const auto steps = static_cast<double>((std::int64_t{1} << halvings) * coarse.steps[t]);
    while (!apart.empty() && apart.back() < round_off() * std::sqrt(steps)) apart.pop_back();  // which has no order
    if (apart.size() < std::max<std::size_t>(2, seen.apart.size())) continue;
    seen.apart = apart;
    seen.steps = coarse.steps[t];
  }
  return seen;
}

void Crosscheck::halve_step(Subject& first) {
  // A method of high order leaves nothing but round-off of a short step, and a long one is not in the asymptotic range:
  // longer steps are tried until two orders in turn are the one declared, or three are the same.
  const int declared = run_.properties.order;
  const bool is_high = declared > 4;
  const int halvings = is_high ? 4 : 2;
  // For a user's own fractions the declared order is a lower bound, which follows from their sums.
  const bool is_at_least =
      std::holds_alternative<std::vector<double>>(run_.spec.method.options.at(composition_option().name));
  const auto is_declared = [&](double order) {
    return order > declared - 0.5 && (is_at_least || order < declared + 0.5);
  };
  std::int64_t multiple = 1, tried = 1;
  std::optional<double> order;
  Halving seen;
  const auto look = [&](Halving halving) {
    report_.compared = report_.compared || halving.compared;
    const std::size_t orders = halving.apart.size() < 2 ? 0 : halving.apart.size() - 1;
    const auto take = [&](std::size_t k) {
      order = halving.order(k);
      seen = halving;
      multiple = tried;
    };
    if (!is_high && orders > 0) return take(0), true;
    for (std::size_t k = 0; k + 1 < orders; ++k)
      if (is_declared(halving.order(k)) && is_declared(halving.order(k + 1))) return take(k + 1), true;
    if (!order && orders == 3 && std::abs(halving.order(0) - halving.order(1)) < 0.4 &&
        std::abs(halving.order(1) - halving.order(2)) < 0.4)
      take(2);
    return false;
  };
  // Two orders fall by so much; single precision has no room for high ones.
  const bool has_room = !is_high || most_apart / (round_off() * std::sqrt(8.0)) > std::exp2(2 * declared);
  bool found = has_room && look(halve(1, first.recording, halvings));
  while (is_high && has_room && !found && 2 * tried <= std::min(longest_multiple, plan_.last_step)) {
    tried *= 2;
    found = look(halve(tried, with_step(static_cast<double>(tried), sample_steps(plan_.last_step / tried)), halvings));
  }
  const auto in_steps = [&](int k) {
    const std::int64_t factor = std::int64_t{1} << k;
    if (multiple < factor) return fmt::format("h/{}", factor / multiple);
    return multiple == factor ? std::string("h") : fmt::format("{} h", multiple / factor);
  };
  if (!order)
    return skip("h, h/2 and h/4", "order",
                "the differences are too large, or round-off, or there are none: no order can be seen" +
                    (tried > 1 ? fmt::format(", nor with steps up to {} h", tried) : ""));
  const auto n = static_cast<int>(seen.apart.size());
  std::string subject = in_steps(0), apart;
  for (int k = 1; k <= n; ++k) subject += (k < n ? ", " : " and ") + in_steps(k);
  for (int k = 0; k < n; ++k) apart += fmt::format("{}{:.1e}", k == 0 ? "" : k < n - 1 ? ", " : " and ", seen.apart[k]);
  report_.findings.push_back(
      {.subject = subject,
       .promise = "order",
       .verdict = is_declared(*order) ? Verdict::kept : Verdict::broken,
       .text = fmt::format("{} apart after {} steps{}: order {:.2f}, declared {}{}", apart, seen.steps,
                           multiple == 1 ? "" : " of " + in_steps(0), *order, declared, is_at_least ? " or more" : ""),
       .figures = {{"coarse", seen.apart[n - 2]},
                   {"fine", seen.apart[n - 1]},
                   {"order", *order},
                   {"declared", declared},
                   {"multiple", static_cast<double>(multiple)}}});
}

}  // namespace

bool CrosscheckReport::all_kept() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.verdict == Verdict::broken; });
}

bool CrosscheckReport::any_judged() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.verdict != Verdict::skipped; });
}

CrosscheckReport crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read,
                            const CrosscheckProgress& progress) {
  return Crosscheck(run, options, read, progress)();
}

}  // namespace polhode
