// The command line: arguments to calls, errors to one line and an exit code.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "driver/run.hpp"

namespace {

using namespace polhode;

struct RunArguments {
  std::string config;
  Overrides overrides;
  RunOptions options;
};

void add_run(CLI::App& app, RunArguments& arguments, ExitCode& result) {
  CLI::App* command = app.add_subcommand("run", "Integrate the ensemble of a configuration and write HDF5");
  Overrides& overrides = arguments.overrides;
  command->add_option("config", arguments.config, "configuration, TOML")->required();
  command->add_option("-o,--output", overrides.output, "output file (output.file)");
  command->add_option("--backend", overrides.backend, "auto, reference, cpu or cuda (run.backend)");
  command->add_option("--precision", overrides.precision, "double or single (run.precision)");
  command->add_option("--isa", overrides.isa, "instruction set of the CPU code; the bits are the same")
      ->check(CLI::IsMember({"auto", "scalar", "avx2", "avx512"}));
  command->add_option("--threads", overrides.threads, "CPU threads, 0 for one a processor (run.threads)");
  command->add_option("--set", overrides.set, "override a key, e.g. --set method.step=0.01; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--resume", arguments.options.resume, "continue an interrupted run from its last checkpoint");
  command->add_flag("--force", arguments.options.force, "replace an existing output");
  command->add_flag("--quiet", arguments.options.quiet, "no progress, only the summary");
  command->callback([&] { result = run(read_config(arguments.config, overrides), arguments.options); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"polhode: very many trajectories of constrained Hamiltonian systems, with the same bits everywhere"};
  app.set_version_flag("--version", "polhode " POLHODE_VERSION " " POLHODE_GIT);
  app.require_subcommand(1);
  ExitCode result = ExitCode::done;

  RunArguments run_arguments;
  add_run(app, run_arguments, result);

  CLI::App* list = app.add_subcommand("list", "Show what this build offers");
  std::string topic;
  bool json = false;
  list->add_option("topic", topic, "systems, methods, sections or backends")
      ->required()
      ->check(CLI::IsMember({"systems", "methods", "sections", "backends"}));
  list->add_flag("--json", json, "as JSON");
  list->callback([&] {
    const std::map<std::string, ListTopic> topics{{"systems", ListTopic::systems},
                                                  {"methods", ListTopic::methods},
                                                  {"sections", ListTopic::sections},
                                                  {"backends", ListTopic::backends}};
    result = list_command(topics.at(topic), json);
  });

  std::string file, picture;
  CLI::App* info = app.add_subcommand("info", "Show what a result file holds");
  info->add_option("file", file, "result, HDF5")->required();
  info->callback([&] { result = info_command(file); });

  CLI::App* plot = app.add_subcommand("plot", "Draw a result file");
  plot->add_option("file", file, "result, HDF5")->required();
  plot->add_option("-o,--output", picture, "picture, PNG; default: the file's name with .png");
  plot->callback([&] { result = plot_command(file, picture); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "polhode: {} (see polhode --help).\n", error.what());
    return static_cast<int>(ExitCode::bad_input);
  } catch (const Error& error) {
    fmt::print(stderr, "polhode: {}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "polhode: out of memory (the ensemble or its output is too large). Use fewer trajectories or a smaller "
               "run.segment.\n");
    return static_cast<int>(ExitCode::io);
  } catch (const std::exception& error) {
    fmt::print(stderr, "polhode: internal error ({}). Please report it.\n", error.what());
    return static_cast<int>(ExitCode::io);
  }
  return static_cast<int>(result);
}
