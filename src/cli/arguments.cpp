#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "cli/key_lists.hpp"
#include "cli/key_names.hpp"
#include "cli/schema.hpp"
#include "modules/modules.hpp"
#include "suggestion.hpp"

namespace polhode {

void add_systems(CLI::App& command, std::vector<std::string>& headers) {
  command.add_option("--system", headers, "a header with a system of your own (docs/tutorial.md); may be repeated")
      ->type_name("FILE.hpp")
      ->allow_extra_args(false);  // what follows the file is the configuration
}

void ConfigurationArguments::add_options(CLI::App& command, Invocation& invocation) {
  command.add_option("config", config, "configuration, TOML; or a result, whose configuration is taken")
      ->required()
      ->type_name("FILE.toml");
  add_systems(command, overrides.systems);
  CLI::Option* set =
      command.add_option("--set", overrides.set, "override a key, e.g. --set method.step=0.01; may be repeated");
  set->type_name("KEY=VALUE")->allow_extra_args(false);
  invocation.candidates[set] = assignment_candidates;
  CLI::Option* unset = command.add_option(
      "--unset", overrides.unset,
      "remove a table, TABLE.KEY or TABLE.KEY.NAME, before --set, e.g. --unset ensemble; may be repeated");
  unset->type_name("KEY")->allow_extra_args(false);
  invocation.candidates[unset] = [](const std::string&) { return table_and_key_names(); };
  command.footer([this, &command] {
    if (config.empty())
      return fmt::format(
          "Keys: polhode {} FILE.toml --help lists those of its system and method; polhode list keys lists all.",
          command.get_name());
    return fmt::format("Keys that go with the names in {} (all keys: polhode list keys):\n\n{}", config,
                       keys_with(read_names(config, overrides)));
  });
}

void ConfigurationArguments::add_key(CLI::App& command, const char* option, const char* table, const char* key,
                                     Invocation& invocation, const char* type) {
  const DocumentedKey& row = find_key(table, key);
  CLI::Option* added = command.add_option_function<std::string>(
      option,
      [this, table, key](const std::string& value) {
        overrides.options.push_back({table, key, value});
      },
      fmt::format("{}.{}: {}", table, key, describe(row)));
  added->type_name(type);
  if (const std::vector<std::string> choices(row.choices.begin(), row.choices.end()); !choices.empty())
    invocation.candidates[added] = [choices](const std::string&) { return choices; };
}

void add_no_compile(CLI::App& command) {
  command.add_flag_callback(
      "--no-compile", [] { allow_compiling(false); },
      "use kernels that are there, and end with exit code 3 where one is missing (polhode compile)");
}

CLI::Validator positive_integer() {
  return {[](const std::string& text) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool is_integer = error == std::errc() && end == text.data() + text.size();
            return is_integer && value > 0 ? std::string()
                                           : fmt::format("\"{}\" is not a positive integer, in digits", text);
          },
          ""};
}

void choose_from(CLI::Option& option, const std::vector<std::string>& names, Invocation& invocation) {
  option.check(CLI::Validator(
      [names](const std::string& text) {
        const bool is_known = std::ranges::find(names, text) != names.end();
        return is_known ? std::string() : fmt::format("unknown value \"{}\"{}", text, nearest_known(text, names));
      },
      ""));
  invocation.candidates[&option] = [names](const std::string&) { return names; };
}

}  // namespace polhode
