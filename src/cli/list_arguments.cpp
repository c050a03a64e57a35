// polhode list: its arguments.
#include "catalog/own_systems.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace polhode {
namespace {

struct ListArguments {
  std::string topic, name;
  std::vector<std::string> systems;
  bool json = false;
};

}  // namespace

void add_list(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App* command = app.add_subcommand("list", "Show what this build offers");
  CLI::Option* topic =
      command->add_option("topic", arguments->topic, "systems, methods, sections, keys, backends, schema")->required();
  choose_from(*topic, {std::begin(list_topics), std::end(list_topics)}, invocation);
  CLI::Option* name = command->add_option(
      "name", arguments->name,
      "of a system, whose parameters and observables, methods or sections are then listed in full; or of a method; or "
      "a file with a configuration, for its system");
  invocation.candidates[name] = [](const std::string&) {
    std::vector<std::string> names;
    for (const SystemEntry& system : systems()) names.emplace_back(system.name);
    return names;
  };
  command->add_flag("--json", arguments->json, "as JSON, in full");
  add_systems(*command, arguments->systems);
  command->callback([arguments, &invocation] {
    for (const std::string& header : arguments->systems) require_system(header);
    const auto chosen = static_cast<ListTopic>(index_of(arguments->topic, list_topics));
    invocation.result = list_command(chosen, arguments->name, arguments->json);
  });
}

}  // namespace polhode
