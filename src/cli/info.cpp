// polhode info: what a result file holds, for people or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "cli/result_contents.hpp"
#include "cli/short_configuration.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

constexpr const char* configuration_attribute = "config";  // an attribute of many lines

/// Configuration that a result holds, with numbers as people write them; empty where it holds none.
std::string configuration_of(const ResultContents& contents) {
  const auto found = contents.attributes.find(configuration_attribute);
  const auto* text = found == contents.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text ? with_short_numbers(*text) : "";
}

std::string as_text(const Attribute& value) {
  return std::visit(
      []<class T>(const T& held) -> std::string {
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::vector<double>>)
          return as_written(held);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return fmt::format("{}", fmt::join(held, ", "));
        else
          return fmt::format("{}", held);
      },
      value);
}

std::string as_text(const ParameterContents& parameter) {
  return fmt::format("{}{}", parameter.is_list ? as_written(parameter.value) : as_written(parameter.value.front()),
                     parameter.unit.empty() || parameter.unit == "1" ? "" : " " + parameter.unit);
}

void print_path_and_shape(const DatasetContents& dataset) {
  fmt::print("  {:<24} {} [{}]\n", dataset.path, dataset.type, fmt::join(dataset.shape, ", "));
}

void print_summary(const ResultInfo& info, const ResultContents& contents) {
  for (const auto& [name, text] : info.attributes)
    if (name != configuration_attribute) fmt::print("  {:<12} {}\n", name, as_text(contents.attributes.at(name)));
  fmt::print("parameters\n");
  for (const ParameterContents& parameter : contents.parameters)
    fmt::print("  {:<12} {}\n", parameter.name, as_text(parameter));
  fmt::print("data\n");
  for (const DatasetContents& dataset : contents.datasets) print_path_and_shape(dataset);
  fmt::print("statuses\n");
  for (const auto& status : info.statuses) fmt::print("  {} {} ({})\n", status.count, status.meaning, status.code);
  if (!info.invariants.empty()) fmt::print("largest changes of invariants\n");
  for (const auto& drift : info.invariants) {
    std::vector<std::string> parts;
    const auto add = [&](const char* prefix, const ResultInfo::Drift::Largest& largest) {
      if (largest.trajectory >= 0)
        parts.push_back(fmt::format("{}{:.2e} (trajectory {})", prefix, largest.change, largest.trajectory));
    };
    add("", drift.reached);
    add("of those that failed or left ", drift.early);
    if (parts.empty())
      parts.push_back("unknown");
    else if (drift.unknown > 0)
      parts.push_back("unknown in " + counted(drift.unknown, "trajectory", "trajectories"));
    fmt::print("  {:<16} {}\n", drift.invariant, fmt::join(parts, ", "));
  }
  if (const std::string text = with_short_lists(configuration_of(contents)); !text.empty())
    fmt::print("configuration\n{}\n", with_short_numbers(text));
}

std::string in_brackets(const std::string& unit) { return unit.empty() ? "" : fmt::format("[{}] ", unit); }

void print_columns(const ResultContents& contents) {
  for (const DatasetContents& dataset : contents.datasets) {
    print_path_and_shape(dataset);
    if (!dataset.unit.empty() || !dataset.meaning.empty())
      fmt::print("    {}{}\n", in_brackets(dataset.unit), dataset.meaning);
    for (const auto& [name, unit, meaning] : dataset.columns)
      fmt::print("    {:<19} {}{}\n", name, in_brackets(unit), meaning);
  }
}

/// Text in JSON; null for an empty text, which stands for an unknown one.
Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json as_json(const ParameterContents& parameter) {
  return {{"name", parameter.name},
          {"value", parameter.is_list ? Json(parameter.value) : Json(parameter.value.front())},
          {"unit", or_null(parameter.unit)},
          {"meaning", or_null(parameter.meaning)}};
}

Json as_json(const DatasetContents& dataset) {
  Json columns = Json::array();
  for (const auto& [name, unit, meaning] : dataset.columns)
    columns.push_back({{"name", name}, {"unit", or_null(unit)}, {"meaning", or_null(meaning)}});
  return {{"path", dataset.path},
          {"type", dataset.type},
          {"shape", dataset.shape},
          {"unit", or_null(dataset.unit)},
          {"meaning", or_null(dataset.meaning)},
          {"columns", columns}};
}

Json as_json(const ResultInfo::StatusCount& status) {
  return {{"code", status.code}, {"meaning", status.meaning}, {"count", status.count}};
}

/// Largest change as a number; null if it is known in no trajectory.
Json number(const ResultInfo::Drift::Largest& largest) {
  return largest.trajectory < 0 ? Json() : Json(largest.change);
}
Json trajectory(const ResultInfo::Drift::Largest& largest) {
  return largest.trajectory < 0 ? Json() : Json(largest.trajectory);
}

Json as_json(const ResultInfo::Drift& drift) {
  return {{"name", drift.invariant},
          {"largest_change", number(drift.reached)},
          {"trajectory", trajectory(drift.reached)},
          {"largest_change_early", number(drift.early)},
          {"trajectory_early", trajectory(drift.early)},
          {"unknown", drift.unknown}};
}

template <class List>
Json list_of(const List& list) {
  Json json = Json::array();
  for (const auto& entry : list) json.push_back(as_json(entry));
  return json;
}

Json as_json(const std::filesystem::path& file, const ResultInfo& info, const ResultContents& contents) {
  Json attributes = Json::object();
  for (const auto& [name, ignored] : info.attributes)
    if (name != configuration_attribute)
      attributes[name] = std::visit([](const auto& held) { return Json(held); }, contents.attributes.at(name));
  return {{"file", file.string()},
          {"attributes", attributes},
          {"parameters", list_of(contents.parameters)},
          {"datasets", list_of(contents.datasets)},
          {"statuses", list_of(info.statuses)},
          {"invariants", list_of(info.invariants)},
          {"configuration", or_null(configuration_of(contents))}};
}

}  // namespace

ExitCode info_command(const std::filesystem::path& file, const InfoOptions& options) {
  const ResultInfo info = read_info(file);
  const ResultContents contents = read_contents(file);
  if (options.json) {
    // Text of a damaged file need not be UTF-8.
    fmt::print("{}\n", as_json(file, info, contents).dump(2, ' ', false, Json::error_handler_t::replace));
    return ExitCode::done;
  }
  fmt::print("{}\n", file.string());
  if (options.columns)
    print_columns(contents);
  else
    print_summary(info, contents);
  return ExitCode::done;
}

}  // namespace polhode
