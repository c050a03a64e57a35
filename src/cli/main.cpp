// The command line: arguments to calls, errors to one line and an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "catalog/plugin.hpp"
#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/schema.hpp"
#include "driver/run.hpp"
#include "parallel/ranks.hpp"
#include "spec/key.hpp"
#include "version.hpp"

namespace {

using namespace polhode;

/// Of a name that is one of them.
int index_of(const std::string& name, const auto& names) {
  return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

/// Plugins that a command is given; their systems are known once they are loaded.
class Plugins {
 public:
  void add_option(CLI::App& command) {
    command.add_option("--plugin", files_, "a library with a system of your own (docs/tutorial.md); may be repeated")
        ->type_name("FILE.so")
        ->allow_extra_args(false);  // what follows the file is the configuration
  }
  void load() const {
    for (const std::string& file : files_) load_plugin(file);
  }

 private:
  std::vector<std::string> files_;
};

/// An option that stands for a key of the configuration.
void add_key(CLI::App& command, const char* option, const char* table, const char* key, Overrides& overrides) {
  const DocumentedKey& row = find_key(table, key);
  command
      .add_option_function<std::string>(
          option,
          [=, &overrides](const std::string& value) {
            overrides.options.push_back({table, key, value});
          },
          fmt::format("{}.{}: {}", table, key, describe(row)))
      ->type_name("VALUE");
}

struct RunArguments {
  std::string config;
  Plugins plugins;
  Overrides overrides;
  RunSwitches run;
  bool dry = false;
};

void add_run(CLI::App& app, RunArguments& arguments, Ranks& ranks, ExitCode& result) {
  CLI::App* command = app.add_subcommand("run", "Integrate the ensemble of a configuration and write HDF5");
  Overrides& overrides = arguments.overrides;
  command->add_option("config", arguments.config, "configuration, TOML")->required();
  add_key(*command, "-o,--output", "output", "file", overrides);
  add_key(*command, "--backend", "run", "backend", overrides);
  add_key(*command, "--precision", "run", "precision", overrides);
  add_key(*command, "--isa", "run", "isa", overrides);
  add_key(*command, "--threads", "run", "threads", overrides);
  command->add_option("--set", overrides.set, "override a key, e.g. --set method.step=0.01; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  arguments.plugins.add_option(*command);
  command->add_flag("--dry-run", arguments.dry, "check everything and tell time, memory and size; write nothing");
  command->add_flag("--resume", arguments.run.resume, "continue an interrupted run from its last checkpoint");
  command->add_flag("--force", arguments.run.force, "replace an existing output");
  command->add_flag("--quiet", arguments.run.quiet, "no progress, only the summary");
  command->footer([] { return "Keys of the configuration, for --set TABLE.KEY=VALUE, too:\n" + schema_text(); });
  command->callback([&] {
    arguments.plugins.load();
    const auto command = arguments.dry ? dry_run_command : run_command;
    result = command(read_config(arguments.config, overrides), arguments.run, ranks);
  });
}

struct CrosscheckArguments {
  std::string config;
  Plugins plugins;
  Overrides overrides;
  std::vector<std::string> backends, isas;
  CrosscheckOptions options;
  bool json = false;
};

/// Of counts; CLI11's own names all numbers that are positive, in 300 digits.
const CLI::Validator positive_integer(
    [](const std::string& text) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool is_integer = error == std::errc() && end == text.data() + text.size();
      return is_integer && value > 0 ? std::string() : fmt::format("\"{}\" is not a positive integer, in digits", text);
    },
    "");

void add_crosscheck(CLI::App& app, CrosscheckArguments& arguments, ExitCode& result) {
  CLI::App* command = app.add_subcommand("crosscheck",
                                         "Run a configuration on several backends and compare; exit code 1 where a "
                                         "promise is broken, or nothing could be compared");
  command->add_option("config", arguments.config, "configuration, TOML")->required();
  command->add_option("--backends", arguments.backends, "reference, cpu, cuda; default: all that can be used")
      ->delimiter(',')
      ->check(CLI::IsMember({"reference", "cpu", "cuda"}))
      ->allow_extra_args(false);
  command->add_option("--isa", arguments.isas, "scalar, avx2, avx512; default: all that the machine has")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(isa_names), std::end(isa_names))))
      ->allow_extra_args(false);
  add_key(*command, "--precision", "run", "precision", arguments.overrides);
  command->add_flag("--with-single", arguments.options.with_single, "also in single precision, against double");
  command->add_flag("--step-halving", arguments.options.step_halving, "also h/2 and h/4: the order of the method");
  command->add_option("--trajectories", arguments.options.trajectories, "of the ensemble, evenly, at most")
      ->capture_default_str()
      ->check(positive_integer);
  command->add_option("--steps", arguments.options.steps, "at most")->capture_default_str()->check(positive_integer);
  command->add_flag("--json", arguments.json, "as JSON");
  command->add_option("--set", arguments.overrides.set, "override a key, e.g. --set method.step=0.01; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  arguments.plugins.add_option(*command);
  command->callback([&] {
    arguments.plugins.load();
    for (const std::string& name : arguments.backends)
      arguments.options.backends.push_back(static_cast<BackendChoice>(index_of(name, choice_names<BackendChoice>)));
    for (const std::string& name : arguments.isas)
      arguments.options.isas.push_back(static_cast<Isa>(index_of(name, isa_names)));
    const Configuration configuration = read_config(arguments.config, arguments.overrides);
    result = crosscheck_command(resolve(configuration.run), arguments.options, arguments.json);
  });
}

void add_plot(CLI::App& app, PlotArguments& arguments, ExitCode& result) {
  CLI::App* command = app.add_subcommand("plot", "Draw a result file, or compare the energy errors of several");
  command->add_option("files", arguments.files, "results, HDF5; several: of one system with different steps")
      ->required();
  command->add_option("-o,--output", arguments.output, "picture, PNG; default: the first file's name with .png");
  command->add_option(
      "--view", arguments.view,
      "section, density, section3d, invariants, statistics or polhodes; default: the section, else its density, the "
      "statistics or the invariants; of several files: invariants (default) or error");
  command->add_option("--axes", arguments.axes, "two columns A,B in whose plane the section is drawn");
  command->callback([&] { result = plot_command(arguments); });
}

/// Names from a configuration may hold anything; an error stays on one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

/// Files that the program opens must not become a standard stream that the caller has closed.
void open_standard_streams() {
  int descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

IoError cannot_print(const char* why) {
  return IoError(fmt::format("cannot write to standard output ({}). Check where it goes.", why));
}

/// Whatever goes wrong is an Error.
void parse_and_run(CLI::App& app, int argc, char** argv, const Ranks& ranks) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      throw InputError(fmt::format("cannot use these arguments ({}). See polhode --help.", error.what()));
    if (ranks.first()) app.exit(error);  // --help, --version
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (std::ferror(stdout)) throw cannot_print(error.what());
    throw current_error();
  }
  if (std::fflush(stdout) != 0) throw cannot_print(std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error like a full disk
  Ranks ranks(argc, argv);
  CLI::App app{"polhode: very many trajectories of constrained Hamiltonian systems, with the same bits everywhere"};
  app.set_version_flag("--version", fmt::format("polhode {} {}", program_version(), program_git()));
  app.require_subcommand(1);
  ExitCode result = ExitCode::done;

  RunArguments run_arguments;
  add_run(app, run_arguments, ranks, result);

  CrosscheckArguments crosscheck_arguments;
  add_crosscheck(app, crosscheck_arguments, result);

  CLI::App* list = app.add_subcommand("list", "Show what this build offers");
  std::string topic;
  bool json = false;
  list->add_option("topic", topic, fmt::format("{}", fmt::join(list_topics, ", ")))
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(list_topics), std::end(list_topics))));
  list->add_flag("--json", json, "as JSON");
  Plugins list_plugins;
  list_plugins.add_option(*list);
  list->callback([&] {
    list_plugins.load();
    result = list_command(static_cast<ListTopic>(index_of(topic, list_topics)), json);
  });

  std::string file;
  CLI::App* info = app.add_subcommand("info", "Show what a result file holds");
  info->add_option("file", file, "result, HDF5")->required();
  info->callback([&] { result = info_command(file); });

  PlotArguments plot_arguments;
  add_plot(app, plot_arguments, result);

  app.parse_complete_callback([&] {
    if (ranks.size() > 1 && !app.got_subcommand("run"))
      throw InputError(
          fmt::format("cannot do this on {} ranks (it is not shared out, as a run is). Use polhode, or one "
                      "rank.",
                      ranks.size()));
  });
  try {
    ranks.together("command", [&] { parse_and_run(app, argc, argv, ranks); });
  } catch (const Error& error) {
    if (ranks.first()) fmt::print(stderr, "polhode: {}\n", one_line(error.what()));
    result = error.code();
  }
  return static_cast<int>(result);
}
