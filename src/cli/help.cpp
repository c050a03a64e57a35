// polhode help: what --help prints.
#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/command_names.hpp"
#include "cli/parse_errors.hpp"

namespace polhode {
namespace {

/// Help of a command. App::help() would return that of the parsed command, which is `help` itself.
std::string help_of(const CLI::App& app, const CLI::App& command) {
  std::string name = app.get_name();
  if (command.get_parent()) name += " " + command.get_name();
  return app.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& app, Invocation& invocation) {
  const auto name = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Print the help of polhode, or of a command, as --help does");
  CLI::Option* command = help->add_option("command", *name, "one of the commands");
  invocation.candidates[command] = [&app](const std::string&) { return command_names(app); };
  help->callback([&app, &invocation, name] {
    const CLI::App* const chosen = name->empty() ? &app : find_command(app, *name);
    if (!chosen) throw unknown_command(app, *name);
    if (invocation.ranks.first()) fmt::print("{}", help_of(app, *chosen));
  });
}

}  // namespace polhode
