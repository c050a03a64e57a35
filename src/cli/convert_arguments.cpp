// polhode convert: its arguments.
#include <utility>

#include "catalog/own_systems.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/key_names.hpp"

namespace polhode {
namespace {

struct ConvertArguments {
  ConfigurationArguments configuration;
  std::string to;
  ConvertOptions options;
};

}  // namespace

void add_convert(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = app.add_subcommand(
      "convert", "Write a configuration for another description of the same system, with its starts");
  arguments->configuration.add_options(*command, invocation);
  command->get_option("--set")->description(
      "override a key of what is written, e.g. --set method.name=gauss; may be repeated");
  command->get_option("--unset")->description(
      "remove a table, TABLE.KEY or TABLE.KEY.NAME of what is written, before --set; may be repeated");
  CLI::Option* to =
      command->add_option("--to", arguments->to, "the other description (polhode list systems NAME)")->required();
  to->type_name("SYSTEM");
  invocation.candidates[to] = [](const std::string&) { return description_names(); };
  ConvertOptions& options = arguments->options;
  command->add_option("-o,--output", options.output, "configuration, TOML; default: standard output")
      ->type_name("FILE.toml");
  command->add_flag("--force", options.force, "replace an existing output");
  command->callback([arguments, &invocation] {
    const ConfigurationArguments& given = arguments->configuration;
    Overrides after = given.overrides;
    for (const std::string& header : std::exchange(after.systems, {})) require_system(header);  // of either description
    invocation.result = convert_command(read_config(given.config, {}), arguments->to, after, arguments->options);
  });
}

}  // namespace polhode
