#include "cli/command_names.hpp"

#include <algorithm>

namespace polhode {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  const auto found = std::ranges::find(commands, name, [](const CLI::App* command) { return command->get_name(); });
  return found == commands.end() ? nullptr : *found;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() ? "polhode " + command.get_name() : "polhode";
}

}  // namespace polhode
