// polhode order and workprec: their arguments.
#include <set>

#include "catalog/catalog.hpp"
#include "cli/accuracy_command.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace polhode {
namespace {

struct AccuracyArguments {
  ConfigurationArguments configuration;
  AccuracyOptions options;

  ResolvedRun resolved() const { return resolve(read_config(configuration.config, configuration.overrides).run); }
};

std::shared_ptr<AccuracyArguments> add_arguments(CLI::App& command, Invocation& invocation) {
  auto arguments = std::make_shared<AccuracyArguments>();
  arguments->configuration.add_options(command, invocation);
  arguments->configuration.add_key(command, "--precision", "run", "precision", invocation);
  AccuracyOptions& options = arguments->options;
  command.add_option("--trajectories", options.trajectories, "of the ensemble, evenly, at most")
      ->capture_default_str()
      ->check(positive_integer());
  command
      .add_option("--steps", options.steps,
                  "of the configured method, at most: the time over which orbits are compared")
      ->capture_default_str()
      ->check(positive_integer());
  command.add_option("-o,--output", options.output, "the figures as JSON, which plot draws")->type_name("FILE.json");
  command.add_flag("--force", options.force, "replace an existing output");
  command.add_flag("--json", options.json, "JSON in place of the table");
  add_no_compile(command);
  return arguments;
}

}  // namespace

void add_order(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "order", "Measure the order of a configuration's method by halving its step; exit code 1 if none can be seen");
  const auto arguments = add_arguments(*command, invocation);
  command->callback(
      [arguments, &invocation] { invocation.result = order_command(arguments->resolved(), arguments->options); });
}

void add_workprec(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "workprec", "Compare the errors of all methods on a configuration's orbits with their time and work");
  const auto arguments = add_arguments(*command, invocation);
  CLI::Option* chosen = command->add_option("--methods", arguments->options.methods,
                                            "of the system, by name, with all their orders; default: all");
  chosen->delimiter(',')->allow_extra_args(false)->type_name("NAME[,NAME]");
  invocation.candidates[chosen] = [](const std::string&) {
    std::set<std::string> names;
    for (const MethodEntry& method : methods()) names.insert(method.name);
    return std::vector(names.begin(), names.end());
  };
  command->callback(
      [arguments, &invocation] { invocation.result = workprec_command(arguments->resolved(), arguments->options); });
}

}  // namespace polhode
