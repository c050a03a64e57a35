#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include <list>
#include <utility>

#include "catalog/references.hpp"
#include "modules/modules.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

struct Catalog {
  std::vector<SystemEntry> systems;
  std::vector<MethodEntry> methods;

  void append(const CatalogEntries& entries) {
    systems.insert(systems.end(), entries.systems.begin(), entries.systems.end());
    methods.insert(methods.end(), entries.methods.begin(), entries.methods.end());
  }
};

/// The program's own entries, then what each plugin made of those before: pointers into all of them stay valid.
std::list<Catalog>& catalogs() {
  static std::list<Catalog> all = [] {
    Catalog built_in;
    built_in.append(built_in_entries());
    return std::list{built_in};
  }();
  return all;
}
const Catalog& catalog() { return catalogs().back(); }

}  // namespace

std::span<const SystemEntry> systems() { return catalog().systems; }
std::span<const MethodEntry> methods() { return catalog().methods; }

void extend_catalog(const CatalogEntries& entries, const PluginFile& plugin) {
  static std::list<PluginFile> plugins;
  plugins.push_back(plugin);
  Catalog extended = catalog();
  extended.append(entries);
  for (SystemEntry& system : std::span(extended.systems).last(entries.systems.size())) system.plugin = &plugins.back();
  catalogs().push_back(std::move(extended));
}

int SystemEntry::find_observable(std::string_view wanted) const {
  for (std::size_t i = 0; i < observables.size(); ++i)
    if (wanted == observables[i].name) return static_cast<int>(i);
  return -1;
}

int SystemEntry::find_energy() const {
  for (std::size_t i = 0; i < invariants.size(); ++i)
    if (std::string_view(invariants[i].name) == "energy") return static_cast<int>(i);
  return -1;
}

std::vector<std::string> SystemEntry::status_meanings() const {
  std::vector<std::string> meanings(std::begin(status_text), std::end(status_text));
  if (edge) meanings[static_cast<std::size_t>(Status::left_domain)] += fmt::format(" ({})", edge);
  return meanings;
}

const StartFunctions& SystemEntry::start_functions() const {
  if (const StartFunctions* const fast = source.type ? find_start_functions(source, name, best_isa()) : nullptr)
    return *fast;
  for (int i = n_isas; i-- > 1;)
    if (starts[i] && isa_supported(Isa{i})) return *starts[i];
  return *starts[0];
}

CpuKernels MethodEntry::kernels(int variant, Precision precision, Isa isa) const {
  if (const CpuTable* const table = cpu[static_cast<int>(isa)])
    return table->kernels[variant][static_cast<int>(precision)];
  const std::vector<const ModuleTable*> tables = load_modules(modules(variant, precision, isa));
  return {*static_cast<const CpuKernel*>(tables[0]->functions),
          static_cast<const SystemFunctions*>(tables[1]->functions)->observers};
}

std::vector<ModuleSource> MethodEntry::modules(int variant, Precision precision, Isa target) const {
  const SourceType& source = find_system(system)->source;
  return {source_of({source, map, variant, variants[variant].solver, precision, fmt::format("{}, {}", system, name)},
                    target),
          source_of(source, system, target)};
}

std::string MethodEntry::problem_with_reference() const {
  if (own_reference) return {};
  const SystemEntry& of = *find_system(system);
  if (of.plugin) return fmt::format("{} was built without Eigen", of.plugin->name);
  return problem_with_references();
}

std::unique_ptr<Backend> MethodEntry::make_reference(const RunPlan& plan) const {
  ReferenceMethod method{name};
  for (const MethodSetting& setting : settings) {
    const double value = setting.get(plan.method.options);
    if (setting.option.kind == Option::Kind::choice)
      method.options.push_back({setting.option.name, setting.option.choices[static_cast<std::size_t>(value)]});
    else
      method.options.push_back({setting.option.name, value});
  }
  return (own_reference ? own_reference : find_reference(system))(plan, method);
}

StepPlan MethodEntry::with_sweeps(StepPlan step, int variant, const double* p, double h, Precision precision) const {
  for (Stage& stage : std::span(step.stages, step.n_stages))
    stage.sweeps = static_cast<std::int16_t>(
        variants[variant].nominal_sweeps(p, step.options, step.kicks[stage.kicks], stage.fraction * h, precision));
  return step;
}

std::vector<std::string> branch_names(const Chart& chart) {
  std::vector<std::string> names;
  for (const auto& side : chart.branches) names.insert(names.end(), std::begin(side), std::end(side));
  return names;
}

const SystemEntry* find_system(std::string_view name) {
  for (const SystemEntry& system : systems())
    if (name == system.name) return &system;
  return nullptr;
}

std::vector<const SystemEntry*> find_systems(std::string_view name_or_family) {
  std::vector<const SystemEntry*> found;
  for (const SystemEntry& system : systems())
    if (name_or_family == system.name || name_or_family == system.family) found.push_back(&system);
  return found;
}

const MethodEntry* find_method(std::string_view system, std::string_view method) {
  for (const MethodEntry& entry : methods())
    if (system == entry.system && method == entry.name) return &entry;
  return nullptr;
}

std::vector<const MethodEntry*> methods_of(const SystemEntry& system) {
  std::vector<const MethodEntry*> found;
  for (const MethodEntry& entry : methods())
    if (std::string_view(entry.system) == system.name) found.push_back(&entry);
  return found;
}

}  // namespace polhode
