#include "spec/configuration.hpp"

#include <fmt/format.h>

#include "spec/method_options.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_listed = 1000;  ///< states in a text: a text of a million takes longer than a run of them

/// Whether the starts are a long list, which the result of the run has as its initial states.
bool are_in_result(const RunSpec& spec) {
  const auto* const given = std::get_if<GivenStarts>(&spec.ensemble);
  return given && given->states.numbers.size() > most_listed * given->states.width && spec.record.initial;
}

}  // namespace

std::string configuration_text(const RunSpec& spec, std::string_view only) {
  if (are_in_result(spec))
    return configuration_text({.system = spec.system,
                               .method = spec.method,
                               .ensemble = FileStarts{.path = {}, .dataset = "/initial/state"},
                               .execution = spec.execution,
                               .section = spec.section,
                               .density = spec.density,
                               .statistics = spec.statistics,
                               .record = spec.record},
                              only);
  std::string text;
  const auto add = [&](std::string_view table, const std::string& key, const Value& value) {
    if (!only.empty() && table != only) return;
    if (!std::holds_alternative<std::monostate>(value)) text += fmt::format("{}.{} = {}\n", table, key, to_text(value));
  };
  add("ensemble", from_key.name, ensemble_kinds[spec.ensemble.index()]);
  if (const auto* random = std::get_if<RandomStarts>(&spec.ensemble))
    add("ensemble", distribution_key.name, distributions[random->distribution.index()]);
  for_each_part(spec, [&](const auto& table, const auto& part) {
    for (const auto& key : table.keys) add(table.name, key.name, key.get(part));
  });
  for (const auto& [name, value] : spec.method.options) add(table_of<MethodSpec>.name, name, value);
  if (spec.system.hamiltonian.empty()) {
    for (const auto& [name, values] : spec.system.parameters)
      add("system", name, values.size() == 1 ? Value(values.front()) : Value(values));
  }
  return text;
}

}  // namespace polhode
