#include "ensemble/initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <tuple>
#include <utility>

#include "ensemble/in_blocks.hpp"
#include "ensemble/prepared_starts.hpp"
#include "ensemble/relative_equilibrium.hpp"
#include "ensemble/section_starts.hpp"
#include "ensemble/start_doubts.hpp"
#include "error.hpp"
#include "spec/schema.hpp"
#include "spec/table_of_method.hpp"

namespace polhode {
namespace {

/// Replaces `largest` by a larger value, or by an equal one of an earlier trajectory.
void take_larger(StartFindings::Largest& largest, double value, std::int64_t trajectory) {
  if (value > largest.value || (value == largest.value && trajectory < largest.trajectory))
    largest = {value, trajectory};
}

void describe(const ResolvedRun& run, const StartFindings& findings, std::vector<std::string>& remarks) {
  constexpr double noticeable = 1e-9;  // digits that a file would show
  std::string text;
  const auto append = [&](const char* what, const StartFindings::Largest& largest) {
    if (!(largest.value > noticeable)) return;
    text += fmt::format("{}{} by up to {:.2g} (trajectory {})",
                        text.empty() ? "starts were moved to the constraints: " : ", ", what, largest.value,
                        largest.trajectory);
  };
  append(run.system->has_positions() ? "positions" : "unit vectors", findings.position);
  append(run.velocities() ? "velocities" : "momenta", findings.momentum);
  if (!text.empty()) remarks.push_back(text + " of their length");
  if (findings.tangent > 0)
    remarks.push_back(fmt::format(
        "the momenta of {} start{} are tangent to the constraints as vectors (G p = 0), as velocities are, "
        "but not on the hidden constraint (G H_p = 0): were they meant as velocities (variables = \"velocity\"), or "
        "as momenta of single rods?",
        findings.tangent, findings.tangent == 1 ? "" : "s"));
  if (const StartDoubt* doubt = find_doubt(*run.system); doubt && findings.doubtful.value > doubt->most)
    remarks.push_back(fmt::format("state {} has {} = {:.6g}; {}", findings.doubtful.trajectory, doubt->observable,
                                  findings.doubtful.value, doubt->question));
}

/// Largest distance of the centre of mass from the origin, in sizes of the molecule, at which the energy that single
/// precision loses does not matter.
constexpr double most_reach = 16;

void describe_reach(const ResolvedRun& run, const StartFindings::Largest& reach, std::vector<std::string>& remarks) {
  if (run.spec.execution.precision == Precision::binary64 || !(reach.value > most_reach)) return;
  remarks.push_back(fmt::format(
      "the centre of mass moves up to {:.2g} times the size of the molecule away from the origin (trajectory "
      "{}), where single precision knows positions to {:.1g} of that size, and energy is lost: take double "
      "precision, or starts with the centre of mass at rest (ensemble.{} = true)",
      reach.value, reach.trajectory, 0x1p-24 * reach.value, at_rest_name));
}

InitialStates starts_of(const ResolvedRun& run, const SectionStarts& starts, const ReadPart&,
                        const StartsProgress& progress, const ProcessShare& share) {
  return make_section_starts(run, starts, progress, share);
}
InitialStates starts_of(const ResolvedRun& run, const LineStarts& starts, const ReadPart&,
                        const StartsProgress& progress, const ProcessShare& share) {
  return make_section_starts(run, starts, progress, share);
}
InitialStates starts_of(const ResolvedRun& run, const GivenStarts& starts, const ReadPart&, const StartsProgress&,
                        const ProcessShare& share) {
  const int dim = run.given_system().dim;
  const std::int64_t n = static_cast<std::int64_t>(starts.states.numbers.size()) / dim;
  const auto begin = starts.states.numbers.begin() + share.first(n) * dim;
  return {.starts = {dim, {begin, begin + share.count(n) * dim}}, .points = {}, .findings = {}, .remarks = {}};
}
InitialStates starts_of(const ResolvedRun& run, const FileStarts& starts, const ReadPart& read, const StartsProgress&,
                        const ProcessShare& share) {
  const SystemEntry& system = run.given_system();
  std::vector<std::string> names;
  for (int i = 0; i < system.dim; ++i) names.emplace_back(system.observables[i].name);
  return {.starts = {system.dim, read(starts.path, starts.dataset, {system.name, std::move(names)}, share)},
          .points = {},
          .findings = {},
          .remarks = {}};
}
InitialStates starts_of(const ResolvedRun& run, const RandomStarts& starts, const ReadPart&, const StartsProgress&,
                        const ProcessShare&) {
  return {.starts = {run, RandomStates(run, starts), starts.count}, .points = {}, .findings = {}, .remarks = {}};
}
InitialStates starts_of(const ResolvedRun& run, const RelativeEquilibriumStarts& starts, const ReadPart&,
                        const StartsProgress&, const ProcessShare& share) {
  std::vector<double> state = relative_equilibrium(run, starts.near);
  if (share.count(1) == 0) state.clear();
  return {.starts = {run.system->dim, std::move(state)}, .points = {}, .findings = {}, .remarks = {}};
}

std::int64_t least_count(const ResolvedRun& run, const GivenStarts& starts, const ProcessShare&) {
  return static_cast<std::int64_t>(starts.states.numbers.size()) / run.given_system().dim;
}
std::int64_t least_count(const ResolvedRun&, const FileStarts&, const ProcessShare&) { return 1; }
std::int64_t least_count(const ResolvedRun&, const RandomStarts& starts, const ProcessShare&) { return starts.count; }
std::int64_t least_count(const ResolvedRun&, const RelativeEquilibriumStarts&, const ProcessShare&) { return 1; }

/// Remarks on the points of the plane, for starts on a section, where InputError is thrown if no point has a start; no
/// remarks for other starts.
std::vector<std::string> remarks_of(const ResolvedRun& run, const SectionStarts& starts, const PointCounts& points) {
  return section_remarks(run, starts, points);
}
std::vector<std::string> remarks_of(const ResolvedRun& run, const LineStarts& starts, const PointCounts& points) {
  return section_remarks(run, starts, points);
}
std::vector<std::string> remarks_of(const ResolvedRun&, const GivenStarts&, const PointCounts&) { return {}; }
std::vector<std::string> remarks_of(const ResolvedRun&, const FileStarts&, const PointCounts&) { return {}; }
std::vector<std::string> remarks_of(const ResolvedRun&, const RandomStarts&, const PointCounts&) { return {}; }
std::vector<std::string> remarks_of(const ResolvedRun&, const RelativeEquilibriumStarts&, const PointCounts&) {
  return {};
}

/// Reason why the state x, at which preparation has stopped, cannot be an initial state. p: the parameters.
std::string problem_with(const SystemEntry& system, const double* p, const double* x, const Preparation& prepared) {
  if (prepared.problem)
    return prepared.problem +
           (prepared.moved_position > 0 ? fmt::format(": by {:.2g} of it", prepared.moved_position) : "");
  int i = 0;
  const auto last = static_cast<int>(system.observables.size()) - 1;
  while (i < last && std::isfinite(i < system.dim ? x[i] : system.observe(p, i, x))) ++i;
  return fmt::format("{} is not finite", system.observables[i].name);
}

[[noreturn]] void refuse_state(std::int64_t trajectory, const std::string& problem) {
  throw InputError(fmt::format("state {} of the ensemble cannot be used ({}). Correct it.", trajectory, problem));
}

/// Makes initial states, in place, of the states x[count][dim] that the trajectories from `first` on are given. Returns
/// findings about displacements and tangent momenta only. Throws InputError where a state cannot be used.
StartFindings prepare(const SystemEntry& system, const double* p, Momentum momentum, bool velocities,
                      std::int64_t first, std::int64_t count, double* x) {
  std::array<Preparation, start_block> prepared{};
  const std::int64_t made = prepare_starts(system, p, momentum, velocities, count, x, prepared.data());
  if (made < count) refuse_state(first + made, problem_with(system, p, x + made * system.dim, prepared[made]));
  StartFindings findings;
  for (std::int64_t k = 0; k < count; ++k) {
    take_larger(findings.position, prepared[k].moved_position, first + k);
    take_larger(findings.momentum, prepared[k].moved_momentum, first + k);
    if (prepared[k].is_tangent) ++findings.tangent;
  }
  return findings;
}

/// Makes initial states, in place, of the states x[count][dim] that a run's trajectories from `first` on are given, and
/// returns all findings about them. Throws InputError where a state cannot be used.
StartFindings examine(const ResolvedRun& run, std::int64_t first, std::int64_t count, double* x) {
  const double* const p = run.parameters.data();
  StartFindings findings =
      prepare(*run.system, p, run.method->momentum, run.velocities() && !run.given_as, first, count, x);
  if (run.system->reach) {
    const double time = run.spec.method.step * static_cast<double>(run.spec.execution.steps);
    for (std::int64_t k = 0; k < count; ++k)
      take_larger(findings.reach, run.system->reach(p, x + k * run.system->dim, time), first + k);
  }
  findings.invariants = run.system->start_functions().conserved(p, count, x, run.all_invariants());
  if (const StartDoubt* doubt = find_doubt(*run.system)) {
    const int observable = run.system->find_observable(doubt->observable), dim = run.system->dim;
    for (std::int64_t k = 0; k < count; ++k)
      take_larger(findings.doubtful, run.system->observe(p, observable, x + k * dim), first + k);
  }
  return findings;
}

/// Findings of work(first, count, room) joined over the blocks of trajectories `from`, ..., to - 1. room:
/// [start_block][dim], for the states of a block.
template <class Work>
StartFindings join_findings(const ResolvedRun& run, std::int64_t from, std::int64_t to, const StartsProgress& progress,
                            const Work& work) {
  StartFindings all;
  std::mutex mutex;
  in_blocks(to - from, run.spec.execution.threads, progress, [&](std::int64_t first, std::int64_t last) {
    StartFindings here;
    std::vector<double> room(start_block * run.system->dim);
    for_start_blocks(from + first, from + last,
                     [&](std::int64_t k, std::int64_t count) { here.add(work(k, count, room.data())); });
    const std::lock_guard lock(mutex);
    all.add(here);
  });
  return all;
}

/// Makes initial states of held starts in the description in which they are given, and replaces `starts` by these
/// states converted to the run's system. Returns the findings in the given description. Throws InputError where a start
/// cannot be used or converted.
StartFindings convert(const ResolvedRun& run, Starts& starts) {
  const OtherDescription& given = *run.given_as;
  const double* const p = given.parameters.data();
  const std::int64_t from = starts.first_held(), n = starts.count(), dim = run.system->dim;
  std::vector<double> converted(starts.count_held() * dim);
  const StartFindings findings =
      join_findings(run, from, from + starts.count_held(), {}, [&](std::int64_t first, std::int64_t count, double*) {
        const StartFindings here =
            prepare(*given.system, p, Momentum::hidden_constraint, run.velocities(), first, count, starts.held(first));
        for (std::int64_t k = first; k < first + count; ++k)
          if (const std::string problem = given.conversion(p, starts.held(k), converted.data() + (k - from) * dim);
              !problem.empty())
            refuse_state(k, problem);
        return here;
      });
  starts = Starts(run.system->dim, std::move(converted));
  starts.place(from, n);
  return findings;
}

}  // namespace

void StartFindings::add(const StartFindings& others) {
  take_larger(position, others.position.value, others.position.trajectory);
  take_larger(momentum, others.momentum.value, others.momentum.trajectory);
  take_larger(doubtful, others.doubtful.value, others.doubtful.trajectory);
  take_larger(reach, others.reach.value, others.reach.trajectory);
  tangent += others.tangent;
  invariants &= others.invariants;
}

std::int64_t least_count(const ResolvedRun& run, const ProcessShare& share) {
  return std::visit([&](const auto& starts) { return least_count(run, starts, share); }, run.spec.ensemble);
}

InitialStates make_share(const ResolvedRun& run, const ReadPart& read, const StartsProgress& progress,
                         const ProcessShare& share) {
  return std::visit([&](const auto& starts) { return starts_of(run, starts, read, progress, share); },
                    run.spec.ensemble);
}

void examine_share(const ResolvedRun& run, InitialStates& initial, const StartsProgress& progress,
                   const ProcessShare& share) {
  initial.remarks =
      std::visit([&](const auto& starts) { return remarks_of(run, starts, initial.points); }, run.spec.ensemble);
  Starts& starts = initial.starts;
  const std::int64_t n = starts.count();
  if (n == 0) throw InputError("the ensemble is empty (it has no states). Give at least one.");
  if (starts.are_drawn()) {
    const std::int64_t from = share.first(n);
    initial.findings = join_findings(run, from, from + share.count(n), progress,
                                     [&](std::int64_t first, std::int64_t count, double* room) {
                                       starts.draw(first, count, room);
                                       return examine(run, first, count, room);
                                     });
  } else {
    const std::int64_t from = starts.first_held();
    if (run.given_as) initial.findings = convert(run, starts);
    initial.findings.add(
        join_findings(run, from, from + starts.count_held(), {}, [&](std::int64_t first, std::int64_t count, double*) {
          for (std::int64_t k = first; run.starts_at_rest() && k < first + count; ++k)
            run.system->bring_to_rest(run.parameters.data(), run.velocities(), starts.held(k));
          return examine(run, first, count, starts.held(first));
        }));
  }
}

InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress) {
  const ReadPart all = [&](const std::filesystem::path& path, const std::string& dataset, const StateColumns& columns,
                           const ProcessShare&) { return read(path, dataset, columns.dim); };
  InitialStates initial = make_share(run, all, progress, {});
  examine_share(run, initial, progress, {});
  return initial;
}

void complete_remarks(const ResolvedRun& run, InitialStates& initial) {
  // Starts with remarks are computed, not given.
  if (initial.remarks.empty()) describe(run, initial.findings, initial.remarks);
  describe_reach(run, initial.findings.reach, initial.remarks);
  if (run.section_is_at_jump())
    initial.remarks.push_back(
        fmt::format("{} jumps at that value, from pi to -pi: it crosses nothing there", run.spec.section->name));
  if (const char* doubt = run.system->warning(run.parameters.data())) initial.remarks.push_back(doubt);
  if (run.table)
    if (std::string doubt = remark_on(*run.table); !doubt.empty()) initial.remarks.push_back(std::move(doubt));
}

std::uint32_t invariants_of(const ResolvedRun& run, const std::vector<double>& states) {
  return run.system->start_functions().conserved(run.parameters.data(),
                                                 static_cast<std::int64_t>(states.size()) / run.system->dim,
                                                 states.data(), run.all_invariants());
}

}  // namespace polhode
