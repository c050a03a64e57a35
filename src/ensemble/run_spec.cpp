#include "ensemble/run_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "ensemble/condition.hpp"
#include "error.hpp"
#include "output/checksum.hpp"
#include "version.hpp"

namespace polhode {
namespace {

// Step numbers and times n h stay exact in double up to here.
constexpr std::int64_t max_steps = std::int64_t{1} << 53;

void check_bound(const char* name, Bound bound, const double* value, int size) {
  const auto fail = [&](const char* why) {
    throw InputError(fmt::format("cannot use {} = {} ({}). Correct it in [system].", name,
                                 fmt::join(std::vector<double>(value, value + size), ", "), why));
  };
  double norm_squared = 0;
  for (int i = 0; i < size; ++i) {
    if (!std::isfinite(value[i])) fail("it must be finite");
    if (bound == Bound::positive && !(value[i] > 0)) fail("it must be positive");
    norm_squared += value[i] * value[i];
  }
  if (bound == Bound::unit_vector && std::abs(norm_squared - 1) > 2e-6) fail("it must be a unit vector, to 1e-6");
}

void require(bool holds, const std::string& message) {
  if (!holds) throw InputError(message);
}

/// Bit i: invariant i of the system is recorded, because it is one on the orbit of every state.
std::uint32_t kept_invariants(const RunSpec& spec, const std::vector<double>& states) {
  if (!spec.invariants) return 0;
  const auto holds = [&](int i) {
    for (std::size_t k = 0; k < states.size(); k += spec.system->dim)
      if (!spec.system->conserves(spec.parameters.data(), states.data() + k, i)) return false;
    return true;
  };
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
    if (holds(static_cast<int>(i))) kept |= std::uint32_t{1} << i;
  return kept;
}

}  // namespace

void require_chart(const SystemEntry& system) {
  require(system.chart != nullptr, fmt::format("cannot use ensemble.from = \"section\" ({} has no chart of a section). "
                                               "Give \"states\" or \"file\".",
                                               system.name));
}

void validate(const RunSpec& spec) {
  const double* value = spec.parameters.data();
  for (const Parameter& parameter : spec.system->parameters) {
    check_bound(parameter.name, parameter.bound, value, parameter.size);
    value += parameter.size;
  }

  if (const char* problem = spec.system->problem_with_parameters(spec.parameters.data()))
    throw InputError(
        fmt::format("cannot use the system {} ({}). Choose other parameters.", spec.system->name, problem));
  if (const char* problem = spec.method->problem_with_parameters(spec.parameters.data()))
    throw InputError(fmt::format("cannot use the method {} ({}). Choose another method or other parameters.",
                                 spec.method->name, problem));
  require(std::isfinite(spec.step) && spec.step != 0,
          fmt::format("cannot use method.step = {} (it must be finite and not zero). Give a time step.", spec.step));
  require(!spec.final_projection || spec.method->coefficients.momentum == Momentum::unprojected,
          fmt::format("cannot use method.final_projection with {} (its momenta are projected in every step, or need "
                      "not be). Remove it.",
                      spec.method->name));
  require(
      spec.steps > 0 && spec.steps <= max_steps,
      fmt::format("cannot use run.steps = {} (it must be between 1 and 2^53). Give the number of steps.", spec.steps));
  require(spec.threads >= 0 && spec.threads <= 4096,
          fmt::format("cannot use run.threads = {} (it must be between 0 and 4096). Give 0 for one a processor.",
                      spec.threads));
  require(
      spec.segment >= 0 && spec.segment <= max_steps,
      fmt::format("cannot use run.segment = {} (it must be between 0 and 2^53). Give 0 for automatic.", spec.segment));
  require(spec.slice == 0 || (spec.slice >= 1024 && spec.slice <= std::int64_t{1} << 40 &&
                              std::has_single_bit(static_cast<std::uint64_t>(spec.slice))),
          fmt::format("cannot use run.slice = {} (it must be a power of two from 1024 to 2^40). Give 0 for automatic.",
                      spec.slice));
  require(std::isfinite(spec.checkpoint) && spec.checkpoint >= 0,
          fmt::format("cannot use run.checkpoint = {} (it must not be negative). Give seconds.", spec.checkpoint));
  require(spec.snapshots >= 0 && spec.snapshots <= max_steps,
          fmt::format("cannot use record.snapshots = {} (it must be between 0 and 2^53). Give 0 for none.",
                      spec.snapshots));
  require(
      spec.invariants_every > 0 && spec.invariants_every <= max_steps,
      fmt::format("cannot use record.invariants_every = {} (it must be between 1 and 2^53). Give a number of steps.",
                  spec.invariants_every));
  require(spec.compression >= 0 && spec.compression <= 9,
          fmt::format("cannot use output.compression = {} (it must be between 0 and 9). Give 0 for none.",
                      spec.compression));
  if (const auto& statistics = spec.statistics) {
    require(statistics->every > 0 && statistics->every <= max_steps,
            fmt::format("cannot use statistics.every = {} (it must be between 1 and 2^53). Give a number of steps.",
                        statistics->every));
    require(!statistics->observables.empty(),
            "cannot use statistics.observables (there are none). Give columns or observables.");
    require(statistics->bins >= 0 && statistics->bins <= max_histogram_cells,
            fmt::format("cannot use statistics.bins = {} (it must be between 0 and {}). Give 0 for no histograms.",
                        statistics->bins, max_histogram_cells));
    for (std::size_t i = 0; i < statistics->low.size(); ++i)
      require(statistics->low[i] < statistics->high[i],
              fmt::format("cannot use statistics.range (it has [{}, {}]). Give each as [low, high].",
                          statistics->low[i], statistics->high[i]));
  }
  require(spec.section || !spec.density,
          "cannot use [density] (it counts section points, and there is no [section]). Add a section.");
  if (!spec.section) return;
  require(spec.section->points || spec.density,
          "cannot use section.points = false (nothing would be left of the section). Add [density].");
  if (const auto& density = spec.density) {
    for (int i = 0; i < 2; ++i) {
      require(density->bins[i] >= 1,
              fmt::format("cannot use density.bins (it has {}). Give positive numbers of cells.", density->bins[i]));
      require(density->low[i] < density->high[i],
              fmt::format("cannot use density.range (it has [{}, {}]). Give each as [low, high].", density->low[i],
                          density->high[i]));
    }
    require(density->bins[0] <= max_density_cells / density->bins[1],
            fmt::format("cannot use density.bins (they make more than {} cells). Use fewer.", max_density_cells));
  }
  // A step of length theta h ends near the projected momentum for theta near 0, not where the one before left it.
  const int column = spec.section->observable;
  require(
      spec.method->coefficients.momentum != Momentum::unprojected || column < spec.system->dim / 2 ||
          column >= spec.system->dim,
      fmt::format("cannot use section.name = {} with the method {} (it leaves momenta off the constraints, and they "
                  "jump there). Choose a position, a derived observable or another method.",
                  spec.system->observables[column].name, spec.method->name));
  Condition(*spec.system, spec.section->where);
  if (!spec.section->terminal) return;
  // The time loop ends a trajectory before its crossing is refined, which is when both of these are known.
  require(spec.section->where.empty(),
          "cannot use section.terminal with section.where (the condition is judged on the refined point, where the "
          "trajectory has ended already). Leave one of them out.");
  require(
      std::string_view(spec.system->observables[column].unit) != "rad",
      fmt::format("cannot use section.terminal with section.name = {} (an angle jumps from pi to -pi, and that would "
                  "be an end, too). Choose another observable.",
                  spec.system->observables[column].name));
}

Plan make_plan(const RunSpec& spec, const std::vector<double>& states) {
  Plan plan{};
  std::copy(spec.parameters.begin(), spec.parameters.end(), plan.parameters);
  plan.coefficients = spec.method->coefficients;
  plan.step = spec.step;
  plan.sweeps = spec.method->nominal_sweeps(spec.variant, spec.parameters.data(), spec.step, spec.precision);
  plan.section = {.observable = -1, .value = 0, .up = false, .down = false};
  if (const auto& section = spec.section)
    plan.section = {section->observable, section->value, section->up, section->down, section->terminal};
  plan.last_step = spec.steps;
  plan.invariants = kept_invariants(spec, states);
  plan.invariants_every = spec.invariants_every;
  plan.snapshots_every = spec.snapshots;
  // Statistics are of snapshots, whether these are kept or not.
  if (spec.statistics) plan.snapshots_every = std::gcd(spec.snapshots, spec.statistics->every);
  return plan;
}

std::string describe_section(const RunSpec& spec) {
  if (!spec.section) return "";
  const SectionSpec& section = *spec.section;
  std::string text = fmt::format("{} = {:g}, {}", spec.system->observables[section.observable].name, section.value,
                                 section.up && section.down ? "both" : (section.up ? "up" : "down"));
  if (!section.where.empty()) text += ", where " + section.where;
  if (section.terminal) text += ", terminal";
  return text;
}

std::string describe_plugin(const PluginFile& plugin) {
  return fmt::format("{}, checksum {}", plugin.name, plugin.checksum);
}

std::string identity(const RunSpec& spec, const Plan& plan, const std::string& backend,
                     const std::vector<double>& initial) {
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  line("polhode", program_version());
  line("system.name", spec.system->name);
  if (const PluginFile* plugin = spec.system->plugin) line("plugin", describe_plugin(*plugin));
  line("system parameters", fmt::format("{}", fmt::join(spec.parameters, ", ")));
  line("method.name", spec.method->name);
  line("method.solver", spec.method->variants[spec.variant].solver);
  line("method.step", fmt::format("{}", spec.step));
  line("method.final_projection", fmt::format("{}", spec.final_projection));
  line("sweeps", fmt::format("{}", plan.sweeps));
  line("initial states", fmt::format("{}, checksum {:016x}", initial.size() / spec.system->dim, checksum(initial)));
  line("run.steps", fmt::format("{}", spec.steps));
  // cpu and cuda give the same bits.
  line("run.backend", backend == "reference" ? "reference" : "cpu or cuda");
  line("run.precision", spec.precision == Precision::binary64 ? "double" : "single");
  line("section", describe_section(spec));
  if (spec.section) line("section.value", fmt::format("{}", spec.section->value));
  if (spec.section) line("section.points", fmt::format("{}", spec.section->points));
  if (const auto& density = spec.density)
    line("density",
         fmt::format("observables {}, bins {}, from {} to {}", fmt::join(density->observables, ", "),
                     fmt::join(density->bins, ", "), fmt::join(density->low, ", "), fmt::join(density->high, ", ")));
  if (const auto& statistics = spec.statistics)
    line("statistics", fmt::format("every {}, observables {}, bins {}, from {} to {}", statistics->every,
                                   fmt::join(statistics->observables, ", "), statistics->bins,
                                   fmt::join(statistics->low, ", "), fmt::join(statistics->high, ", ")));
  line("record.snapshots", fmt::format("{}", spec.snapshots));
  line("record.invariants", fmt::format("{}", spec.invariants));
  line("record.invariants_every", fmt::format("{}", spec.invariants_every));
  return text;
}

}  // namespace polhode
