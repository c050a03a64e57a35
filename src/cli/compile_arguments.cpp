// polhode compile: its arguments.
#include "backend/cpu/isa.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace polhode {
namespace {

struct CompileArguments {
  std::vector<std::string> configurations, targets;
  CompileOptions options;
};

}  // namespace

void add_compile(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand(
      "compile", "Compile kernels before they are needed, e.g. on a login node, and say how many that were");
  CLI::Option* configurations =
      command->add_option("configurations", arguments->configurations, "of the runs whose kernels to compile, TOML");
  configurations->type_name("CONFIG.toml");
  CLI::Option* all =
      command->add_flag("--all", arguments->options.all, "every kernel of the program, or of the systems named, in double precision");
  all->excludes(configurations);
  add_systems(*command, arguments->options.systems);
  CLI::Option* targets = command->add_option("--for", arguments->targets,
                                             "instruction sets, between commas; default: the best of this processor");
  targets->type_name("ISA")->delimiter(',');
  choose_from(*targets, {std::begin(isa_names), std::end(isa_names)}, invocation);
  command->add_option("--into", arguments->options.into, "folder for the kernels; default: the cache")
      ->type_name("FOLDER");
  command->callback([arguments, &invocation] {
    if (!arguments->options.all && arguments->configurations.empty())
      throw InputError("cannot compile nothing (no configuration is given). Name one, or use --all.");
    for (const std::string& target : arguments->targets)
      arguments->options.targets.push_back(Isa{index_of(target, isa_names)});
    std::vector<ResolvedRun> runs;
    Overrides given;
    given.systems = arguments->options.systems;
    for (const std::string& file : arguments->configurations) runs.push_back(resolve(read_config(file, given).run));
    invocation.result = compile_command(runs, arguments->options);
  });
}

}  // namespace polhode
