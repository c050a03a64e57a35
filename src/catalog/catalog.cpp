#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include <list>
#include <utility>

#include "backend/cuda/cuda_backend.hpp"
#include "catalog/references.hpp"
#include "catalog/table_type.hpp"
#include "modules/modules.hpp"
#include "modules/own_header.hpp"
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

/// Catalogs: the program's own, then one more for each user's system that was added; the last is in use. The others
/// stay, so that pointers into them stay valid.
std::list<Catalog>& catalogs() {
  static std::list<Catalog> all = [] {
    Catalog built_in;
    built_in.append(built_in_entries());
    return std::list{built_in};
  }();
  return all;
}
const Catalog& catalog() { return catalogs().back(); }

/// Rows of a table, the last one with the weights.
std::vector<std::vector<double>> rows_of(const ExplicitTable& table) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i <= table.stages; ++i) {
    auto& row = rows.emplace_back();
    for (int j = 0; j < table.stages; ++j) row.push_back(table.coefficient(i, j));
  }
  return rows;
}

SourceType with_added(SourceType system, const char* added) {
  system.added = added;
  return system;
}

/// Residence on a GPU of a trajectory of `dim` numbers under a step map that is compiled with `table`:
/// `by_default_table`, the residence with the default table, but mixed instead of registers where the rates k_j that
/// are needed at once do not fit into the registers of a thread.
Residence residence_with(Residence by_default_table, int dim, const ExplicitTable& table) {
  constexpr int max_numbers = 40;  // docs/decisions/steps.md
  return by_default_table == Residence::registers && dim * table.most_rates() > max_numbers ? Residence::mixed
                                                                                            : by_default_table;
}

const SystemFunctions& functions_in(const ModuleTable& table) {
  return *static_cast<const SystemFunctions*>(table.functions);
}

}  // namespace

std::span<const SystemEntry> systems() { return catalog().systems; }
std::span<const MethodEntry> methods() { return catalog().methods; }

void extend_catalog(SystemEntry system, View<MethodEntry> methods, const OwnHeader& header) {
  static std::list<OwnHeader> headers;
  system.own = &headers.emplace_back(header);
  system.source = source_of(*system.own);
  Catalog extended = catalog();
  std::erase_if(extended.systems,
                [&](const SystemEntry& other) { return std::string_view(other.name) == system.name; });
  std::erase_if(extended.methods,
                [&](const MethodEntry& other) { return std::string_view(other.system) == system.name; });
  extended.systems.push_back(system);
  extended.methods.insert(extended.methods.end(), methods.begin(), methods.end());
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
  // All instruction sets give the same bits.
  for (int i = static_cast<int>(best_isa()); source.type && i >= 0; --i)
    if (const StartFunctions* const found = find_start_functions(source, name, Isa{i})) return *found;
  return starts ? *starts : functions_in(*load_modules({source_of(source, name, best_isa())}).front()).starts;
}

CpuKernels MethodEntry::kernels(int solver, Precision precision, Isa isa, const Table& table) const {
  const std::vector<const ModuleTable*> tables = load_modules(modules(solver, precision, isa, table));
  return {*static_cast<const CpuKernel*>(tables[0]->functions), functions_in(*tables[1]).observers};
}

CudaKernels MethodEntry::cuda_kernels(int solver, Precision precision, int capability, const Table& table) const {
  const std::vector<const ModuleTable*> tables =
      load_modules(modules(solver, precision, Target::gpu(capability), table));
  return {static_cast<const CudaKernel*>(tables[0]->functions),
          static_cast<const CudaObservers*>(tables[1]->functions)};
}

KernelNames MethodEntry::names_of(const SourceType& of_system, const char* system_name, int solver, Precision precision,
                                  const Table& table) const {
  KernelNames kernel{
      of_system,      map, solver, solvers[solver].name, precision, fmt::format("{}, {}", system_name, name), residence,
      leaves_inlining};
  if (table_option) {
    const ExplicitTable& compiled = table ? *table : explicit_tables[default_explicit_table].table;
    kernel.table = table_type_of(compiled);
    kernel.residence = residence_with(residence, find_system(system)->dim, compiled);
  }
  return kernel;
}

ModuleSource MethodEntry::kernel_source(const SourceType& of_system, const char* system_name, int solver,
                                        Precision precision, const Target& target, const Table& table) const {
  return source_of(names_of(of_system, system_name, solver, precision, table), target);
}

ModuleSource MethodEntry::shadow_source(int solver, Precision precision, Isa isa, const Table& table) const {
  return shadow_source_of(names_of(find_system(system)->source, system, solver, precision, table), isa);
}

ShadowKernel MethodEntry::shadow(int solver, Precision precision, Isa isa, const Table& table) const {
  return *static_cast<const ShadowKernel*>(
      load_modules({shadow_source(solver, precision, isa, table)}).front()->functions);
}

std::vector<ModuleSource> MethodEntry::modules(int solver, Precision precision, const Target& target,
                                               const Table& table) const {
  const SystemEntry& entry = *find_system(system);
  return {kernel_source(with_added(entry.source, added_in_kernels), system, solver, precision, target, table),
          source_of(with_added(entry.source, added_in_system), system, target, entry.residence)};
}

std::string MethodEntry::why_no_reference() const { return why_no_references(); }

std::unique_ptr<Backend> MethodEntry::make_reference(const RunPlan& plan, const Table& table) const {
  ReferenceMethod method{name};
  if (table_option) method.table = rows_of(table ? *table : explicit_tables[default_explicit_table].table);
  for (const MethodSetting& setting : settings) {
    const double value = setting.get(plan.step_plan.options);
    if (setting.option.kind == MethodOption::Kind::choice)
      method.options.push_back({setting.option.name, setting.option.choices[static_cast<std::size_t>(value)]});
    else
      method.options.push_back({setting.option.name, value});
  }
  const SystemEntry& entry = *find_system(system);
  if (!entry.own) return find_reference(system)(plan, method);
  if (entry.own->formulas) return make_formula_reference(*entry.own->formulas, plan, method);
  const ModuleTable& values = *load_modules({value_source_of(entry.source, system)}).front();
  return make_own_reference(*static_cast<const ValueTable*>(values.functions), plan, method);
}

StepPlan MethodEntry::with_sweeps(StepPlan step, int solver, const double* p, double h, Precision precision) const {
  for (Stage& stage : std::span(step.stages, step.n_stages))
    stage.sweeps = static_cast<std::int16_t>(
        solvers[solver].nominal_sweeps(p, step.options, step.kicks[stage.kicks], stage.fraction * h, precision));
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
