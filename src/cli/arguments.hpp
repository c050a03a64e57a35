// Arguments of the subcommands, as CLI11 is told of them, and the calls that they lead to.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/config.hpp"
#include "error.hpp"
#include "parallel/ranks.hpp"

namespace polhode {

/// Function that returns the values that an option may have, for completion. typed: what has been typed of the value;
/// values that do not begin with it may be among those returned (complete() in completion.hpp leaves them out).
using Candidates = std::function<std::vector<std::string>(const std::string& typed)>;

/// Data that the subcommands share while a command line is parsed.
struct Invocation {
  Ranks& ranks;
  ExitCode result = ExitCode::done;
  std::map<const CLI::Option*, Candidates> candidates{};  ///< candidates of the options that have some; for files
                                                          ///< an option has a type name such as FILE.toml instead
};

/// Declares a subcommand to the app. The subcommand's callback owns its arguments and refers to `invocation`, which
/// must therefore live while the app parses.
using AddCommand = void(CLI::App& app, Invocation& invocation);
AddCommand add_run, add_convert, add_crosscheck, add_order, add_workprec, add_bench, add_compile, add_list, add_info,
    add_cite, add_plot, add_new_system, add_help;
/// All subcommands, in the order of the help.
inline constexpr AddCommand* all_commands[] = {add_run,   add_convert,    add_crosscheck, add_order, add_workprec,
                                               add_bench, add_compile,    add_list,       add_info,  add_cite,
                                               add_plot,  add_new_system, add_help};

// Arguments of several subcommands.

/// Adds the option --system to a command: it fills `headers` with the paths of users' headers, and may be repeated.
void add_systems(CLI::App& command, std::vector<std::string>& headers);

/// Arguments that give a configuration and changes of it: the positional argument config, --system, --unset, --set, and
/// options that stand for a key. The command that has them refers to the object, which must outlive it.
struct ConfigurationArguments {
  std::string config;
  Overrides overrides;

  /// Adds config, --system, --set and --unset to a command. Where a configuration is given, the help of the command
  /// lists the keys that go with the names in it (keys_with() in key_lists.hpp).
  void add_options(CLI::App& command, Invocation& invocation);
  /// Adds an option that stands for the key `table`.`key` of the configuration, with the description of the key. type:
  /// name of the option's value in the help.
  void add_key(CLI::App& command, const char* option, const char* table, const char* key, Invocation& invocation,
               const char* type = "VALUE");
};

/// Adds the switch --no-compile, for commands that run kernels.
void add_no_compile(CLI::App& command);

/// Restricts the values of an option to `names`, which are also its candidates for completion. CLI11 refuses any other
/// value, with a message that suggests the nearest names.
void choose_from(CLI::Option& option, const std::vector<std::string>& names, Invocation& invocation);

/// Validator of a count, 1 or more. CLI11's own validator of positive numbers prints its bounds in 300 digits.
CLI::Validator positive_integer();

/// Index of a name that is in the list.
int index_of(const std::string& name, const auto& names) {
  return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

}  // namespace polhode
