#include "driver/shared_modules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include "backend/cpu/isa.hpp"
#include "catalog/own_systems.hpp"
#include "contract.hpp"
#include "driver/agreement.hpp"
#include "integration/backends.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

/// Function that lists the modules needed for a target.
using ModulesFor = std::function<std::vector<ModuleSource>(const Target&)>;

/// A target as a number, for messages among ranks: the capability of a GPU, or the index of an instruction set.
std::int64_t number_of(const Target& target) {
  return target.is_gpu() ? target.capability() : static_cast<int>(target.isa());
}
Target target_of(std::int64_t number) {
  return number < n_isas ? Target(Isa{static_cast<int>(number)}) : Target::gpu(static_cast<int>(number));
}

/// Targets for which some rank lacks a module. own: the target for which this rank lacks one, if it does. Collective.
std::vector<Target> targets_of_all(const std::optional<Target>& own, Ranks& ranks) {
  constexpr std::int64_t none = -1;
  const std::vector<std::int64_t> numbers = ranks.gather(own ? number_of(*own) : none);
  std::vector<Target> targets;
  for (const std::int64_t number : std::set<std::int64_t>(numbers.begin(), numbers.end()))
    if (number != none) targets.push_back(target_of(number));
  return targets;
}

/// Set of modules of a list: bit i for the i-th module.
using Bits = std::uint64_t;

/// Modules of a list for which has(module) is true.
template <class Has>
Bits bits_of(const std::vector<ModuleSource>& list, const Has& has) {
  POLHODE_EXPECT(list.size() < 63);
  Bits bits = 0;
  for (std::size_t i = 0; i < list.size(); ++i) bits |= Bits{has(list[i])} << i;
  return bits;
}

/// Modules of a list that each rank has on its disk, as Bits: [rank].
std::vector<std::int64_t> holdings(const std::vector<ModuleSource>& list, Ranks& ranks) {
  Bits held = 0;
  ranks.together("kernels of ranks", [&] { held = bits_of(list, is_on_disk); });
  return ranks.gather(static_cast<std::int64_t>(held));
}

/// Modules of a list that no rank has. held: holdings() of the list.
std::vector<ModuleSource> held_by_none(const std::vector<ModuleSource>& list, const std::vector<std::int64_t>& held) {
  std::vector<ModuleSource> modules;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (std::ranges::none_of(held, [&](std::int64_t bits) { return bits >> i & 1; })) modules.push_back(list[i]);
  return modules;
}

/// Has the first rank compile modules. With OnAbsent::try_to_compile, modules that cannot be compiled are no error.
/// Collective.
void compile_on_first_rank(const std::vector<ModuleSource>& sources, OnAbsent on_absent, Ranks& ranks) {
  ranks.together("compilation", [&] {
    if (ranks.first()) try {
        make_modules(sources);
      } catch (const UnavailableError&) {
        if (on_absent == OnAbsent::compile) throw;
      }
  });
}

/// Hands a module of the rank `holder` to the ranks that lack it. is_lacking: whether this rank does. Collective.
void hand_out(const ModuleSource& source, int holder, bool is_lacking, Ranks& ranks) {
  std::string bytes;
  ranks.together("kernel sent", [&] {
    if (ranks.rank() == holder) bytes = read_module(source);
  });
  bytes = ranks.from(holder, bytes);
  ranks.together("kernel received", [&] {
    if (is_lacking) receive_module(source, bytes);
  });
}

/// Shares the modules for the targets of all ranks, and returns those that no rank has afterwards. own: the target of
/// this rank, if it has one. Collective.
std::vector<ModuleSource> share(const ModulesFor& modules_for, const std::optional<Target>& own, OnAbsent on_absent,
                                Ranks& ranks) {
  std::vector<ModuleSource> missing;
  ranks.together("kernels", [&] {
    if (own) missing = missing_modules(modules_for(*own));
  });
  const std::vector<Target> targets = targets_of_all(missing.empty() ? std::nullopt : own, ranks);
  if (targets.empty()) return {};
  std::vector<ModuleSource> list;
  ranks.together("kernels for targets", [&] {
    for (const Target& target : targets) std::ranges::move(modules_for(target), std::back_inserter(list));
  });
  list = without_copies(std::move(list));
  std::string names;
  for (const ModuleSource& source : list) names += source.stem + "\n";
  require_same(names, "kernels are not those", ranks);

  std::vector<std::int64_t> held = holdings(list, ranks);
  if (on_absent != OnAbsent::list && !held_by_none(list, held).empty()) {
    compile_on_first_rank(held_by_none(list, held), on_absent, ranks);
    held = holdings(list, ranks);  // ranks that share the first one's cache have them now
  }
  const Bits needed = bits_of(list, [&](const ModuleSource& source) {
    return std::ranges::find(missing, source.key, &ModuleSource::key) != missing.end();
  });
  const std::int64_t lacking = static_cast<std::int64_t>(needed) & ~held[static_cast<std::size_t>(ranks.rank())];
  const std::vector<std::int64_t> lacking_of_all = ranks.gather(lacking);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto has_it = [&](std::int64_t bits) { return (bits >> i & 1) != 0; };
    const auto holder = std::ranges::find_if(held, has_it);
    if (holder != held.end() && std::ranges::any_of(lacking_of_all, has_it))
      hand_out(list[i], static_cast<int>(holder - held.begin()), has_it(lacking), ranks);
  }
  return held_by_none(list, held);
}

}  // namespace

void share_descriptions(const std::vector<OwnHeader>& headers, Ranks& ranks) {
  if (ranks.size() == 1) return;
  for (const OwnHeader& header : headers)
    share([&](const Target&) { return std::vector{description_of(header)}; }, Target(Isa::scalar), OnAbsent::compile,
          ranks);
}

std::vector<ModuleSource> share_kernels(const ResolvedRun& run, OnAbsent on_absent, Ranks& ranks) {
  if (ranks.size() == 1 && on_absent != OnAbsent::list) return {};
  const ModulesFor modules_for = [&](const Target& target) { return modules_of(run, target); };
  const BackendChoice backend = run.spec.execution.backend;
  std::optional<Target> gpu;
  ranks.together("GPU", [&] { gpu = gpu_of(run); });
  // A run that may leave the GPU alone does so where that has no kernels.
  const bool may_leave_gpu = backend == BackendChoice::automatic;
  std::vector<ModuleSource> missing = share(
      modules_for, gpu, may_leave_gpu && on_absent == OnAbsent::compile ? OnAbsent::try_to_compile : on_absent, ranks);
  const bool is_on_gpu = backend == BackendChoice::cuda || (gpu && missing.empty());
  const bool is_unavailable = backend == BackendChoice::cuda && !gpu;  // which making the backend will say
  if (may_leave_gpu) missing.clear();
  const bool is_on_processor = !is_unavailable && (is_on_gpu ? needs_processor(run) : isa_supported(processor_of(run)));
  std::ranges::move(
      share(modules_for, is_on_processor ? std::optional<Target>(processor_of(run)) : std::nullopt, on_absent, ranks),
      std::back_inserter(missing));
  return on_absent == OnAbsent::list ? missing : std::vector<ModuleSource>();
}

}  // namespace polhode
