// polhode list: what this build offers, for people or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/json.hpp"
#include "cli/key_lists.hpp"
#include "cli/list_json.hpp"
#include "cli/numbers.hpp"
#include "cli/schema.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

std::string text(const Json& entry, const char* key) { return entry.at(key).get<std::string>(); }

std::string joined(const Json& list) {
  std::vector<std::string> words;
  for (const Json& word : list) words.push_back(word.is_string() ? word.get<std::string>() : word.dump());
  return fmt::format("{}", fmt::join(words, ", "));
}

// Short lists, a line for each entry.

struct Line {
  std::string name, meaning;
};

void print_lines(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  for (const auto& [name, meaning] : lines) fmt::print("{:<{}}  {}\n", name, width, meaning);
}

std::string origin(const Json& system) {
  return system.contains("header") ? fmt::format(" (from {})", text(system, "header")) : "";
}

void print_systems_in_short(const Json& json) {
  std::vector<Line> lines;
  for (const Json& system : json) lines.push_back({text(system, "name"), text(system, "meaning") + origin(system)});
  print_lines(lines);
}

/// Prints each method once; `json` has an entry for it on each of its systems.
void print_methods_in_short(const Json& json) {
  std::vector<Line> lines;
  for (const Json& method : json)
    if (std::ranges::find(lines, text(method, "name"), &Line::name) == lines.end())
      lines.push_back({text(method, "name"), text(method, "meaning")});
  print_lines(lines);
}

void print_sections_in_short(const Json& json) {
  std::vector<Line> lines;
  for (const Json& entry : json) {
    const std::string chart = entry.contains("chart")
                                  ? fmt::format("chart {} in the plane of {}", text(entry["chart"], "section"),
                                                joined(entry["chart"]["coordinates"]))
                                  : "no chart";
    lines.push_back({text(entry, "system"), fmt::format("{} observables; {}", entry["names"].size(), chart)});
  }
  print_lines(lines);
}

// Full lists.

void print_quantities(const char* title, const Json& list) {
  fmt::print("  {}\n", title);
  for (const Json& q : list)
    fmt::print("    {:<19} [{}] {}{}\n", text(q, "name"), text(q, "unit"), text(q, "meaning"),
               q.value("angle", "") == "unbounded" ? "; counts turns, in sections modulo 2 pi" : "");
}

void print_equations(const Json& equations) {
  if (equations.empty()) return;
  fmt::print("  equations\n");
  for (const Json& line : equations) fmt::print("    {}\n", line.get<std::string>());
}

std::string default_of(const Json& parameter) {
  const auto numbers = parameter["default"].get<std::vector<double>>();
  return parameter["size"] == 1 ? as_written(numbers.front()) : as_written(numbers);
}

void print_parameters(const Json& parameters) {
  if (parameters.empty()) return;
  fmt::print("  parameters\n");
  for (const Json& p : parameters) {
    std::vector<std::string> notes;
    if (const std::string bound = text(p, "bound"); !bound.empty()) notes.push_back(bound);
    if (p.contains("default")) notes.push_back("default " + default_of(p));
    if (p.contains("instead_of")) notes.push_back("instead of " + text(p, "instead_of"));
    fmt::print("    {:<19} {}{}\n", text(p, "name"), text(p, "meaning"),
               notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, ", ")));
  }
}

void print_systems(const Json& json) {
  for (const Json& system : json) {
    fmt::print("{}: {}{}\n", text(system, "name"), text(system, "meaning"), origin(system));
    print_equations(system["equations"]);
    print_parameters(system["parameters"]);
    print_quantities("state columns", system["columns"]);
    print_quantities("further observables", system["observables"]);
    print_quantities("invariants", system["invariants"]);
    if (system.contains("leaving"))
      fmt::print("  leaving its domain, a {}\n    {}\n",
                 system["leaving"]["is_result"].get<bool>() ? "result" : "failure", text(system["leaving"], "how"));
    if (const Json& others = system["other_descriptions"]; !others.empty())
      fmt::print("  other descriptions\n    {}\n", joined(others));
  }
}

void print_methods(const Json& json) {
  for (const Json& method : json) {
    const std::string properties = joined(method["properties"]);
    const int order = method["order"].get<int>();
    fmt::print("{} on {}: {}\n  {}{}{}\n  solvers\n", text(method, "name"), text(method, "system"),
               text(method, "meaning"),
               method.contains("table") ? fmt::format("order of its {}, {} by default", text(method, "table"), order)
                                        : fmt::format("order {}", order),
               properties.empty() ? "" : "; ", properties);
    for (const Json& s : method["solvers"]) fmt::print("    {:<17} {}\n", text(s, "name"), text(s, "meaning"));
    fmt::print("  options\n");
    for (const Json& option : method["options"])
      fmt::print("    {:<17} {}\n", text(option, "name"), text(option, "meaning"));
  }
}

void print_sections(const Json& json) {
  for (const Json& entry : json) {
    fmt::print("{}\n", text(entry, "system"));
    print_quantities("a section is where one of these crosses a value", entry["names"]);
    if (!entry.contains("chart")) continue;
    const Json& chart = entry["chart"];
    fmt::print("  chart for from = \"section\": {}; coordinates {}; branches {}\n", text(chart, "section"),
               joined(chart["coordinates"]), joined(chart["branches"]));
  }
}

void print_backends(const Json& json) {
  for (const Json& backend : json)
    fmt::print("{:<10} {:<12} {}{}\n", text(backend, "name"),
               backend["available"].get<bool>() ? "available" : "unavailable", text(backend, "meaning"),
               backend.contains("isa") ? fmt::format("; instruction sets {}", joined(backend["isa"])) : "");
}

/// Prints the keys of the configuration; as JSON this topic is the schema.
void print_keys(const Json&) { fmt::print("{}", all_keys()); }

/// Prints JSON unchanged; the schema has no other form.
void print_json(const Json& json) { fmt::print("{}\n", json.dump(2)); }

struct Topic {
  Json (*make)();
  void (*print_in_short)(const Json&);
  void (*print)(const Json&);  ///< prints entries in full; null where the topic is not listed by name
  const char* system_key;      ///< key under which an entry has the name of its system; null where `print` is null
};

constexpr Topic topics[] = {{systems_json, print_systems_in_short, print_systems, "name"},
                            {methods_json, print_methods_in_short, print_methods, "system"},
                            {sections_json, print_sections_in_short, print_sections, "system"},
                            {schema_json, print_keys, nullptr, nullptr},
                            {backends_json, print_backends, nullptr, nullptr},
                            {schema_json, print_json, nullptr, nullptr}};

std::vector<std::string> known_names(ListTopic topic) {
  std::vector<std::string> names;
  const auto add = [&](const char* name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const SystemEntry& system : systems()) add(system.name);
  for (const SystemEntry& system : systems()) add(system.family);
  if (topic == ListTopic::methods)
    for (const MethodEntry& method : methods()) add(method.name);
  return names;
}

/// Entries of the system, the family of systems or the method called `name`; where none is called so, of all those that
/// `name` may stand for (names_meant() in suggestion.hpp). Throws InputError where there are no such entries, or
/// the topic is not listed by name.
Json entries_of(ListTopic topic, const std::string& name) {
  const char* const topic_name = list_topics[static_cast<int>(topic)];
  const Topic& chosen = topics[static_cast<int>(topic)];
  if (!chosen.print)
    throw InputError(
        fmt::format("cannot list {} of {} (only systems, methods and sections are listed by name). "
                    "Leave out the name.",
                    topic_name, name));
  const std::vector<std::string> known = known_names(topic);
  const bool is_known = std::ranges::find(known, name) != known.end();
  Json entries = Json::array();
  for (const std::string& wanted : is_known ? std::vector{name} : names_meant(name, known)) {
    const std::vector<const SystemEntry*> family = find_systems(wanted);
    for (const Json& entry : chosen.make()) {
      const bool is_of_family =
          std::ranges::find(family, text(entry, chosen.system_key), &SystemEntry::name) != family.end();
      const bool is_wanted = is_of_family || (topic == ListTopic::methods && text(entry, "name") == wanted);
      if (is_wanted && std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
  }
  if (entries.empty())
    throw InputError(fmt::format("unknown name {} (no system{} is called that{}). See polhode list {}.", name,
                                 topic == ListTopic::methods ? " or method" : "", nearest_known(name, known),
                                 topic_name));
  return entries;
}

/// Name of the system of a configuration in a file. Throws as read_names(), and InputError where it names none.
std::string system_of(const std::filesystem::path& configuration) {
  const std::string name = read_names(configuration, {}).system;
  if (name.empty())
    throw InputError(fmt::format("cannot list of '{}' (it names no system). Correct it.", configuration.string()));
  return name;
}

}  // namespace

ExitCode list_command(ListTopic topic, const std::string& name, bool json) {
  const Topic& chosen = topics[static_cast<int>(topic)];
  std::error_code ignored;
  const bool is_file = std::filesystem::path(name).has_extension() || std::filesystem::is_regular_file(name, ignored);
  const Json content = name.empty() ? chosen.make() : entries_of(topic, is_file ? system_of(name) : name);
  if (json)
    print_json(content);
  else
    (name.empty() ? chosen.print_in_short : chosen.print)(content);
  return ExitCode::done;
}

}  // namespace polhode
