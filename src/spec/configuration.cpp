#include "spec/configuration.hpp"

#include <fmt/format.h>

#include "spec/method_options.hpp"
#include "spec/schema.hpp"

namespace polhode {

std::string configuration_text(const RunSpec& spec, std::string_view only) {
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
  for (const auto& [name, values] : spec.system.parameters)
    if (values.size() == 1)
      add("system", name, values.front());
    else
      add("system", name, values);
  return text;
}

}  // namespace polhode
