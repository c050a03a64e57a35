#include "spec/method_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "contract.hpp"
#include "spec/method_options.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

bool is_choice(const MethodSetting& setting) { return setting.option.kind == MethodOption::Kind::choice; }

Value value_of(const MethodSetting& setting, const MapOptions& options) {
  const double value = setting.get(options);
  if (is_choice(setting)) return std::string(setting.option.choices[static_cast<std::size_t>(value)]);
  if (setting.option.kind == MethodOption::Kind::real) return value;
  return static_cast<std::int64_t>(value);
}

void set(MapOptions& options, const MethodSetting& setting, const Value& value) {
  if (is_choice(setting)) {
    const auto& choices = setting.option.choices;
    const auto at = std::ranges::find(choices, std::string_view(std::get<std::string>(value)));
    setting.set(options, static_cast<double>(at - choices.begin()));
  } else if (setting.option.kind == MethodOption::Kind::real) {
    setting.set(options, std::get<double>(value));
  } else {
    setting.set(options, static_cast<double>(std::get<std::int64_t>(value)));
  }
}

/// Copies of `options`, with each value of a setting in turn.
std::vector<MapOptions> with_each_value(const MethodSetting& setting, MapOptions options) {
  const MethodOption& option = setting.option;
  // Its values are few.
  POLHODE_EXPECT(is_choice(setting) || (std::isfinite(option.least) && std::isfinite(option.most)));
  const int least = is_choice(setting) ? 0 : static_cast<int>(option.least),
            most = is_choice(setting) ? static_cast<int>(option.choices.size()) - 1 : static_cast<int>(option.most);
  std::vector<MapOptions> all;
  for (int value = least; value <= most; ++value) {
    setting.set(options, value);
    all.push_back(options);
  }
  return all;
}

std::string in_words(const MethodSetting& setting, const MapOptions& options) {
  return to_text(value_of(setting, options));
}

/// Throws InputError about the value of the last setting that selects a map: the method has no map with this value on
/// its system, or with the choices of the settings before.
[[noreturn]] void refuse_map(const MethodEntry& method, const MapOptions& options) {
  const MethodSetting* last_selection = nullptr;
  for (const MethodSetting& setting : method.settings)
    if (setting.selects) last_selection = &setting;
  const MethodSetting& last = *last_selection;
  std::vector<std::string> values;
  for (const MapOptions& map : with_each_value(last, options))
    if (method.has(map)) values.push_back(in_words(last, map));
  const std::string name =
      is_choice(last) ? fmt::format("{} on {}", method.name, method.system) : name_of_map(method, options);
  refuse("method", last.option.name,
         fmt::format("{} has no map of {} {}", name, last.option.name, in_words(last, options)),
         fmt::format("Give {}{}", values.size() > 1 ? "one of " : "", fmt::join(values, ", ")));
}

}  // namespace

std::string name_of_map(const MethodEntry& method, const MapOptions& options) {
  std::string name = method.name;
  for (const MethodSetting& setting : method.settings)
    if (is_choice(setting)) name += fmt::format(" with {} = {}", setting.option.name, in_words(setting, options));
  return name;
}

MapOptions map_options_of(const MethodEntry& method, const std::map<std::string, Value>& options) {
  MapOptions map_options = method.map_options;
  for (const MethodSetting& setting : method.settings)
    set(map_options, setting, option_of(method, options, setting.option.name));
  if (method.has && !method.has(map_options)) refuse_map(method, map_options);
  return map_options;
}

std::vector<std::map<std::string, Value>> selections_of(const MethodEntry& method) {
  std::vector<MapOptions> maps{method.map_options};
  for (const MethodSetting& setting : method.settings) {
    if (!setting.selects) continue;
    std::vector<MapOptions> next;
    for (const MapOptions& map : maps)
      for (const MapOptions& varied : with_each_value(setting, map)) next.push_back(varied);
    maps = std::move(next);
  }
  if (method.has) std::erase_if(maps, [&](const MapOptions& map) { return !method.has(map); });
  std::vector<std::map<std::string, Value>> all;
  for (const MapOptions& map : maps) {
    auto& options = all.emplace_back();
    for (const MethodSetting& setting : method.settings)
      if (setting.selects) options[setting.option.name] = value_of(setting, map);
  }
  return all;
}

}  // namespace polhode
