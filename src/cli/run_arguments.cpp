// polhode run: its arguments.
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "driver/shared_modules.hpp"
#include "modules/cache.hpp"

namespace polhode {
namespace {

struct RunArguments {
  ConfigurationArguments configuration;
  RunSwitches switches;
  bool dry = false, quiet = false;
  std::string progress = "line";

  ProgressForm form() const {
    if (quiet) return ProgressForm::none;
    return progress == "json" ? ProgressForm::json : ProgressForm::line;
  }
};

void add_progress(CLI::App& command, RunArguments& arguments, Invocation& invocation) {
  CLI::Option* quiet = command.add_flag("--quiet", arguments.quiet, "no progress, only the summary");
  CLI::Option* progress = command.add_option(
      "--progress", arguments.progress,
      "line: one on a terminal (the default); json: one object a line on standard error, with the numbers "
      "\"trajectories\", \"steps\" (of all of them together, so far), \"fraction\" (of the work), \"eta\" (seconds) "
      "and "
      "\"rate\" (steps per second)");
  progress->type_name("FORM")->excludes(quiet);
  choose_from(*progress, {"line", "json"}, invocation);
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Integrate the ensemble of a configuration and write HDF5");
  ConfigurationArguments& configuration = arguments->configuration;
  configuration.add_options(*command, invocation);
  configuration.add_key(*command, "-o,--output", "output", "file", invocation, "FILE.h5");
  configuration.add_key(*command, "--backend", "run", "backend", invocation);
  configuration.add_key(*command, "--precision", "run", "precision", invocation);
  configuration.add_key(*command, "--isa", "run", "isa", invocation);
  configuration.add_key(*command, "--threads", "run", "threads", invocation);
  add_no_compile(*command);
  command->add_flag("--dry-run", arguments->dry, "check everything and tell time, memory and size; write nothing");
  command->add_flag("--resume", arguments->switches.resume,
                    "continue an interrupted run from its last checkpoint, or a finished one with more run.steps");
  command->add_flag("--force", arguments->switches.force, "replace an existing output");
  add_progress(*command, *arguments, invocation);
  command->callback([arguments, &invocation] {
    arguments->switches.progress = arguments->form();
    if (arguments->form() != ProgressForm::line) set_module_notice(nullptr);
    const auto run = arguments->dry ? dry_run_command : run_command;
    const ConfigurationArguments& given = arguments->configuration;
    std::vector<OwnHeader> headers;
    for (const std::string& header : given.overrides.systems) headers.push_back(read_own_header(header));
    share_descriptions(headers, invocation.ranks);
    invocation.result = run(read_config(given.config, given.overrides), arguments->switches, invocation.ranks);
  });
}

}  // namespace polhode
