#include "driver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <exception>

#include "backend/cuda/cuda_backend.hpp"
#include "driver/backends.hpp"
#include "driver/integration.hpp"
#include "driver/interruption.hpp"
#include "driver/progress.hpp"
#include "driver/shares.hpp"
#include "ensemble/initial.hpp"
#include "output/h5.hpp"
#include "output/records.hpp"
#include "polhode/method/status.hpp"
#include "version.hpp"

namespace polhode {
namespace {

/// The chart's plane, if it is one of the run's section.
std::optional<Picture> picture_of(const RunSpec& spec) {
  const Chart* chart = spec.system->chart;
  if (!spec.section || !chart || spec.system->find_observable(chart->observable) != spec.section->observable)
    return std::nullopt;
  const auto& [u, v] = chart->axes;
  return Picture{{u.name, v.name}, {u.column, v.column}, {u.sign, v.sign}, chart->side};
}

std::optional<Density> density_of(const RunSpec& spec, const std::optional<SectionDensity>& density) {
  if (!density) return std::nullopt;
  const DensitySpec& plane = *spec.density;
  Density result{.axes = {}, .low = {}, .high = {}, .bins = {}, .counts = density->counts(), .outside = 0};
  for (int i = 0; i < 2; ++i) {
    result.axes.emplace_back(spec.system->observables[plane.observables[i]].name);
    result.low.push_back(plane.low[i]);
    result.high.push_back(plane.high[i]);
    result.bins.push_back(plane.bins[i]);
  }
  result.outside = result.counts.back();
  result.counts.pop_back();
  return result;
}

std::optional<StatisticsDescription> statistics_of(const RunSpec& spec) {
  if (!spec.statistics) return std::nullopt;
  const StatisticsSpec& statistics = *spec.statistics;
  StatisticsDescription result{.every = statistics.every,
                               .observables = {},
                               .bins = statistics.bins,
                               .low = statistics.low,
                               .high = statistics.high};
  for (const int i : statistics.observables) result.observables.emplace_back(spec.system->observables[i].name);
  return result;
}

/// The step after which invariants are first compared with their initial values.
std::int64_t first_compared(const RunSpec& spec) { return std::min(spec.invariants_every, spec.steps); }

RunDescription describe(const RunSpec& spec, const Plan& plan, const ChosenBackend& chosen) {
  RunDescription description;
  description.version = program_version();
  description.git = program_git();
  description.config = spec.config;
  description.system = spec.system->name;
  if (spec.system->plugin) description.plugin = describe_plugin(*spec.system->plugin);
  description.method = spec.method->name;
  description.solver = spec.method->variants[spec.variant].solver;
  if (spec.section) description.section = describe_section(spec);
  if (spec.section) description.section_points = spec.section->points;
  description.picture = picture_of(spec);
  description.backend = chosen.name;
  description.device = chosen.backend->device();
  description.isa = chosen.backend->isa();
  description.precision = spec.precision == Precision::binary64 ? "double" : "single";
  description.created = utc_now();
  description.sweeps = plan.sweeps;
  description.step = spec.step;
  description.steps = spec.steps;
  description.snapshots_every = spec.snapshots;
  description.first_compared = first_compared(spec);
  description.compression = spec.compression;
  for (const Quantity& column : spec.system->observables.first(spec.system->dim))
    description.columns.emplace_back(column.name);
  for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
    if (plan.invariants >> i & 1u) description.invariants.emplace_back(spec.system->invariants[i].name);
  const double* value = spec.parameters.data();
  for (const Parameter& p : spec.system->parameters) {
    description.parameters.push_back({p.name, p.unit, p.meaning, std::vector<double>(value, value + p.size)});
    value += p.size;
  }
  return description;
}

/// The first line in which two identities differ, for a message.
std::string first_difference(const std::string& checkpoint, const std::string& now) {
  std::size_t a = 0, b = 0;
  while (a < checkpoint.size() || b < now.size()) {
    const std::size_t end_a = std::min(checkpoint.find('\n', a), checkpoint.size());
    const std::size_t end_b = std::min(now.find('\n', b), now.size());
    const std::string line_a = checkpoint.substr(a, end_a - a), line_b = now.substr(b, end_b - b);
    if (line_a != line_b) return fmt::format("\"{}\" there, \"{}\" here", line_a, line_b);
    a = end_a + 1;
    b = end_b + 1;
  }
  return "nothing";
}

/// Trajectories that ended with one status.
struct Ending {
  std::int64_t count = 0;
  std::int64_t first = 0, step = 0;  ///< where there are any: the first of them, and the step after which it ended
};

struct Summary {
  std::int64_t unknown = 0;    ///< trajectories that ended before their invariants were first compared
  std::vector<double> drifts;  ///< of the invariants that are kept: the largest of all trajectories
  std::array<Ending, n_statuses> endings;

  const Ending& of(Status status) const { return endings[static_cast<std::size_t>(status)]; }
};

/// first: the ensemble's trajectory with which the share begins.
Summary summarize_share(const RunSpec& spec, const PartFolder& part, std::int64_t first) {
  Summary summary;
  summary.drifts.resize(part.layout().n_invariants);
  part.for_each_final([&](const Batch& slice) {
    summary.unknown += std::ranges::count_if(slice.steps, [&](std::int64_t n) { return n < first_compared(spec); });
    for (int i = 0; i < slice.n_invariants; ++i)
      for (std::int64_t k = 0; k < slice.n; ++k)
        summary.drifts[i] = std::max(summary.drifts[i], slice.max_drift[i * slice.n + k]);
    for (std::int64_t k = 0; k < slice.n; ++k) {
      Ending& ending = summary.endings[slice.code[k]];
      if (ending.count++ == 0) {
        ending.first = first + k;
        ending.step = slice.steps[k];
      }
    }
    first += slice.n;
  });
  return summary;
}

/// Of all ranks, whose shares follow one another.
Ending joined(const Ending& share, Ranks& ranks) {
  const std::vector<std::int64_t> counts = ranks.gather(share.count), firsts = ranks.gather(share.first),
                                  steps = ranks.gather(share.step);
  Ending all;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (all.count == 0) all = {0, firsts[rank], steps[rank]};
    all.count += counts[rank];
  }
  return all;
}

Summary summarize(const RunSpec& spec, const PartFolder& part, std::int64_t first, Ranks& ranks) {
  Summary summary;
  ranks.together("summary", [&] { summary = summarize_share(spec, part, first); });
  ranks.add(std::span(&summary.unknown, 1));
  ranks.take_largest(summary.drifts);
  for (Ending& ending : summary.endings) ending = joined(ending, ranks);
  return summary;
}

std::string trajectories(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "trajectory" : "trajectories");
}

/// A file without a single trajectory that went on to its end, or to an event, is no result.
void require_some_success(const RunSpec& spec, const Summary& summary) {
  if (summary.of(Status::ok).count + summary.of(Status::event).count > 0) return;
  const auto first = std::ranges::find_if(summary.endings, [](const Ending& e) { return e.count > 0 && e.first == 0; });
  throw Error(
      ExitCode::failed,
      fmt::format(
          "every trajectory failed (trajectory 0 after step {}; see /status in {}). Use a smaller step or other "
          "initial states.",
          first->step, spec.output.string()));
}

/// Where a run that was resumed was taken up, for the report; on several ranks, each was somewhere else.
std::string describe_resumption(const Place& begin, const Ranks& ranks) {
  if (ranks.size() > 1) return ", resumed";
  if (begin.first == 0) return fmt::format(", resumed at step {}", begin.step);
  return fmt::format(", resumed at trajectory {}{}", begin.first,
                     begin.step > 0 ? fmt::format(" at step {}", begin.step) : "");
}

/// What all ranks have done; where they began and ended is each rank's own.
void add_up(Integrated& done, Ranks& ranks) {
  std::int64_t sums[] = {done.steps, done.points, done.unrefined};
  ranks.add(sums);
  done.steps = sums[0];
  done.points = sums[1];
  done.unrefined = sums[2];
  ranks.take_largest(std::span(&done.seconds, 1));
}

void print_summary(const RunSpec& spec, const Plan& plan, const ChosenBackend& chosen, const InitialStates& starts,
                   const Integrated& done, const std::string& resumed, const Summary& summary, const Ranks& ranks) {
  fmt::print("{}: {} of {} by {} ({}), {} steps of {:g} on {}{}{}\n", spec.output.string(), trajectories(starts.n),
             spec.system->name, spec.method->name, spec.method->variants[spec.variant].solver, spec.steps, spec.step,
             ranks.size() > 1 ? fmt::format("{} ranks, each on ", ranks.size()) : "", chosen.backend->device(),
             chosen.name == "cpu" ? ", " + chosen.backend->isa() : "");
  if (!starts.remark.empty()) fmt::print("  {}\n", starts.remark);
  fmt::print("  {:.2f} s, {:.3g} steps/s{}\n", done.seconds,
             static_cast<double>(done.steps) / std::max(done.seconds, 1e-9), resumed);
  if (spec.section) fmt::print("  {} section points ({})\n", done.points, describe_section(spec));
  if (done.unrefined > 0) fmt::print("  {} crossings dropped: no valid step leads to them\n", done.unrefined);
  if (summary.unknown < starts.n) {
    const std::string but = summary.unknown > 0 ? fmt::format(", unknown in {}", trajectories(summary.unknown)) : "";
    auto drift = summary.drifts.begin();
    for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
      if (plan.invariants >> i & 1u)
        fmt::print("  largest change of {}: {:.2e}{}\n", spec.system->invariants[i].name, *drift++, but);
  } else if (plan.invariants != 0) {
    fmt::print("  changes of invariants are unknown: no trajectory reached step {}\n", first_compared(spec));
  }
  if (const Ending& events = summary.of(Status::event); events.count > 0)
    fmt::print("  {} ended on the section\n", trajectories(events.count));
  for (int code = 1; code < n_statuses; ++code) {
    const Ending& ending = summary.endings[code];
    if (static_cast<Status>(code) != Status::event && ending.count > 0)
      fmt::print("  {} failed (first: trajectory {}, after step {}): {}\n", trajectories(ending.count), ending.first,
                 ending.step, status_text[code]);
  }
}

void print_interruption(const RunSpec& spec, const RunLayout& layout, const Place& end, const Ranks& ranks) {
  if (ranks.size() > 1) {
    fmt::print(stderr,
               "polhode: interrupted on {} ranks (checkpoints are in {}.part). Continue as many with --resume.\n",
               ranks.size(), spec.output.string());
    return;
  }
  std::string of_trajectories;
  if (layout.slice < layout.n)
    of_trajectories = fmt::format(" of trajectories {} to {} of {}", end.first,
                                  std::min(end.first + layout.slice, layout.n) - 1, layout.n);
  fmt::print(stderr, "polhode: interrupted at step {} of {}{} (a checkpoint is in {}.part). Continue with --resume.\n",
             end.step, spec.steps, of_trajectories, spec.output.string());
}

/// A run that overwrote its own configuration or its initial states could not be repeated.
void refuse_inputs_as_output(const RunSpec& spec) {
  std::error_code ignored;
  for (const std::filesystem::path& input : {spec.config_file, spec.ensemble.path})
    if (!input.empty() && std::filesystem::equivalent(input, spec.output, ignored))
      throw InputError(fmt::format("cannot write {} (it is an input of this run). Choose another output with -o.",
                                   spec.output.string()));
}

/// What every rank makes of the configuration by itself.
struct Inputs {
  InitialStates starts;  ///< of the whole ensemble
  Plan plan;
  ChosenBackend chosen;
  std::string identity;
};

Inputs make_inputs(const RunSpec& spec, const Ranks& ranks) {
  refuse_inputs_as_output(spec);
  Inputs inputs{.starts = make_initial_states(spec), .plan = {}, .chosen = {}, .identity = {}};
  inputs.plan = make_plan(spec, inputs.starts.state);
  const bool may_use_gpu = spec.backend == BackendChoice::automatic || spec.backend == BackendChoice::cuda;
  if (ranks.size() > 1 && may_use_gpu) choose_cuda_device(ranks.on_machine());
  inputs.chosen = make_backend(spec, inputs.plan);
  inputs.identity = identity(spec, inputs.plan, inputs.chosen.name, inputs.starts.state);
  if (ranks.size() > 1) inputs.identity += fmt::format("ranks = {}\n", ranks.size());
  return inputs;
}

/// Ranks that were given different configurations would make one file of both.
void require_same(const std::string& inputs, Ranks& ranks) {
  const std::string first = ranks.from_first(inputs);
  ranks.together("comparison", [&] {
    if (inputs != first)
      throw InputError(
          fmt::format("cannot share this run (its configuration is not that of rank 0: {}). Start all ranks with the "
                      "same.",
                      first_difference(first, inputs)));
  });
}

/// The slice of the checkpoint that a rank goes on from; 0 without one.
std::int64_t slice_of_checkpoint(const RunSpec& spec, const std::string& identity, int rank) {
  const auto checkpoint = PartFolder::read_checkpoint(spec.output, rank);
  if (!checkpoint) return 0;
  if (checkpoint->identity != identity)
    throw InputError(
        fmt::format("cannot resume {} (the configuration differs: {}). Use the configuration it was started with.",
                    spec.output.string(), first_difference(checkpoint->identity, identity)));
  return checkpoint->slice;
}

/// The same on all ranks: that of their checkpoints if there are any. likes: of this rank's backend; found: in its
/// checkpoint.
std::int64_t agree_on_slice(const RunSpec& spec, std::int64_t likes, std::int64_t trajectories, std::int64_t found,
                            Ranks& ranks) {
  const std::int64_t least = std::ranges::min(ranks.gather(likes));
  const std::int64_t begun = std::ranges::max(ranks.gather(found));
  if (begun > 0) return begun;
  return spec.slice > 0 ? least : fair_slice(trajectories, least, ranks.size());
}

/// This rank's share, while the others do theirs. Ends early on all of them where it does on one.
Integrated integrate_share(const IntegrationPlan& plan, Backend& backend, PartFolder& part, SectionDensity* density) {
  Integrated done{.complete = true, .begin = {}, .end = {}, .steps = 0, .points = 0, .unrefined = 0, .seconds = 0};
  std::exception_ptr failure;
  try {
    if (part.layout().n > 0) done = integrate(plan, backend, part, density);
  } catch (...) {
    failure = std::current_exception();
  }
  const bool early = plan.ranks.leave(failure || !done.complete);
  plan.ranks.together("integration", [&] {
    if (failure) std::rethrow_exception(failure);
  });
  done.complete = !early;
  return done;
}

/// After an error that all ranks know of. What one of them can go on from, all of them keep.
void discard(std::optional<PartFolder>& part, Ranks& ranks) {
  if (std::ranges::max(ranks.gather(part && part->resumable())) != 0) return;
  if (part && !ranks.first()) part->discard();
  ranks.barrier();  // the others' folders are in that of the first
  if (part && ranks.first()) part->discard();
}

}  // namespace

ExitCode run(const RunSpec& given, const RunOptions& options, Ranks& ranks) {
  using Existing = PartFolder::Existing;
  const Existing existing = options.resume ? Existing::resume : (options.force ? Existing::replace : Existing::refuse);
  RunSpec spec = given;
  if (spec.threads == 0 && ranks.size() > 1) spec.threads = ranks.processors();

  // Everything that can be wrong with the input is found before anything is written.
  Inputs inputs;
  std::int64_t found = 0;
  ranks.together("inputs", [&] {
    if (options.resume && options.force)
      throw InputError("cannot use --resume and --force together (one continues, the other starts anew). Choose one.");
    inputs = make_inputs(spec, ranks);
    if (spec.compression > 0 && !h5::can_compress())
      throw UnavailableError(
          "output.compression is unavailable (the HDF5 library was built without zlib). Remove it, or set it to 0.");
    if (spec.compression > 0 && ranks.size() > 1)
      throw InputError(fmt::format(
          "cannot use output.compression on {} ranks (they write the file together, each its own part). Remove it, or "
          "set it to 0.",
          ranks.size()));
    if (ranks.first()) PartFolder::check_output(spec.output, existing);
  });
  const InitialStates& starts = inputs.starts;
  const Plan& plan = inputs.plan;
  const ChosenBackend& chosen = inputs.chosen;
  const std::string& identity = inputs.identity;
  require_same(fmt::format("{}output.file = {}\n--resume is {}, --force is {}\n", identity, spec.output.string(),
                           options.resume, options.force),
               ranks);
  ranks.together("checkpoints", [&] {
    if (options.resume) found = slice_of_checkpoint(spec, identity, ranks.rank());
  });
  std::int64_t likes = 0;
  std::optional<SectionDensity> density;
  ranks.together("memory", [&] {
    likes = slice_of(spec, *chosen.backend);
    if (spec.density) density.emplace(spec);
  });
  RunLayout layout{shape_of(plan, starts.n, spec.system->dim)};
  layout.slice = agree_on_slice(spec, likes, starts.n, found, ranks);
  const ShareOfEnsemble share = share_of(starts.n, layout.slice, ranks.rank(), ranks.size());
  layout.n = share.count;
  const auto states = std::span(starts.state).subspan(share.first * layout.dim, share.count * layout.dim);
  // Where a slice does not fit, this says so.
  ranks.together("slice", [&] {
    if (layout.n > 0)
      chosen.backend->load(make_batch(spec, plan, states.first(std::min(layout.n, layout.slice) * layout.dim)));
  });
  if (spec.statistics)
    layout.statistics_bytes = statistics_record_bytes(spec.statistics->observables.size(), spec.statistics->bins);
  const IntegrationPlan integration{.spec = spec,
                                    .plan = plan,
                                    .starts = states,
                                    .identity = identity,
                                    .show_progress = !options.quiet && ranks.first() && is_terminal(),
                                    .ranks = ranks};

  const InterruptGuard guard;
  std::optional<PartFolder> part;
  Integrated done;
  Summary summary;
  try {
    const auto open = [&] { part.emplace(spec.output, existing, layout, ranks.rank()); };
    ranks.together("first folder", [&] {
      if (ranks.first()) open();
    });
    ranks.together("folders", [&] {
      if (!ranks.first()) open();
    });
    done = integrate_share(integration, *chosen.backend, *part, density ? &*density : nullptr);
    if (done.complete) {
      summary = summarize(spec, *part, share.first, ranks);
      if (density) density->add_counts(ranks);
      RunDescription description;
      ranks.together("description", [&] {
        description = describe(spec, plan, chosen);
        description.density = density_of(spec, density);
        description.statistics = statistics_of(spec);
      });
      part->finish(description, states, ranks);
    }
  } catch (...) {
    if (!ranks.failed_together()) ranks.abort(current_error());  // the others wait where this one will not come
    discard(part, ranks);
    throw;
  }
  if (!done.complete) {
    if (ranks.first()) print_interruption(spec, part->layout(), done.end, ranks);
    return ExitCode::interrupted;
  }
  const std::string resumed = options.resume ? describe_resumption(done.begin, ranks) : "";
  add_up(done, ranks);
  if (ranks.first()) print_summary(spec, plan, chosen, starts, done, resumed, summary, ranks);
  require_some_success(spec, summary);
  return ExitCode::done;
}

}  // namespace polhode
