#include "driver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "driver/backends.hpp"
#include "driver/integration.hpp"
#include "driver/interruption.hpp"
#include "driver/progress.hpp"
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

struct Summary {
  bool compared = false;       ///< some trajectory came to where invariants are first compared
  std::vector<double> drifts;  ///< of the invariants that are kept: the largest of all trajectories
  std::int64_t counts[n_statuses] = {};
};

std::int64_t first_compared(const RunSpec& spec) { return std::min(spec.invariants_every, spec.steps); }

Summary summarize(const RunSpec& spec, const PartFolder& part) {
  Summary summary;
  summary.drifts.resize(part.layout().n_invariants);
  part.for_each_final([&](const Batch& slice) {
    summary.compared = summary.compared || std::ranges::max(slice.steps) >= first_compared(spec);
    for (int i = 0; i < slice.n_invariants; ++i)
      for (std::int64_t k = 0; k < slice.n; ++k)
        summary.drifts[i] = std::max(summary.drifts[i], slice.max_drift[i * slice.n + k]);
    for (const std::uint8_t code : slice.code) ++summary.counts[code];
  });
  return summary;
}

void print_summary(const RunSpec& spec, const Plan& plan, const ChosenBackend& chosen, const InitialStates& starts,
                   const Integrated& done, const Summary& summary) {
  fmt::print("{}: {} trajectories of {} by {} ({}), {} steps of {:g} on {}{}\n", spec.output.string(), starts.n,
             spec.system->name, spec.method->name, spec.method->variants[spec.variant].solver, spec.steps, spec.step,
             chosen.backend->device(), chosen.name == "cpu" ? ", " + chosen.backend->isa() : "");
  if (!starts.remark.empty()) fmt::print("  {}\n", starts.remark);
  std::string resumed;
  if (done.begin.first > 0) resumed = fmt::format(", resumed at trajectory {}", done.begin.first);
  if (done.begin.step > 0) resumed += fmt::format("{} at step {}", resumed.empty() ? ", resumed" : "", done.begin.step);
  fmt::print("  {:.2f} s, {:.3g} steps/s{}\n", done.seconds, done.advanced / std::max(done.seconds, 1e-9), resumed);
  if (spec.section) fmt::print("  {} section points ({})\n", done.points, describe_section(spec));
  if (done.unrefined > 0) fmt::print("  {} crossings dropped: no valid step leads to them\n", done.unrefined);
  if (summary.compared) {
    auto drift = summary.drifts.begin();
    for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
      if (plan.invariants >> i & 1u)
        fmt::print("  largest change of {}: {:.2e}\n", spec.system->invariants[i].name, *drift++);
  } else if (plan.invariants != 0) {
    fmt::print("  changes of invariants are unknown: no trajectory reached step {}\n", first_compared(spec));
  }
  constexpr int event = static_cast<int>(Status::event);
  if (summary.counts[event] > 0) fmt::print("  {} trajectories ended on the section\n", summary.counts[event]);
  for (int code = 1; code < n_statuses; ++code)
    if (code != event && summary.counts[code] > 0)
      fmt::print("  {} trajectories failed: {}\n", summary.counts[code], status_text[code]);
}

void print_interruption(const RunSpec& spec, const RunLayout& layout, const Place& end) {
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

}  // namespace

ExitCode run(const RunSpec& spec, const RunOptions& options) {
  using Existing = PartFolder::Existing;
  if (options.resume && options.force)
    throw InputError("cannot use --resume and --force together (one continues, the other starts anew). Choose one.");
  const Existing existing = options.resume ? Existing::resume : (options.force ? Existing::replace : Existing::refuse);

  // Everything that can be wrong with the input is found before anything is written.
  refuse_inputs_as_output(spec);
  const InitialStates starts = make_initial_states(spec);
  const Plan plan = make_plan(spec, starts.state);
  const ChosenBackend chosen = make_backend(spec, plan);
  const IntegrationPlan integration{.spec = spec,
                                    .plan = plan,
                                    .starts = starts.state,
                                    .identity = identity(spec, plan, chosen.name, starts.state),
                                    .show_progress = !options.quiet && is_terminal()};
  if (spec.compression > 0 && !h5::can_compress())
    throw UnavailableError(
        "output.compression is unavailable (the HDF5 library was built without zlib). Remove it, or set it to 0.");
  PartFolder::check_output(spec.output, existing);
  RunLayout layout{{starts.n, spec.system->dim, std::popcount(plan.invariants)}};
  layout.slice = slice_of(spec, *chosen.backend);
  if (options.resume)
    if (const auto checkpoint = PartFolder::read_checkpoint(spec.output)) {
      if (checkpoint->identity != integration.identity)
        throw InputError(
            fmt::format("cannot resume {} (the configuration differs: {}). Use the configuration it was started with.",
                        spec.output.string(), first_difference(checkpoint->identity, integration.identity)));
      layout.slice = checkpoint->slice;
    }
  // Where a slice does not fit, this says so.
  chosen.backend->load(
      make_batch(spec, plan, std::span(starts.state).first(std::min(layout.n, layout.slice) * spec.system->dim)));
  if (spec.statistics)
    layout.statistics_bytes = statistics_record_bytes(spec.statistics->observables.size(), spec.statistics->bins);
  std::optional<SectionDensity> density;
  if (spec.density) density.emplace(spec);

  const InterruptGuard guard;
  PartFolder part(spec.output, existing, layout);
  try {
    const Integrated done = integrate(integration, *chosen.backend, part, density ? &*density : nullptr);
    if (!done.complete) {
      print_interruption(spec, part.layout(), done.end);
      return ExitCode::interrupted;
    }
    RunDescription description = describe(spec, plan, chosen);
    description.density = density_of(spec, density);
    description.statistics = statistics_of(spec);
    const Summary summary = summarize(spec, part);
    part.finish(description, starts.state);
    print_summary(spec, plan, chosen, starts, done, summary);
    return ExitCode::done;
  } catch (...) {
    part.discard();
    throw;
  }
}

}  // namespace polhode
