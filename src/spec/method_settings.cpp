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

bool is_choice(const MethodSetting& setting) { return setting.option.kind == Option::Kind::choice; }

OptionValue value_of(const MethodSetting& setting, const Coefficients& coefficients) {
  if (setting.real) return coefficients.*setting.real;
  const int value = coefficients.*setting.integer;
  if (is_choice(setting)) return std::string(setting.option.choices[value]);
  return std::int64_t{value};
}

void set(Coefficients& coefficients, const MethodSetting& setting, const OptionValue& value) {
  if (setting.real) {
    coefficients.*setting.real = std::get<double>(value);
  } else if (is_choice(setting)) {
    const auto& choices = setting.option.choices;
    const auto at = std::ranges::find(choices, std::string_view(std::get<std::string>(value)));
    coefficients.*setting.integer = static_cast<std::int16_t>(at - choices.begin());
  } else {
    coefficients.*setting.integer = static_cast<std::int16_t>(std::get<std::int64_t>(value));
  }
}

/// Coefficients with each value of a setting in turn.
std::vector<Coefficients> along(const MethodSetting& setting, Coefficients coefficients) {
  const Option& option = setting.option;
  // Its values are few.
  POLHODE_EXPECT(is_choice(setting) || (std::isfinite(option.least) && std::isfinite(option.most)));
  const int least = is_choice(setting) ? 0 : static_cast<int>(option.least),
            most = is_choice(setting) ? static_cast<int>(option.choices.size()) - 1 : static_cast<int>(option.most);
  std::vector<Coefficients> all;
  for (int value = least; value <= most; ++value) {
    coefficients.*setting.integer = static_cast<std::int16_t>(value);
    all.push_back(coefficients);
  }
  return all;
}

std::string in_words(const MethodSetting& setting, const Coefficients& coefficients) {
  return to_text(to_value(value_of(setting, coefficients)));
}

/// Refuses the last selection: there is no such map with the choices before it, or on the system.
[[noreturn]] void refuse_map(const MethodEntry& method, const Coefficients& coefficients) {
  const MethodSetting* last_selection = nullptr;
  for (const MethodSetting& setting : method.settings)
    if (setting.selects()) last_selection = &setting;
  const MethodSetting& last = *last_selection;
  std::vector<std::string> values;
  for (const Coefficients& map : along(last, coefficients))
    if (method.has(map)) values.push_back(in_words(last, map));
  const std::string name =
      is_choice(last) ? fmt::format("{} on {}", method.name, method.system) : name_of_map(method, coefficients);
  refuse("method", last.option.name,
         fmt::format("{} has no map of {} {}", name, last.option.name, in_words(last, coefficients)),
         fmt::format("Give {}{}", values.size() > 1 ? "one of " : "", fmt::join(values, ", ")));
}

}  // namespace

std::string name_of_map(const MethodEntry& method, const Coefficients& coefficients) {
  std::string name = method.name;
  for (const MethodSetting& setting : method.settings)
    if (is_choice(setting)) name += fmt::format(" with {} = {}", setting.option.name, in_words(setting, coefficients));
  return name;
}

Coefficients coefficients_of(const MethodEntry& method, const std::map<std::string, OptionValue>& options) {
  Coefficients coefficients = method.coefficients;
  for (const MethodSetting& setting : method.settings)
    set(coefficients, setting, option_of(method, options, setting.option.name));
  if (method.has && !method.has(coefficients)) refuse_map(method, coefficients);
  return coefficients;
}

std::vector<std::map<std::string, OptionValue>> selections_of(const MethodEntry& method) {
  std::vector<Coefficients> maps{method.coefficients};
  for (const MethodSetting& setting : method.settings) {
    if (!setting.selects()) continue;
    std::vector<Coefficients> next;
    for (const Coefficients& map : maps)
      for (const Coefficients& varied : along(setting, map)) next.push_back(varied);
    maps = std::move(next);
  }
  if (method.has) std::erase_if(maps, [&](const Coefficients& map) { return !method.has(map); });
  std::vector<std::map<std::string, OptionValue>> all;
  for (const Coefficients& map : maps) {
    auto& options = all.emplace_back();
    for (const MethodSetting& setting : method.settings)
      if (setting.selects()) options[setting.option.name] = value_of(setting, map);
  }
  return all;
}

}  // namespace polhode
