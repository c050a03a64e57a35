#include "cli/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "catalog/conversion.hpp"

namespace polhode {
namespace {

Json with_limits(Json type, const Limits& limits) {
  const auto number = [&](double value) { return type["type"] == "integer" ? Json(std::llround(value)) : Json(value); };
  if (std::isfinite(limits.least)) type["minimum"] = number(limits.power_of_two ? 0 : limits.least);
  if (std::isfinite(limits.most)) type["maximum"] = number(limits.most);
  if (limits.positive) type["exclusiveMinimum"] = 0;
  if (limits.nonzero) type["not"] = {{"const", 0}};
  return type;
}

/// Schema of a list of `size` elements; of any number of elements where `size` is 0.
Json list_of(Json element, int size) {
  Json list{{"type", "array"}, {"items", std::move(element)}};
  if (size > 0) list["minItems"] = list["maxItems"] = size;
  return list;
}

Json type_json(const KeyInfo& key) {
  const Json integer = with_limits({{"type", "integer"}}, key.limits),
             real = with_limits({{"type", "number"}}, key.limits);
  switch (key.type) {
    case Type::boolean: return {{"type", "boolean"}};
    case Type::integer: return integer;
    case Type::real: return real;
    case Type::text: return {{"type", "string"}};
    case Type::choice:
      return {{"type", "string"}, {"enum", std::vector<std::string>(key.choices.begin(), key.choices.end())}};
    case Type::choice_or_reals:
      return {{"anyOf",
               {{{"type", "string"}, {"enum", std::vector<std::string>(key.choices.begin(), key.choices.end())}},
                list_of(real, 0)}}};
    case Type::choice_or_rows:
      return {{"anyOf",
               {{{"type", "string"}, {"enum", std::vector<std::string>(key.choices.begin(), key.choices.end())}},
                list_of(list_of(real, 0), 0)}}};
    case Type::integers: return list_of(integer, key.size);
    case Type::reals: return list_of(real, key.size);
    case Type::real_or_reals: return {{"anyOf", {real, list_of(real, 0)}}};
    case Type::texts: return list_of({{"type", "string"}}, key.size);
    case Type::intervals: return list_of(list_of({{"type", "number"}}, 2), key.size);
    case Type::states: return list_of(list_of({{"type", "number"}}, 0), 0);
    case Type::named_numbers:
      return {{"type", "object"}, {"additionalProperties", {{"anyOf", {real, list_of(real, 0)}}}}};
    case Type::named_texts: return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  }
  return {};
}

/// Whether a key has a default that says something: an empty text or list stands for none.
bool has_default(const DocumentedKey& key) {
  const Json value = to_json(key.default_value);
  return !value.is_null() && !(value.is_string() && value.get<std::string>().empty()) &&
         !(value.is_structured() && value.empty());
}

Json key_json(const DocumentedKey& key) {
  Json json = type_json(key);
  json["description"] = key.meaning_in_full();
  if (std::string_view(key.unit) != "1") json["x-unit"] = key.unit;
  if (has_default(key)) json["default"] = to_json(key.default_value);
  return json;
}

/// Schema of an object that has the keys `properties` and no others.
Json object(Json properties, std::vector<std::string> required) {
  Json json{{"type", "object"}};
  if (!required.empty()) json["required"] = std::move(required);
  json["properties"] = std::move(properties);
  json["additionalProperties"] = false;
  return json;
}

Json table_json(const DocumentedTable& table) {
  Json properties = Json::object();
  std::vector<std::string> required;
  for (const DocumentedKey& key : table.keys) {
    properties[key.name] = key_json(key);
    if (key.required) required.emplace_back(key.name);
  }
  Json json = object(std::move(properties), std::move(required));
  if (*table.variant) json["description"] = table.variant;
  return json;
}

/// Schema of a table in which `key` has one value only.
Json with_choice(Json table, const std::string& key, const std::string& value) {
  table["properties"][key] = {{"const", value}, {"description", table["properties"][key]["description"]}};
  return table;
}
/// Schema of [ensemble]: one of several tables, which the keys `from` and `distribution` tell apart.
Json ensemble_json(const std::vector<DocumentedTable>& tables) {
  Json kinds = Json::array();
  auto table = std::ranges::find(tables, std::string_view("ensemble"), &DocumentedTable::name);
  for (const char* kind : ensemble_kinds)
    if (std::string_view(kind) == "random")
      for (const char* distribution : distributions)
        kinds.push_back(
            with_choice(with_choice(table_json(*table++), from_key.name, kind), distribution_key.name, distribution));
    else
      kinds.push_back(with_choice(table_json(*table++), from_key.name, kind));
  return {{"oneOf", kinds}};
}

DocumentedKey key_of(const Parameter& parameter, bool has_alternative) {
  DocumentedKey key{{.name = parameter.name,
                     .type = parameter.size == 1 ? Type::real : Type::reals,
                     .unit = parameter.unit,
                     .meaning = parameter.meaning,
                     .limits = {.positive = parameter.bound == Bound::positive},
                     .size = parameter.size,
                     .required = !parameter.default_value && !has_alternative},
                    {}};
  if (const double* value = parameter.default_value; value && parameter.size == 1)
    key.default_value = *value;
  else if (value)
    key.default_value = std::vector<double>(value, value + parameter.size);
  return key;
}

/// Schema of [system] for one system, with its parameters.
Json system_json(const SystemEntry& system) {
  const DocumentedKey &name = find_key("system", "name"), &header = find_key("system", "header"),
                      &observables = find_key("system", "observables");
  Json properties{{name.name, {{"const", system.name}, {"description", system.meaning}}}};
  if (std::string_view(system.family) != system.name)
    properties[name.name] = {{"enum", {system.name, system.family}}, {"description", system.meaning}};
  properties[header.name] = key_json(header);
  properties[observables.name] = key_json(observables);
  for (const DocumentedKey& key : parameter_keys(system)) properties[key.name] = key_json(key);
  return object(std::move(properties), {system.own ? header.name : name.name});
}

/// Schema of [system] for a system of formulas.
Json formulas_json(const DocumentedTable& system) {
  Json properties;
  for (const DocumentedKey& key : system.keys)
    if (std::string_view(key.name) != "header") properties[key.name] = key_json(key);
  return object(std::move(properties), {"hamiltonian", "coordinates", "momenta"});
}

/// Schema of the names that other tables may have, given the system: of methods, solvers, observables and descriptions.
Json names_json(const SystemEntry& system) {
  std::vector<std::string> known_methods, solvers, observables, descriptions{system.name};
  for (const MethodEntry* method : methods_of(system)) {
    known_methods.emplace_back(method->name);
    for (const SolverEntry& solver : method->solvers)
      if (std::ranges::find(solvers, solver.name) == solvers.end()) solvers.emplace_back(solver.name);
  }
  for (const Quantity& observable : system.observables) observables.emplace_back(observable.name);
  for (const SystemEntry* other : descriptions_of(system)) descriptions.emplace_back(other->name);
  const auto one_of = [](const std::vector<std::string>& names) { return Json{{"enum", names}}; };
  const Json observable_list{{"items", one_of(observables)}};
  const auto with_keys = [](Json properties) { return Json{{"properties", std::move(properties)}}; };
  // Without a name the system is that of the header; a condition on a key that is missing would hold. A configuration
  // with observables of its own has further names.
  Json is_system = with_keys({{"name", {{"const", system.name}}}}), has_system;
  is_system["required"] = {system.own ? "header" : "name"};
  is_system["not"] = {{"required", {"observables"}}};
  has_system = with_keys({{"system", std::move(is_system)}});
  has_system["required"] = {"system"};
  return {{"if", std::move(has_system)},
          {"then", with_keys({{"ensemble", with_keys({{"as", one_of(descriptions)}})},
                              {"method", with_keys({{"name", one_of(known_methods)}, {"solver", one_of(solvers)}})},
                              {"section", with_keys({{"name", one_of(observables)}})},
                              {"density", with_keys({{"axes", observable_list}})},
                              {"statistics", with_keys({{"observables", observable_list}})}})}};
}

}  // namespace

const char* type_text(Type type) {
  switch (type) {
    case Type::boolean: return "true or false";
    case Type::integer: return "integer";
    case Type::real: return "number";
    case Type::text: return "text";
    case Type::choice: return "choice";
    case Type::choice_or_reals: return "choice or numbers";
    case Type::choice_or_rows: return "choice or rows";
    case Type::integers: return "integers";
    case Type::reals: return "numbers";
    case Type::real_or_reals: return "number or numbers";
    case Type::texts: return "names";
    case Type::intervals: return "intervals";
    case Type::states: return "states";
    case Type::named_numbers: return "table of numbers";
    case Type::named_texts: return "table of formulas";
  }
  return "";
}

nlohmann::ordered_json schema_json() {
  const std::vector<DocumentedTable> tables = documented_schema();
  Json properties = Json::object(), by_system = Json::array(), by_name = Json::array();
  for (const SystemEntry& system : systems()) {
    by_system.push_back(system_json(system));
    by_name.push_back(names_json(system));
  }
  for (const DocumentedTable& table : tables)
    if (!properties.contains(table.name)) properties[table.name] = table_json(table);
  by_system.push_back(formulas_json(tables.front()));
  properties["system"] = {{"oneOf", by_system}};
  properties["ensemble"] = ensemble_json(tables);
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "configuration of polhode"}};
  json.update(object(std::move(properties), {"system", "method", "ensemble", "run"}));
  json["allOf"] = by_name;
  return json;
}

std::string describe(const DocumentedKey& key) {
  std::vector<std::string> notes;
  if (!key.choices.empty()) notes.push_back(fmt::format("{}", fmt::join(key.choices, ", ")));
  if (const std::string limits = describe(key.limits); !limits.empty()) notes.push_back(limits);
  if (has_default(key)) notes.push_back(fmt::format("default {}", to_text(key.default_value)));
  const std::string meaning = key.meaning_in_full();
  return notes.empty() ? meaning : fmt::format("{} ({})", meaning, fmt::join(notes, "; "));
}

std::vector<DocumentedKey> parameter_keys(const SystemEntry& system) {
  std::vector<DocumentedKey> keys;
  for (const Parameter& parameter : system.parameters) {
    const auto is_other = [&](const Alternative& a) { return std::string_view(a.parameter) == parameter.name; };
    keys.push_back(key_of(parameter, std::ranges::any_of(system.alternatives, is_other)));
  }
  for (const Alternative& alternative : system.alternatives)
    for (const Parameter& parameter : system.parameters)
      if (std::string_view(parameter.name) == alternative.parameter)
        keys.push_back({{.name = alternative.name,
                         .type = parameter.size == 1 ? Type::real : Type::reals,
                         .unit = "1",
                         .meaning = alternative.meaning,
                         .size = parameter.size},
                        {}});
  return keys;
}

const DocumentedKey& find_key(std::string_view table, std::string_view key) {
  static const std::vector<DocumentedTable> tables = documented_schema();
  for (const DocumentedTable& candidate : tables)
    for (const DocumentedKey& row : candidate.keys)
      if (candidate.name == table && row.name == key) return row;
  throw std::logic_error(fmt::format("the schema has no {}.{}", table, key));
}

}  // namespace polhode
