#include "cli/converted.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>
#include <variant>
#include <vector>

#include "catalog/conversion.hpp"
#include "cli/numbers.hpp"
#include "cli/toml_file.hpp"
#include "ensemble/initial.hpp"
#include "error.hpp"
#include "modules/own_header.hpp"
#include "spec/resolved_run.hpp"
#include "spec/schema.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

constexpr std::int64_t max_listed_starts = 100'000;  // a longer list is no longer read in a moment

const SystemEntry& other_description(const SystemEntry& system, const std::string& name) {
  std::vector<std::string> known;
  for (const SystemEntry* other : descriptions_of(system)) {
    if (name == other->name) return *other;
    known.emplace_back(other->name);
  }
  throw InputError(fmt::format("cannot convert to {} ({}{}). See polhode list systems {}.", name,
                               known.empty() ? fmt::format("{} has no other description", system.name)
                                             : fmt::format("it is no other description of {}", system.name),
                               nearest_known(name, known), system.name));
}

void require_listable(std::int64_t count, const SystemEntry& system) {
  if (count > max_listed_starts)
    throw InputError(
        fmt::format("cannot convert {} starts (a configuration lists {} at most). Start from a result, with "
                    "ensemble.as = \"{}\".",
                    count, max_listed_starts, system.name));
}

/// Upper bound on the number of starts, where the configuration has their count or a grid; else 0.
std::int64_t bound_on_count(const EnsembleSpec& ensemble) {
  return std::visit(
      [](const auto& starts) -> std::int64_t {
        if constexpr (requires { starts.count; }) return starts.count;
        if constexpr (requires { starts.grid; }) return starts.grid[0] * starts.grid[1];
        return 0;
      },
      ensemble);
}

/// Initial states of a run in another description, the system `to`, and the parameters of the run's system or of `to`:
/// of the one that has more, whose list begins with the parameters of the other.
struct Converted {
  std::vector<double> states;  ///< [n][to.dim]
  std::vector<double> parameters;
};
Converted convert(const ResolvedRun& run, const Starts& starts, const SystemEntry& to) {
  const Conversion conversion = *Conversion::between(*run.system, to);
  const std::int64_t n = starts.count(), dim = run.system->dim;
  std::vector<double> states(n * dim);
  starts.copy_rows(0, n, run.spec.execution.threads, states.data());
  Converted converted{std::vector<double>(n * to.dim), run.parameters};
  if (to.parameters.size() > run.system->parameters.size())
    converted.parameters.push_back(conversion.momentum(run.parameters.data(), states.data()).value_or(0));
  for (std::int64_t k = 0; k < n; ++k)
    if (const std::string problem =
            conversion(converted.parameters.data(), &states[k * dim], &converted.states[k * to.dim]);
        !problem.empty())
      throw InputError(
          fmt::format("cannot convert state {} of the ensemble to {} ({}). Leave it out.", k, to.name, problem));
  return converted;
}

toml::table system_table(const SystemEntry& system, const std::vector<double>& parameters) {
  toml::table table{{"name", system.name}};
  const double* value = parameters.data();
  for (const Parameter& parameter : system.parameters) {
    if (parameter.size == 1) {
      table.insert(parameter.name, *value);
    } else {
      toml::array list;
      for (int i = 0; i < parameter.size; ++i) list.push_back(value[i]);
      table.insert(parameter.name, list);
    }
    value += parameter.size;
  }
  return table;
}

toml::table ensemble_table(const std::vector<double>& states, std::size_t dim) {
  toml::array rows;
  for (std::size_t first = 0; first < states.size(); first += dim) {
    toml::array row;
    for (std::size_t i = first; i < first + dim; ++i) row.push_back(states[i]);
    rows.push_back(row);
  }
  return toml::table{{"from", "states"}, {"states", rows}};
}

}  // namespace

std::string converted_text(const Configuration& configuration, const std::string& to_name, const Overrides& overrides,
                           const ReadStates& read) {
  const ResolvedRun run = resolve(configuration.run);
  const SystemEntry& to = other_description(*run.system, to_name);
  if (run.system->added)
    refuse("system", "observables",
           fmt::format("they, or formulas in section.where, are of the columns of {}", run.system->name),
           "Leave them out with --unset");
  require_listable(bound_on_count(run.spec.ensemble), *run.system);
  InitialStates initial = make_initial_states(run, read);
  require_listable(initial.starts.count(), *run.system);
  complete_remarks(run, initial);
  const Converted converted = convert(run, initial.starts, to);

  toml::table config = parse_own_toml(configuration.text);
  config.insert_or_assign("system", system_table(to, converted.parameters));
  if (to.own) config["system"].as_table()->insert("header", to.own->path);
  config.insert_or_assign("ensemble", ensemble_table(converted.states, to.dim));
  std::ostringstream without_overrides;
  without_overrides << config << '\n';
  // It is a configuration, and its states can be started from.
  const Configuration made = read_own_config(without_overrides.str(), overrides);
  make_initial_states(resolve(made.run), read);

  std::string text;
  for (const std::string& remark : initial.remarks) text += fmt::format("# {}\n", remark);
  return text + with_short_numbers(made.text);
}

}  // namespace polhode
