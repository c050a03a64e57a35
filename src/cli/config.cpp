#include "cli/config.hpp"
#include "catalog/own_systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "cli/schema.hpp"
#include "cli/table_reader.hpp"
#include "cli/toml_file.hpp"
#include "error.hpp"
#include "output/h5.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

void check_tables(const toml::table& config) {
  std::vector<std::string> known;
  for (const DocumentedTable& table : documented_schema())
    if (known.empty() || known.back() != table.name) known.emplace_back(table.name);
  for (const auto& [key, node] : config) {
    const std::string name(key.str());
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("unknown table [{}] (a configuration has no such table{}). Correct or remove it.",
                                   name, nearest_known(name, known)));
  }
}

template <class Spec>
void read_table(const toml::table& config, Spec& spec) {
  TableReader table(config, table_of<Spec>.name);
  table.read_all(spec);
  table.finish();
}

template <class Spec>
void read_optional(const toml::table& config, std::optional<Spec>& spec) {
  if (config.contains(table_of<Spec>.name)) read_table(config, spec.emplace());
}

/// Throws InputError where [system] has keys of formulas and no Hamiltonian.
void require_no_formulas(const toml::table& config) {
  const toml::table* const system = config[table_of<SystemSpec>.name].as_table();
  for (const Key<SystemSpec>& key : table_of<SystemSpec>.keys.subspan(3))  // beyond name, header and observables
    if (system && system->contains(key.name))
      refuse(table_of<SystemSpec>.name, key.name, "it is of a system of formulas, and there is no hamiltonian",
             "Give one, or leave it out");
}

SystemSpec read_system(const toml::table& config, const std::filesystem::path& folder) {
  TableReader table(config, table_of<SystemSpec>.name);
  SystemSpec system;
  table.read_all(system);
  if (system.header) system.header = (folder / *system.header).string();  // an absolute one stays
  if (!system.hamiltonian.empty()) {
    if (system.header) refuse("system", "hamiltonian", "there is a header, too", "Give one of them");
    table.finish("a system of formulas has no such key");
    return system;
  }
  require_no_formulas(config);
  if (system.name.empty() && !system.header) refuse_missing(table_of<SystemSpec>.name, table_of<SystemSpec>.keys[0]);
  system.parameters = table.numbers_left();  // resolve() looks them up in the catalog
  return system;
}

MethodSpec read_method(const toml::table& config) {
  TableReader table(config, table_of<MethodSpec>.name);
  MethodSpec method;
  table.read_all(method);
  method.options = table.values_left();  // resolve() looks them up in the catalog
  return method;
}

/// Sets a key of a configuration to the value of an option of the command line: a text or a choice as it is, any other
/// value as --set would (set_value() in toml_file.hpp).
void set_option(toml::table& config, const char* table, const KeyInfo& key, const std::string& value) {
  if (key.type == Type::text || key.type == Type::choice)
    subtable(config, table).insert_or_assign(key.name, value);
  else
    set_value(config, fmt::format("{}.{}={}", table, key.name, value));
}

/// A variant that holds alternative number `index`, with its defaults.
template <class Variant, std::size_t i = 0>
Variant alternative(std::size_t index) {
  if constexpr (i + 1 < std::variant_size_v<Variant>)
    if (index > i) return alternative<Variant, i + 1>(index);
  return Variant(std::in_place_index<i>);
}

std::size_t read_choice(TableReader& table, const KeyInfo& key) {
  const auto name = std::get<std::string>(table.read(key));
  return std::ranges::find(key.choices, name) - key.choices.begin();
}

/// Reads the keys of a part of the specification into `part`; returns the variant of the table of that part (Table in
/// spec/key.hpp).
const auto read_part = [](TableReader& table, auto& part) -> const char* {
  table.read_all(part);
  return table_of<std::remove_reference_t<decltype(part)>>.variant;
};

EnsembleSpec read_ensemble(const toml::table& config, const std::filesystem::path& folder) {
  TableReader table(config, "ensemble");
  auto ensemble = alternative<EnsembleSpec>(read_choice(table, from_key));
  const char* variant = "";
  if (auto* random = std::get_if<RandomStarts>(&ensemble)) {
    random->distribution = alternative<decltype(random->distribution)>(read_choice(table, distribution_key));
    table.read_all(*random);
    variant = std::visit([&](auto& part) { return read_part(table, part); }, random->distribution);
  } else {
    variant = std::visit([&](auto& part) { return read_part(table, part); }, ensemble);
  }
  table.finish(variant);
  if (auto* file = std::get_if<FileStarts>(&ensemble))
    file->path = folder / file->path;  // an absolute path replaces the folder
  return ensemble;
}

/// Sets system.header to one of the user's `headers`: to a single one, whatever the configuration says; of several, to
/// the one with the system that the configuration names; if none has it, the configuration stays as it is. Several
/// headers are all added to the catalog (require_system).
void set_header(toml::table& config, const std::vector<std::string>& headers) {
  if (headers.empty()) return;
  toml::table& system = subtable(config, table_of<SystemSpec>.name);
  const std::string* chosen = headers.size() == 1 ? &headers.front() : nullptr;
  if (!chosen)
    for (const std::string& header : headers)
      if (system["name"].value<std::string>() == require_system(header).name) chosen = &header;
  if (chosen) system.insert_or_assign("header", std::filesystem::absolute(*chosen).lexically_normal().string());
}

/// Tables in a file; starts of a result that are its own initial states have its name as their path.
toml::table parse_config(const std::filesystem::path& file) {
  if (!h5::is_hdf5(file)) return parse_toml(file);
  toml::table config = parse_toml_of_result(file);
  if (auto* const path = config[table_of<FileStarts>.name]["path"].as_string(); path && path->get().empty())
    *path = std::filesystem::absolute(file).lexically_normal().string();
  return config;
}

void override_keys(toml::table& config, const Overrides& overrides) {
  for (const std::string& key : overrides.unset) remove_value(config, key);
  set_header(config, overrides.systems);
  // Options are other spellings of keys, so that the file keeps what was run.
  for (const auto& [table, key, value] : overrides.options) set_option(config, table, find_key(table, key), value);
  for (const std::string& assignment : overrides.set) set_value(config, assignment);
}

Configuration configuration_of(toml::table config, const std::filesystem::path& file, const Overrides& overrides) {
  override_keys(config, overrides);
  check_tables(config);
  Configuration configuration;
  RunSpec& run = configuration.run;
  run.system = read_system(config, file.parent_path());
  run.method = read_method(config);
  run.ensemble = read_ensemble(config, file.parent_path());
  read_table(config, run.execution);
  read_optional(config, run.section);
  read_optional(config, run.density);
  read_optional(config, run.statistics);
  read_table(config, run.record);
  configuration.output.file = file.stem().string() + ".h5";
  read_table(config, configuration.output);

  std::ostringstream text;
  text << config << '\n';
  configuration.text = text.str();
  configuration.source = file;
  return configuration;
}

NamedParts names_in(const toml::table& config, const std::filesystem::path& folder) {
  const auto name = [&](const char* table, const char* key) { return config[table][key].value_or(std::string()); };
  NamedParts names{name("system", "name"), name("method", "name"), name("ensemble", distribution_key.name)};
  if (names.starts.empty()) names.starts = name("ensemble", from_key.name);
  if (const std::string header = name("system", "header"); !header.empty())
    names.system = require_system((folder / header).string()).name;
  else if (config["system"]["hamiltonian"])
    names.system = require_system(*own_header_of(read_system(config, folder))).name;
  return names;
}

}  // namespace

NamedParts read_names(const std::filesystem::path& file, const Overrides& overrides) {
  toml::table config = parse_config(file);
  override_keys(config, overrides);
  return names_in(config, file.parent_path());
}

NamedParts read_own_names(std::string_view text) { return names_in(parse_own_toml(text), {}); }

Configuration read_config(const std::filesystem::path& file, const Overrides& overrides) {
  return configuration_of(parse_config(file), file, overrides);
}

Configuration read_own_config(std::string_view text, const Overrides& overrides) {
  return configuration_of(parse_own_toml(text), {}, overrides);
}

}  // namespace polhode
