// polhode new-system: its arguments.
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace polhode {

void add_new_system(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<NewSystemOptions>();
  CLI::App* command =
      app.add_subcommand("new-system", "Write a configuration with a system of your own, to begin with");
  command->add_option("name", options->name, "of the system, e.g. bead-on-torus")->required();
  command->add_option("folder", options->folder, "where the files are written; the default is the name");
  command->add_flag("--header", options->header,
                    "a C++ header and a configuration that names it, in place of formulas");
  command->callback([options, &invocation] { invocation.result = new_system_command(*options); });
}

}  // namespace polhode
