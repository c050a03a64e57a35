#include "crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "accuracy/distances.hpp"
#include "accuracy/order.hpp"
#include "accuracy/recording.hpp"
#include "backend/cpu/isa.hpp"
#include "ensemble/initial.hpp"
#include "error.hpp"
#include "integration/backends.hpp"
#include "integration/plan.hpp"
#include "polhode/method/status.hpp"
#include "spec/key.hpp"
#include "system/random_source.hpp"

namespace polhode {
namespace {

/// Largest number of times, besides the start, at which states are compared.
constexpr std::int64_t compared_times = 40;

/// Bound on the difference of one step from the reference: ten times the largest that the tests find for any system.
constexpr StepBound reference_bound{1e-13, std::numeric_limits<double>::epsilon()};

/// Ratio of the bound in single precision to that in double. Both precisions do the same operations in the same order
/// and end iterations at as many ulps, so that to first order the round-off of a step is the same number of ulps.
/// Rounded parameters and steps act as roundings of positions and displacements.
constexpr double in_single =
    std::numeric_limits<float>::epsilon() / static_cast<double>(std::numeric_limits<double>::epsilon());
constexpr StepBound single_bound{in_single * reference_bound.allowed, std::numeric_limits<float>::epsilon()};

/// Initial states about 1e-9 away from `states` in each part of a state, relative to the largest length of that part
/// along the trajectory (accuracy/distances.hpp). recording: that of the trajectories from `states`.
Starts starts_near(const ResolvedRun& run, std::vector<double> states, const Recording& recording) {
  const int dim = run.system->dim;
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  const Distances distances(*run.system, recording.states);
  for (std::int64_t k = 0; k < n; ++k) {
    RandomSource random(0, k);
    double* x = states.data() + k * dim;
    for (std::size_t part = 0; part < distances.parts().size(); ++part) {
      const auto [first, size, least] = distances.parts()[part];
      for (int i = first; i < first + size; ++i)
        x[i] += 1e-9 * distances.scale(k, part) / std::sqrt(size) * random.normal();
    }
    run.system->bring_near(run.parameters.data(), x);
    run.system->prepare(run.parameters.data(), run.method->momentum, x);
  }
  return {dim, std::move(states)};
}

/// Backend with one instruction set and precision, and its recording of the run.
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
    if (options.with_single && run.spec.execution.precision != Precision::binary64)
      throw InputError(
          "cannot use --with-single (the configuration is in single precision already). Add --precision double.");
    const StartsProgress of_starts = [&](std::int64_t done, std::int64_t all) { progress("starts", done, all); };
    const InitialStates initial = make_initial_states(run_, read, progress ? of_starts : StartsProgress());
    starts_ = sample_of(initial.starts, options.trajectories);
    plan_ = make_plan(run_, invariants_of(run_, starts_));
    plan_.selection = {};  // every crossing is compared
    plan_.snapshots_every = 0;
    plan_.statistics = {};
    plan_.last_step = std::min(options.steps, run_.spec.execution.steps);
    batch_ = make_batch(plan_, Starts(run_.system->dim, starts_));
  }

  CrosscheckReport operator()() {
    const std::string table = run_.table_in_words(), composition = run_.composition_in_words();
    report_.subject = fmt::format(
        "{} by {} ({}{}{}), {} precision, {} trajectories, {} steps of {:g}", run_.system->name, run_.method->name,
        table.empty() ? "" : table + "; ", run_.solver().name, composition.empty() ? "" : ", " + composition,
        name_of(run_.spec.execution.precision), batch_.n, plan_.last_step, run_.spec.method.step);
    Subject first = compare_fast(run_, plan_, batch_);
    if (is_wanted(BackendChoice::reference)) compare_reference(first);
    if (options_.with_single) compare_single(first);
    if (options_.step_halving) measure_order();
    if (report_.findings.empty())
      throw InputError(
          "nothing to compare (one instruction set and no other backend). Give more with --backends or --isa.");
    return std::move(report_);
  }

 private:
  Precision precision() const { return run_.spec.execution.precision; }
  bool is_wanted(BackendChoice backend) const {
    return options_.backends.empty() ||
           std::find(options_.backends.begin(), options_.backends.end(), backend) != options_.backends.end();
  }

  /// Instruction sets to run: those asked for, or all of the machine, the best first; only the first where `cpu` is not
  /// among the backends. Everything else is compared with the first.
  std::vector<Isa> isas_to_run() const {
    std::vector<Isa> isas = options_.isas;
    if (isas.empty())
      for (int i = n_isas; i-- > 0;)
        if (isa_supported(Isa{i})) isas.push_back(Isa{i});
    if (!is_wanted(BackendChoice::cpu)) isas.resize(1);
    return isas;
  }

  /// Subject made by integrating `batch` on `backend`. isa: instruction set, given for the CPU only.
  Subject integrate(ResolvedRun run, const RunPlan& plan, const Batch& batch, BackendChoice backend,
                    std::optional<Isa> isa = std::nullopt) const {
    run.spec.execution.backend = backend;
    run.spec.execution.isa = isa;
    ChosenBackend chosen = make_backend(run, plan);
    std::string name = isa ? fmt::format("cpu {}", isa_names[static_cast<int>(*isa)]) : chosen.name;
    if (run.spec.execution.precision != precision()) name += " single";
    Recording recording =
        record_with_progress(name, *chosen.backend, batch, evenly_spaced_steps(plan.last_step, compared_times));
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

  void skip(const std::string& subject, const char* promise, const std::string& why) {
    report_.findings.push_back({subject, promise, Verdict::skipped, why, {}});
  }

  /// Compares the instruction sets, and CUDA, bitwise with the first instruction set, and returns the subject of the
  /// first.
  Subject compare_fast(const ResolvedRun& run, const RunPlan& plan, const Batch& batch) {
    const std::vector<Isa> isas = isas_to_run();
    Subject first = integrate(run, plan, batch, BackendChoice::cpu, isas.front());
    const auto compare = [&](const std::string& name, bool is_asked_for, BackendChoice backend,
                             std::optional<Isa> isa) {
      try {
        Subject other = integrate(run, plan, batch, backend, isa);
        report_.findings.push_back(check_bits(pair(first, other)));
      } catch (const UnavailableError& error) {
        if (is_asked_for) throw;
        if (run.spec.execution.precision == precision()) skip(name, "bits", error.what());  // once
      }
    };
    for (std::size_t i = 1; i < isas.size(); ++i)
      compare(fmt::format("cpu {}", isa_names[static_cast<int>(isas[i])]), !options_.isas.empty(), BackendChoice::cpu,
              isas[i]);
    if (is_wanted(BackendChoice::cuda)) compare("cuda", !options_.backends.empty(), BackendChoice::cuda, std::nullopt);
    return first;
  }

  void compare_reference(Subject& first) {
    if (precision() != Precision::binary64 && options_.backends.empty())
      return skip("reference", "step", "it computes in double precision only");
    std::optional<Subject> reference;
    try {
      reference = integrate(run_, plan_, batch_, BackendChoice::reference);
    } catch (const Error& error) {
      if (!options_.backends.empty() || error.code() == ExitCode::interrupted) throw;
      return skip("reference", "step", error.what());
    }
    const Pair both = pair(first, *reference);
    check_motion(both, reference_bound, growth(first));
    if (run_.spec.section) report_.findings.push_back(check_section(both));
  }

  /// Compares instruction sets and CUDA in single precision, and single precision with double, from starts that are
  /// representable in single precision.
  void compare_single(Subject& first) {
    std::vector<double> starts = starts_;
    for (double& x : starts) x = static_cast<float>(x);
    const Batch batch = make_batch(plan_, Starts(run_.system->dim, std::move(starts)));
    ResolvedRun run = run_;
    run.spec.execution.precision = Precision::binary32;
    RunPlan plan = plan_;
    constexpr std::uint32_t no_invariants = 0;
    plan.step_plan = make_plan(run, no_invariants).step_plan;
    Subject single = compare_fast(run, plan, batch);
    single.name = "single precision";
    Subject in_double = integrate(run_, plan_, batch, BackendChoice::cpu, isas_to_run().front());
    in_double.name = "double";
    const bool kept = is_single(single.recording);
    report_.findings.push_back(
        {.subject = single.name,
         .promise = "precision",
         .verdict = kept ? Verdict::kept : Verdict::broken,
         .text = kept ? "all states are numbers of single precision" : "some state is no number of single precision"});
    Pair both = pair(single, in_double);
    both.subject = fmt::format("{} against {}", single.name, in_double.name);
    check_motion(both, single_bound, growth(first));
  }

  void check_motion(const Pair& both, const StepBound& bound, const Growth& growth) {
    report_.findings.push_back(check_statuses(both));
    const Finding step = check_step(both, bound);
    report_.findings.push_back(step);
    report_.findings.push_back(check_trajectories(both, growth, step.figures.at("largest")));
  }

  /// Growth of small distances on the backend of `first`; measured at the first call only.
  const Growth& growth(Subject& first) {
    if (growth_.empty()) {
      const Recording beside =
          record_with_progress("growth of small distances", *first.backend,
                               make_batch(plan_, starts_near(run_, starts_, first.recording)), first.recording.steps);
      growth_ = growth_of(*run_.system, first.recording, beside);
    }
    return growth_;
  }

  void measure_order();

  ResolvedRun run_;
  const CrosscheckOptions& options_;
  const CrosscheckProgress& progress_;
  std::vector<double> starts_;  ///< [n][dim]
  RunPlan plan_;
  Batch batch_;
  Growth growth_;  ///< empty until it is measured
  CrosscheckReport report_;
};

void Crosscheck::measure_order() {
  const Orbits orbits(run_, starts_, plan_.last_step);
  const OrderReport order = polhode::measure_order(orbits, [&](double step, std::int64_t done, std::int64_t steps) {
    if (progress_) progress_(fmt::format("steps of {:g}", step), done, steps);
  });
  const char *const subject = "halved steps", *const promise = "order";
  const bool completed = std::ranges::any_of(order.rows, [&](const OrderRow& row) {
    return std::abs(row.step) >= std::abs(run_.spec.method.step) && !std::isnan(row.apart);
  });
  report_.compared = report_.compared || completed;
  if (!completed) return skip(subject, promise, "with the configured step half of the trajectories or more fail");
  if (std::isnan(order.measured))
    return skip(subject, promise,
                "the differences are too large, or round-off, or there are none: no order can be seen");
  const auto used = std::ranges::find_if(order.rows, [&](const OrderRow& row) { return row.order == order.measured; });
  const std::string declared = fmt::format("{}{}", order.declared, order.declared_is_bound ? " or more" : "");
  if (!order.agrees() && !order.settled)
    return skip(subject, promise,
                fmt::format("order {:.2f}, declared {}, with steps that are not in the asymptotic range",
                            order.measured, declared));
  if (!order.agrees() && order.measured > order.declared)
    return skip(
        subject, promise,
        fmt::format("order {:.2f}, more than declared ({}): the error that limits the order may vanish here, as "
                    "that of kicks does in free motion",
                    order.measured, declared));
  report_.findings.push_back(
      {.subject = subject,
       .promise = promise,
       .verdict = order.agrees() ? Verdict::kept : Verdict::broken,
       .text = fmt::format("{:.1e} and {:.1e} apart with steps of {:g} and {:g} at a time of {:g}: order {:.2f}, "
                           "declared {}",
                           used->apart, std::next(used)->apart, used->step, std::next(used)->step, order.time,
                           order.measured, declared),
       .figures = {{"coarse", used->apart},
                   {"fine", std::next(used)->apart},
                   {"order", order.measured},
                   {"declared", order.declared},
                   {"step", used->step}}});
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
