// The arguments of the subcommands: what CLI11 is told of each, and what that calls.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/config.hpp"
#include "error.hpp"
#include "parallel/ranks.hpp"

namespace polhode {

/// The values that an option may be given, for completion; `typed` is what there is of one.
using Candidates = std::function<std::vector<std::string>(const std::string& typed)>;

/// What the subcommands share while a command line is parsed.
struct Invocation {
  Ranks& ranks;
  ExitCode result = ExitCode::done;
  std::map<const CLI::Option*, Candidates> candidates{};  ///< of options whose type name does not say enough
};

/// The rest of a command's arguments lives as long as its callback. `invocation` must outlive the app.
void add_run(CLI::App& app, Invocation& invocation);
void add_crosscheck(CLI::App& app, Invocation& invocation);
void add_list(CLI::App& app, Invocation& invocation);
void add_info(CLI::App& app, Invocation& invocation);
void add_cite(CLI::App& app, Invocation& invocation);
void add_plot(CLI::App& app, Invocation& invocation);
void add_help(CLI::App& app, Invocation& invocation);

// What several of them have.

/// Plugins that a command is given; their systems are known once they are loaded.
class Plugins {
 public:
  void add_option(CLI::App& command);
  void load() const;

 private:
  std::vector<std::string> files_;
};

/// The configuration and what takes the place of its keys: config, --unset, --set.
struct ConfigurationArguments {
  std::string config;
  Overrides overrides;

  void add_options(CLI::App& command, Invocation& invocation);
  /// An option that stands for a key. type: what it is called in the help.
  void add_key(CLI::App& command, const char* option, const char* table, const char* key, Invocation& invocation,
               const char* type = "VALUE");
};

/// The option takes one of these names, or several.
void choose_from(CLI::Option& option, const std::vector<std::string>& names, Invocation& invocation);

/// The place of a name that is one of them.
int index_of(const std::string& name, const auto& names) {
  return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

}  // namespace polhode
