#include "cli/key_names.hpp"

#include <algorithm>

#include "catalog/conversion.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const DocumentedTable& table : documented_schema())
    for (const DocumentedKey& key : table.keys) add_once(names, std::string(table.name) + "." + key.name);
  for (const SystemEntry& system : systems()) {
    for (const Parameter& parameter : system.parameters) add_once(names, std::string("system.") + parameter.name);
    for (const Alternative& alternative : system.alternatives)
      add_once(names, std::string("system.") + alternative.name);
  }
  return names;
}

std::vector<std::string> values_of(const DocumentedTable& table, const DocumentedKey& key) {
  std::vector<std::string> values(key.choices.begin(), key.choices.end());
  if (key.type == Type::boolean) values = {"true", "false"};
  const std::string name = std::string(table.name) + "." + key.name;
  if (name == "system.name")
    for (const SystemEntry& system : systems()) values.emplace_back(system.name);
  if (name == "ensemble.as") values = description_names();
  if (name == "method.name")
    for (const MethodEntry& method : methods()) add_once(values, method.name);
  return values;
}

}  // namespace

std::vector<std::string> description_names() {
  std::vector<std::string> names;
  for (const SystemEntry& system : systems())
    if (!descriptions_of(system).empty()) names.emplace_back(system.name);
  return names;
}

std::vector<std::string> table_and_key_names() {
  std::vector<std::string> names;
  for (const DocumentedTable& table : documented_schema()) add_once(names, table.name);
  const std::vector<std::string> keys = key_names();
  names.insert(names.end(), keys.begin(), keys.end());
  return names;
}

std::vector<std::string> assignment_candidates(const std::string& typed) {
  std::vector<std::string> assignments;
  const auto equals = typed.find('=');
  if (equals == std::string::npos) {
    for (const std::string& name : key_names()) assignments.push_back(name + "=");
    return assignments;
  }
  for (const DocumentedTable& table : documented_schema())
    for (const DocumentedKey& key : table.keys)
      if (const std::string name = std::string(table.name) + "." + key.name; name == typed.substr(0, equals))
        for (const std::string& value : values_of(table, key)) add_once(assignments, name + "=" + value);
  return assignments;
}

}  // namespace polhode
