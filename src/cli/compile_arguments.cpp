// polhode compile: its arguments.
#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "modules/modules.hpp"
#include "suggestion.hpp"

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
  CLI::Option* all = command->add_flag("--all", arguments->options.all,
                                       "every kernel of the program, or of the systems named, in double precision");
  all->excludes(configurations);
  add_systems(*command, arguments->options.systems);
  CLI::Option* targets = command->add_option(
      "--for", arguments->targets,
      "instruction sets, and GPUs by compute capability, between commas; default: what the runs take on this machine");
  targets->type_name("TARGET")->delimiter(',');
  targets->check(CLI::Validator(
      [](const std::string& text) {
        return find_target(text) ? ""
                                 : fmt::format("unknown value \"{}\"{}", text, nearest_known(text, target_names()));
      },
      ""));
  invocation.candidates[targets] = [](const std::string&) { return target_names(); };
  command->add_option("--into", arguments->options.into, "folder for the kernels; default: the cache")
      ->type_name("FOLDER");
  command->callback([arguments, &invocation] {
    allow_compiling(true);  // whatever the environment says
    if (!arguments->options.all && arguments->configurations.empty())
      throw InputError("cannot compile nothing (no configuration is given). Name one, or use --all.");
    for (const std::string& target : arguments->targets) arguments->options.targets.push_back(*find_target(target));
    std::vector<ResolvedRun> runs;
    Overrides given;
    given.systems = arguments->options.systems;
    for (const std::string& file : arguments->configurations) runs.push_back(resolve(read_config(file, given).run));
    invocation.result = compile_command(runs, arguments->options);
  });
}

}  // namespace polhode
