#include "catalog/own_systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "modules/modules.hpp"
#include "modules/own_header.hpp"

namespace polhode {
namespace {

/// Modules that a run will need besides the description, so that all are compiled at once: guessed from the template
/// that the header's text uses (SystemForm). Empty where nothing can be guessed.
std::vector<ModuleSource> guess_modules(const SourceType& system, const OwnHeader& header, const WantedKernel& wanted) {
  if (!header.form) return {};
  const std::string name = std::filesystem::path(header.name).stem().string();
  for (const MethodRow& row : method_rows()) {
    if (row.name != wanted.method || !contains(row.forms, *header.form)) continue;
    // The solvers of a map are those that it has on the program's systems.
    const auto as_built_in = std::ranges::find_if(methods(), [&](const MethodEntry& entry) {
      return entry.name == wanted.method && std::string_view(entry.map.type) == row.map.type;
    });
    if (as_built_in == methods().end()) continue;
    const auto& solvers = as_built_in->solvers;
    const auto solver = std::ranges::find_if(
        solvers, [&](const SolverEntry& entry) { return wanted.solver.empty() || wanted.solver == entry.name; });
    if (solver == solvers.end()) continue;
    return {as_built_in->kernel_source(system, name.c_str(), static_cast<int>(solver - solvers.begin()),
                                       wanted.precision, wanted.isa, wanted.table),
            source_of(system, name.c_str(), wanted.isa)};
  }
  return {};
}

}  // namespace

std::optional<OwnHeader> own_header_of(const SystemSpec& spec) {
  if (spec.header) return read_own_header(*spec.header);
  if (spec.hamiltonian.empty()) return {};
  return own_header_of(make_formula_system({.name = spec.name,
                                            .hamiltonian = spec.hamiltonian,
                                            .coordinates = spec.coordinates,
                                            .momenta = spec.momenta,
                                            .parameters = spec.parameters,
                                            .constraints = spec.constraints,
                                            .let = spec.let,
                                            .observables = spec.observables,
                                            .conserved = spec.conserved,
                                            .domain = spec.domain,
                                            .angles = spec.angles,
                                            .unbounded_angles = spec.unbounded_angles}));
}

ModuleSource description_of(const OwnHeader& header) { return description_source_of(source_of(header), method_rows()); }

const SystemEntry& require_system(const std::string& file) { return require_system(read_own_header(file)); }

const SystemEntry& require_system(const OwnHeader& header, const WantedKernel* wanted) {
  for (const SystemEntry& system : systems())
    if (system.own && system.own->content == header.content) return system;
  const SourceType source = source_of(header);
  std::vector<ModuleSource> modules{description_source_of(source, method_rows())};
  if (wanted && !find_module(modules.front()))
    for (ModuleSource& module : guess_modules(source, header, *wanted)) {
      module.is_guess = true;
      modules.push_back(std::move(module));
    }
  const auto& entries = *static_cast<const CatalogEntries*>(load_modules(modules).front()->functions);
  const SystemEntry& system = entries.systems.front();
  for (const SystemEntry* const other : find_systems(system.name))
    if (!other->own || other->own->path != header.path)
      throw InputError(fmt::format("cannot use the system {} (there is a system \"{}\" already). Give it another name.",
                                   header.name, system.name));
  extend_catalog(system, entries.methods, header);
  return *find_system(system.name);
}

std::vector<ModuleSource> modules_besides_kernels(const SystemEntry& system) {
  std::vector<ModuleSource> modules{description_source_of(system.source, method_rows()),
                                    source_of(system.source, system.name, Isa::scalar)};
  if (!system.own->formulas) modules.push_back(value_source_of(system.source, system.name));
  return modules;
}

}  // namespace polhode
