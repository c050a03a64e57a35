#include "output/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <variant>

#include "output/assembly.hpp"
#include "output/failure.hpp"
#include "output/read_after_trial.hpp"
#include "polhode/files/files.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

constexpr std::size_t block_rows = 1 << 16;

InputError unusable(const std::filesystem::path& path, const std::string& why) {
  return cannot_read(path, why, "Give the .h5 file of a finished run.");
}

std::string as_text(const Attribute& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::vector<std::string>> || std::is_same_v<Held, std::vector<double>>) {
          return fmt::format("{}", fmt::join(held, ", "));
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

void check_is_result(const std::filesystem::path& path, const h5::File& file) {
  if (!file.has_attribute("program") || as_text(file.attribute("program")) != "polhode") {
    throw unusable(path, "not written by polhode");
  }
  const std::string schema = file.has_attribute("schema") ? as_text(file.attribute("schema")) : "none";
  if (schema != std::to_string(result_schema)) {
    throw cannot_read(path, fmt::format("its schema is {} instead of {}", schema, result_schema),
                      "Use the version of polhode that wrote it.");
  }
}

std::vector<ResultInfo::Text> read_attributes(const h5::File& file) {
  constexpr std::array order{"program", "version",   "git",    "schema", "created", "system",
                             "method",  "solver",    "step",   "steps",  "section", "sweeps",
                             "backend", "precision", "device", "isa",    "compiler"};
  constexpr std::string_view last = "config", identity = "identity";  // many lines; the latter is for --resume
  std::vector<std::string> names;
  for (const char* name : order) {
    if (file.has_attribute(name)) names.emplace_back(name);
  }
  for (const std::string& name : file.attribute_names()) {
    if (name != last && name != identity && std::ranges::find(order, name) == order.end()) names.push_back(name);
  }
  if (file.has_attribute(std::string(last))) names.emplace_back(last);
  std::vector<ResultInfo::Text> attributes;
  attributes.reserve(names.size());
  for (const std::string& name : names) attributes.push_back({name, as_text(file.attribute(name))});
  return attributes;
}

std::vector<ResultInfo::Text> read_parameters(const h5::File& file) {
  std::vector<ResultInfo::Text> parameters;
  const auto group = file.find_group("parameters");
  if (!group) return parameters;
  for (const std::string& name : group->names()) {
    const h5::Dataset dataset = group->dataset(name);
    const auto numbers = dataset.read_all();
    std::string value =
        dataset.shape().empty() ? fmt::format("{}", numbers.front()) : fmt::format("[{}]", fmt::join(numbers, ", "));
    const std::string unit = dataset.has_attribute("unit") ? as_text(dataset.attribute("unit")) : "1";
    if (unit != "1") value += " " + unit;
    parameters.push_back({name, value});
  }
  return parameters;
}

void append_arrays(const h5::Group& group, const std::string& prefix, std::vector<ResultInfo::Array>& arrays) {
  for (const std::string& name : group.names()) {
    if (const auto dataset = group.find_dataset(name)) {
      if (!dataset->is_name_only()) arrays.push_back({prefix + name, dataset->type(), dataset->shape()});
    } else if (const auto inner = group.find_group(name)) {
      append_arrays(*inner, prefix + name + "/", arrays);
    }
  }
}

std::array<std::int64_t, 256> count_codes(const h5::Dataset& dataset) {
  std::array<std::int64_t, 256> counts{};
  const h5::Shape shape = dataset.shape();
  const std::uint64_t n = shape.empty() ? 0 : shape[0];
  std::vector<std::uint8_t> codes;
  for (std::uint64_t first = 0; first < n; first += block_rows) {
    codes.resize(std::min<std::uint64_t>(block_rows, n - first));
    dataset.read(first, codes);
    for (const std::uint8_t code : codes) ++counts[code];
  }
  return counts;
}

std::vector<ResultInfo::StatusCount> read_statuses(const h5::File& file) {
  const h5::Dataset dataset = file.dataset("/status/code");
  const auto counts = count_codes(dataset);
  const Attribute meaning = dataset.attribute("meaning");
  const auto* const meanings = std::get_if<std::vector<std::string>>(&meaning);
  std::vector<ResultInfo::StatusCount> statuses;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    const bool known = meanings != nullptr && code < meanings->size();
    statuses.push_back({static_cast<int>(code), known ? (*meanings)[code] : "unknown", counts[code]});
  }
  return statuses;
}

std::vector<ResultInfo::Drift> read_invariants(const std::filesystem::path& path, const h5::File& file) {
  std::vector<ResultInfo::Drift> drifts;
  const auto names = file.find_dataset("/invariants/names");
  if (!names) return drifts;
  for (const std::string& name : names->read_text()) drifts.push_back({name});
  const h5::Dataset dataset = file.dataset("/invariants/max_drift"), code = file.dataset("/status/code");
  const h5::Shape shape = dataset.shape();
  if (shape.size() != 2 || shape[1] != drifts.size()) {
    throw unusable(path,
                   fmt::format("/invariants/max_drift is {} for {} invariants", h5::to_text(shape), drifts.size()));
  }
  std::vector<double> block;
  std::vector<std::uint8_t> codes;
  for (std::uint64_t first = 0; first < shape[0]; first += block_rows) {
    const std::uint64_t rows = std::min<std::uint64_t>(block_rows, shape[0] - first);
    block.resize(rows * drifts.size());
    codes.resize(rows);
    dataset.read(first, block);
    code.read(first, codes);
    for (std::size_t i = 0; i < block.size(); ++i) {
      ResultInfo::Drift& drift = drifts[i % drifts.size()];
      if (std::isnan(block[i])) {
        ++drift.unknown;
        continue;
      }
      const bool is_at_end = has_reached_end(static_cast<Status>(codes[i / drifts.size()]));
      ResultInfo::Drift::Largest& largest = is_at_end ? drift.reached : drift.early;
      if (largest.trajectory < 0 || block[i] > largest.change)
        largest = {block[i], static_cast<std::int64_t>(first + i / drifts.size())};
    }
  }
  return drifts;
}

void refuse_failed(const std::filesystem::path& path, const h5::File& file) {
  const auto code = file.find_dataset("/status/code");
  if (!code) return;
  const auto counts = count_codes(*code);
  std::int64_t failed = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) failed += i == static_cast<std::size_t>(Status::ok) ? 0 : counts[i];
  if (failed == 0) return;
  throw cannot_read(
      path,
      fmt::format("{} of its trajectories failed or ended early, so their final states are of different times", failed),
      "Start from a run in which none did.");
}

/// Throws InputError where a dataset says that its columns are not the expected ones: its states are of another system,
/// or of another description of the system.
void check_columns(const std::filesystem::path& path, const h5::File& file, const h5::Dataset& states,
                   const std::string& dataset, const StateColumns& expected) {
  if (expected.names.empty() || !states.has_attribute("columns")) return;
  const Attribute value = states.attribute("columns");
  const auto* const names = std::get_if<std::vector<std::string>>(&value);
  if (names == nullptr || *names == expected.names) return;
  const std::string writer = file.has_attribute("system") ? as_text(file.attribute("system")) : "";
  throw cannot_read(path,
                    fmt::format("'{}' has the columns {}{}, not {} of {}", dataset, fmt::join(*names, " "),
                                writer.empty() ? "" : " of " + writer, fmt::join(expected.names, " "), expected.system),
                    writer.empty() ? fmt::format("Give states of {}.", expected.system)
                                   : fmt::format("Give states of {}, or ensemble.as = \"{}\" if it is another "
                                                 "description of the system.",
                                                 expected.system, writer));
}

ResultInfo read_info_untried(const std::filesystem::path& path) {
  const h5::File file = h5::File::open(path);
  check_is_result(path, file);
  ResultInfo info;
  info.attributes = read_attributes(file);
  info.parameters = read_parameters(file);
  append_arrays(file, "/", info.arrays);
  info.statuses = read_statuses(file);
  info.invariants = read_invariants(path, file);
  return info;
}

}  // namespace

std::vector<double> read_part(const std::filesystem::path& path, const std::string& dataset,
                              const StateColumns& columns, const ProcessShare& share) {
  const int dim = columns.dim;
  const h5::File file = h5::File::open(path);
  for (const char* const group : {"initial", "final"}) {
    if (dataset != fmt::format("/{}/state", group) && dataset != fmt::format("{}/state", group)) continue;
    if (file.has_attribute("program") && !file.find_dataset(dataset))
      throw cannot_read(path, fmt::format("it has no {0} states, since it was run with record.{0} = false", group),
                        fmt::format("Run it again with record.{} = true.", group));
    if (group == std::string("final")) refuse_failed(path, file);
  }
  const h5::Dataset states = file.dataset(dataset);
  const h5::Shape shape = states.shape();
  check_columns(path, file, states, dataset, columns);
  const std::string suggestion =
      fmt::format("Give a dataset of states of {}.", columns.system.empty() ? "the configured system" : columns.system);
  if (shape.size() != 2 || shape[1] != static_cast<std::uint64_t>(dim) || shape[0] == 0) {
    throw cannot_read(path, fmt::format("'{}' is {} instead of [n, {}] with n > 0", dataset, h5::to_text(shape), dim),
                      suggestion);
  }
  if (const std::string type = states.type(); type != "float64" && type != "float32") {
    throw cannot_read(path, fmt::format("'{}' {} holds {} instead of float64", dataset, h5::to_text(shape), type),
                      suggestion);
  }
  const auto n = static_cast<std::int64_t>(shape[0]), first = share.first(n);
  std::vector<double> values(static_cast<std::size_t>(share.count(n) * dim));
  if (!values.empty()) states.read(static_cast<std::uint64_t>(first), values);
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    const auto place = bad - values.begin();
    throw cannot_read(path,
                      fmt::format("'{}' is not finite in row {}, column {}, counted from 0", dataset,
                                  first + place / dim, place % dim),
                      "Remove that state.");
  }
  return values;
}

std::vector<double> read_part_after_trial(const std::filesystem::path& path, const std::string& dataset,
                                          const StateColumns& columns, const ProcessShare& share) {
  return read_after_trial(path, [&] { return read_part(path, dataset, columns, share); });
}

std::vector<double> read_states(const std::filesystem::path& path, const std::string& dataset, int dim) {
  return read_part(path, dataset, dim, {});
}

std::vector<double> read_states_after_trial(const std::filesystem::path& path, const std::string& dataset, int dim) {
  return read_part_after_trial(path, dataset, dim, {});
}

std::string read_configuration(const std::filesystem::path& path) {
  return read_after_trial(path, [&] {
    const h5::File file = h5::File::open(path);
    check_is_result(path, file);
    const std::string text = file.has_attribute("config") ? as_text(file.attribute("config")) : "";
    if (text.empty()) throw cannot_read(path, "the result has no configuration", "Give a configuration, TOML.");
    return text;
  });
}

ResultInfo read_info(const std::filesystem::path& path) {
  return read_after_trial(path, [&] { return read_info_untried(path); });
}

}  // namespace polhode
