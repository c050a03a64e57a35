// The subcommands of polhode. Each returns an exit code and throws Error.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/accuracy_command.hpp"
#include "cli/config.hpp"
#include "cli/progress.hpp"
#include "crosscheck/crosscheck.hpp"
#include "driver/run.hpp"
#include "error.hpp"
#include "modules/target.hpp"
#include "spec/resolved_run.hpp"
#include "throughput/throughput.hpp"

namespace polhode {

struct RunSwitches : RunOptions {
  ProgressForm progress = ProgressForm::line;
};

/// Integrates the ensemble of a configuration on all ranks together, writes the result file, and prints the report.
/// Returns ExitCode::interrupted where a signal or a full disk ends the run early. Throws Error with ExitCode::failed
/// where every trajectory failed.
ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);
/// Checks a configuration on all ranks together, and prints what its run would integrate and how much time, memory and
/// disk space the run would need; writes no file of the run.
ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);

struct ConvertOptions {
  std::filesystem::path output;  ///< file to write; empty: standard output
  bool force = false;            ///< replace an existing output
};
/// Writes what converted_text() (cli/converted.hpp) makes of a configuration. Throws InputError where that does.
ExitCode convert_command(const Configuration& configuration, const std::string& to, const Overrides& overrides,
                         const ConvertOptions& options);

enum class ListTopic { systems, methods, sections, keys, backends, schema };
inline constexpr const char* list_topics[] = {"systems", "methods", "sections", "keys", "backends", "schema"};
/// Prints the entries of a topic: all of them in short, or where `name` is not empty, in full those of the system, the
/// family or the method that `name` stands for. json: prints the entries as JSON, in full in either case. Throws
/// InputError where there are none for `name`, or `name` is given for a topic other than systems, methods and sections.
ExitCode list_command(ListTopic topic, const std::string& name, bool json);

struct CompileOptions {
  bool all = false;                    ///< compile every kernel of `systems`, or where that is empty of the program's
                                       ///< systems, in double precision and with default tables
  std::vector<std::string> systems{};  ///< headers of users' systems
  std::vector<Target> targets{};       ///< targets of the kernels; empty: those that the runs have on this machine, or
                                       ///< with `all` the best instruction set of this processor
  std::filesystem::path into;          ///< folder for the kernels; empty: the cache
};
/// Compiles the kernels of runs, or with `all` every kernel, where they are missing, and prints how many it compiled.
/// Throws as compile_modules() (modules/modules.hpp), and UnavailableError where a run asks for a GPU, none can be
/// used, and no target is given.
ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options);

struct InfoOptions {
  bool columns = false;  ///< print the columns of every dataset in place of the summary
  bool json = false;     ///< print the summary and the columns as JSON
};
ExitCode info_command(const std::filesystem::path& file, const InfoOptions& options);

/// Prints the publications behind a result, as BibTeX. Throws InputError where the catalog lacks the system or the
/// method of the result, or the text of a publication.
ExitCode cite_command(const std::filesystem::path& file);

/// Compares backends on a run and prints the findings; returns ExitCode::failed where a check failed, or nothing could
/// be compared.
ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json);

/// Measures the order of the run's method, prints it and writes options.output; returns ExitCode::failed where no order
/// can be seen.
ExitCode order_command(const ResolvedRun& run, const AccuracyOptions& options);
ExitCode workprec_command(const ResolvedRun& run, const AccuracyOptions& options);

struct BenchOptions : ThroughputOptions {
  std::vector<BackendChoice> backends = {BackendChoice::cpu, BackendChoice::cuda};
  bool json = false;             ///< print JSON in place of the table
  std::filesystem::path output;  ///< file that the JSON is also written to, whatever is printed; empty: none
  bool force = false;            ///< replace an existing output
};
/// Function that returns the specification of the run for a backend.
using SpecFor = std::function<RunSpec(BackendChoice)>;
/// Measures the speed of options.backends, prints it and writes options.output. Throws UnavailableError where no
/// backend can be measured.
ExitCode bench_command(const SpecFor& spec, const BenchOptions& options);

struct NewSystemOptions {
  std::string name;              ///< name of the system
  std::filesystem::path folder;  ///< folder for the files, made where it is missing; empty: one called as the system
  bool header = false;           ///< write a header, and a configuration that names it
};
/// Writes a configuration with a system of formulas, or with a header, which runs as it is. Throws InputError for a
/// name that is none and a file that exists.
ExitCode new_system_command(const NewSystemOptions& options);

struct PlotArguments {
  /// Option of the package, e.g. --view, with its value; none where it was not given.
  struct Option {
    const char* name;
    std::optional<std::string> value;
  };
  std::vector<std::filesystem::path> files;  ///< one result, several of one system to compare, or a measurement as JSON
  std::vector<Option> options;
};

/// Draws the files with the Python package (python/polhode/plot.py), which checks the arguments. Returns the exit code
/// of the package, or ExitCode::io where Python itself fails. Throws UnavailableError where no Python can run the
/// package.
ExitCode plot_command(const PlotArguments& plot);

}  // namespace polhode
