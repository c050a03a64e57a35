// polhode crosscheck: its arguments.
#include <fmt/format.h>

#include <cstdint>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

struct CrosscheckArguments {
  ConfigurationArguments configuration;
  std::vector<std::string> backends, isas;
  CrosscheckOptions options;
  bool json = false;

  CrosscheckOptions options_with_backends() const {
    CrosscheckOptions all = options;
    for (const std::string& name : backends)
      all.backends.push_back(static_cast<BackendChoice>(index_of(name, choice_names<BackendChoice>)));
    for (const std::string& name : isas) all.isas.push_back(static_cast<Isa>(index_of(name, isa_names)));
    return all;
  }
};

void add_choices(CLI::App& command, CrosscheckArguments& arguments, Invocation& invocation) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const std::vector<std::string>& names,
                       const char* meaning) {
    CLI::Option* option = command.add_option(name, values, meaning);
    option->delimiter(',')->allow_extra_args(false)->type_name("NAME[,NAME]");
    choose_from(*option, names, invocation);
  };
  add("--backends", arguments.backends, {"reference", "cpu", "cuda"},
      "reference, cpu, cuda; default: all that can be used");
  add("--isa", arguments.isas, {std::begin(isa_names), std::end(isa_names)},
      "scalar, avx2, avx512; default: all that the machine has");
}

}  // namespace

void add_crosscheck(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<CrosscheckArguments>();
  CLI::App* command = app.add_subcommand("crosscheck",
                                         "Run a configuration on several backends and compare; exit code 1 if a check "
                                         "fails, or nothing could be compared");
  arguments->configuration.add_options(*command, invocation);
  add_choices(*command, *arguments, invocation);
  arguments->configuration.add_key(*command, "--precision", "run", "precision", invocation);
  CrosscheckOptions& options = arguments->options;
  command->add_flag("--with-single", options.with_single, "also in single precision, against double");
  command->add_flag("--step-halving", options.step_halving,
                    "also the order of the method, as `polhode order` measures it");
  command->add_option("--trajectories", options.trajectories, "of the ensemble, evenly, at most")
      ->capture_default_str()
      ->check(positive_integer());
  command->add_option("--steps", options.steps, "at most")->capture_default_str()->check(positive_integer());
  command->add_flag("--json", arguments->json, "as JSON");
  add_no_compile(*command);
  command->callback([arguments, &invocation] {
    const ConfigurationArguments& given = arguments->configuration;
    const Configuration configuration = read_config(given.config, given.overrides);
    invocation.result =
        crosscheck_command(resolve(configuration.run), arguments->options_with_backends(), arguments->json);
  });
}

}  // namespace polhode
