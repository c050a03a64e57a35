// The subcommands of polhode. Each returns an exit code and throws Error.
#pragma once

#include <filesystem>
#include <functional>
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

/// Runs to the end on all ranks together; returns ExitCode::interrupted where a signal or a full disk ends the run
/// early. Throws Error with ExitCode::failed where every trajectory failed.
ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);
/// Prints what the run would be, and how much time, memory and room it would take.
ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);

struct ConvertOptions {
  std::filesystem::path output;  ///< file to write; empty: standard output
  bool force = false;            ///< replace an existing output
};
/// Writes the configuration for `to`, another description of its system. overrides: changes of what is written. Throws
/// InputError where `to` is no such description, a start is not in it, there are too many starts to list, or what is
/// written would be no configuration.
ExitCode convert_command(const Configuration& configuration, const std::string& to, const Overrides& overrides,
                         const ConvertOptions& options);

enum class ListTopic { systems, methods, sections, keys, backends, schema };
inline constexpr const char* list_topics[] = {"systems", "methods", "sections", "keys", "backends", "schema"};
/// Prints all entries of a topic in short; where `name` is not empty, in full the entries of the system, the family or
/// the method that it stands for. json: prints them as JSON, in full in either case. Throws InputError where there are
/// none of that name, or the topic is not listed by name.
ExitCode list_command(ListTopic topic, const std::string& name, bool json);

struct CompileOptions {
  bool all = false;                    ///< every kernel of `systems`, or of the program where that is empty
  std::vector<std::string> systems{};  ///< headers of users' systems
  std::vector<Target> targets{};       ///< empty: those of the runs; with `all` this processor's best
  std::filesystem::path into;          ///< folder for the kernels; empty: the cache
};
/// Compiles the kernels of runs, or with `all` every kernel, where they are missing, and prints how many it compiled.
/// Throws UnavailableError where one cannot be compiled.
ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options);

struct InfoOptions {
  bool columns = false;  ///< columns of every dataset, in place of the summary
  bool json = false;     ///< the summary and the columns, as JSON
};
ExitCode info_command(const std::filesystem::path& file, const InfoOptions& options);

/// Prints the publications behind a result, as BibTeX. Throws InputError where the catalog lacks the system or the
/// method of the result, or the text of a publication.
ExitCode cite_command(const std::filesystem::path& file);

/// Compares backends; ExitCode::failed if a check failed, or if nothing could be compared.
ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json);

/// Measures the order of the run's method; ExitCode::failed where no order can be seen.
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
/// Measures the speed of backends. Throws UnavailableError where no backend can be measured.
ExitCode bench_command(const SpecFor& spec, const BenchOptions& options);

struct PlotArguments {
  std::vector<std::filesystem::path> files;  ///< one result, several of one system to compare, or a measurement as JSON
  std::filesystem::path output;              ///< picture; empty: the first file's name with .png
  std::string view;                          ///< empty: what suits the file
  std::string axes;                          ///< columns of the section's plane, "A,B"; empty: those of its system
  std::string range;                         ///< bounds of both axes, "LOW,HIGH,LOW,HIGH"; empty: those of the data
  std::string trajectories;                  ///< numbers and intervals, "0,5,10-20"; empty: all
};

/// Draws the files with the Python package, which knows the views, and returns its exit code, or ExitCode::io where
/// Python itself fails. Throws UnavailableError where no Python can run the package.
ExitCode plot_command(const PlotArguments& plot);

}  // namespace polhode
