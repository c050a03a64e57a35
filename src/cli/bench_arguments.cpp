// polhode bench: its arguments, and the configuration that it has where none is given.
#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

/// Configuration that is measured where none is given: the top of McLachlan & Scovel 1995, Figure 1, from random
/// states, whose number takes the place of `{}`. It resembles examples/heavy_top_density.toml.
constexpr const char* heavy_top = R"(
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "microcanonical"
energy = 1.0
momentum = 0.0
count = {}
seed = 1
[run]
steps = 1000
[section]
name = "gamma3"
[density]
axes = ["pi2", "pi3"]
bins = [400, 400]
range = [[-1.8, 1.8], [-1.5, 1.5]]
[statistics]
every = 100
observables = ["pi1", "energy"]
)";
/// Number of trajectories that keep all threads of a backend busy.
constexpr int count_on(BackendChoice backend) { return backend == BackendChoice::cuda ? 1 << 20 : 1 << 17; }

constexpr const char* backend_names[] = {"cpu", "cuda"};
constexpr BackendChoice backend_choices[] = {BackendChoice::cpu, BackendChoice::cuda};

struct BenchArguments {
  ConfigurationArguments configuration;
  std::vector<std::string> backends;
  BenchOptions options;

  RunSpec spec_for(BackendChoice backend) const {
    const auto& [file, overrides] = configuration;
    if (!file.empty()) return read_config(file, overrides).run;
    return read_own_config(fmt::format(heavy_top, count_on(backend)), overrides).run;
  }
  BenchOptions options_with_backends() const {
    BenchOptions all = options;
    if (!backends.empty()) all.backends.clear();
    for (const std::string& name : backends) {
      const BackendChoice backend = backend_choices[index_of(name, backend_names)];
      if (std::ranges::find(all.backends, backend) == all.backends.end()) all.backends.push_back(backend);
    }
    return all;
  }
};

void add_measurement(CLI::App& command, BenchArguments& arguments, Invocation& invocation) {
  CLI::Option* backends =
      command.add_option("--backends", arguments.backends, "cpu, cuda; default: both, if they can be used");
  backends->delimiter(',')->allow_extra_args(false)->type_name("NAME[,NAME]");
  choose_from(*backends, {std::begin(backend_names), std::end(backend_names)}, invocation);
  BenchOptions& options = arguments.options;
  command
      .add_option(
          "--repeat", options.repetitions,
          "measurements of each figure, of which the median counts; fewer, at least 3, of runs that take seconds")
      ->capture_default_str()
      ->check(positive_integer());
  command
      .add_option("--steps", options.steps,
                  "of whole runs, at most those of the configuration; default: what takes half a second")
      ->check(positive_integer());
}

}  // namespace

void add_bench(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand(
      "bench",
      "Measure how fast a configuration runs here, its time loop and whole runs, and what the hardware allows");
  ConfigurationArguments& configuration = arguments->configuration;
  configuration.add_options(*command, invocation);
  command->get_option("config")->required(false)->description("configuration, TOML; default: a heavy top");
  configuration.add_key(*command, "--precision", "run", "precision", invocation);
  configuration.add_key(*command, "--isa", "run", "isa", invocation);
  configuration.add_key(*command, "--threads", "run", "threads", invocation);
  add_measurement(*command, *arguments, invocation);
  BenchOptions& options = arguments->options;
  command->add_option("-o,--output", options.output, "the figures as JSON")->type_name("FILE.json");
  command->add_flag("--force", options.force, "replace an existing output");
  command->add_flag("--json", options.json, "JSON in place of the table");
  add_no_compile(*command);
  command->callback([arguments, &invocation] {
    invocation.result = bench_command([arguments](BackendChoice backend) { return arguments->spec_for(backend); },
                                      arguments->options_with_backends());
  });
}

}  // namespace polhode
