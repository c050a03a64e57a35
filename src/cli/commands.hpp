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

/// Runs to the end, or to Ctrl-C, on all ranks together. Throws Error with ExitCode::failed where every trajectory
/// failed.
ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);
/// Prints what the run would be, and how much time, memory and room it would take.
ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);

struct ConvertOptions {
  std::filesystem::path output;  ///< empty: standard output
  bool force = false;            ///< replace an existing output
};
/// Writes the configuration for `to`, another description of its system. overrides: changes of what is written. Throws
/// InputError where a start is not in that description, or where what is written would be no configuration.
ExitCode convert_command(const Configuration& configuration, const std::string& to, const Overrides& overrides,
                         const ConvertOptions& options);

enum class ListTopic { systems, methods, sections, keys, backends, schema };
inline constexpr const char* list_topics[] = {"systems", "methods", "sections", "keys", "backends", "schema"};
/// Prints all entries of a topic, in short; or in full those of the system, family or method `name`, if that is not
/// empty. json: as JSON, always in full. Throws InputError if there is none of that name.
ExitCode list_command(ListTopic topic, const std::string& name, bool json);

struct CompileOptions {
  bool all = false;                    ///< every kernel of the program, or of the systems that are named
  std::vector<std::string> systems{};  ///< headers of users' systems
  std::vector<Target> targets{};       ///< empty: those of the runs; with `all` the best of this processor
  std::filesystem::path into;          ///< folder; empty: the cache
};
/// Compiles the kernels of runs.
ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options);

struct InfoOptions {
  bool columns = false;  ///< columns of every dataset, in place of the summary
  bool json = false;     ///< both, as JSON
};
ExitCode info_command(const std::filesystem::path& file, const InfoOptions& options);

/// BibTeX of the publications behind a result. The catalog must have its system and its method.
ExitCode cite_command(const std::filesystem::path& file);

/// Compares backends; ExitCode::failed if a check failed, or if nothing could be compared.
ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json);

/// Measures the order of the run's method; ExitCode::failed where no order can be seen.
ExitCode order_command(const ResolvedRun& run, const AccuracyOptions& options);
ExitCode workprec_command(const ResolvedRun& run, const AccuracyOptions& options);

struct BenchOptions : ThroughputOptions {
  std::vector<BackendChoice> backends = {BackendChoice::cpu, BackendChoice::cuda};
  bool json = false;             ///< in place of the table
  std::filesystem::path output;  ///< file for the JSON, in addition; empty: none
  bool force = false;            ///< replace an existing output
};
/// Specification of a run for a backend.
using SpecFor = std::function<RunSpec(BackendChoice)>;
/// Measures the speed of backends. Throws UnavailableError where none can be measured.
ExitCode bench_command(const SpecFor& spec, const BenchOptions& options);

struct PlotArguments {
  std::vector<std::filesystem::path> files;  ///< one result, or several of one system to compare
  std::filesystem::path output;              ///< empty: the first file's name with .png
  std::string view;                          ///< empty: what suits the file
  std::string axes;                          ///< of the section, "A,B"; empty: those of its system
  std::string range;                         ///< of both axes, "LOW,HIGH,LOW,HIGH"; empty: that of the points
  std::string trajectories;                  ///< numbers and intervals, "0,5,10-20"; empty: all
};

/// Hands the files to the Python package, which knows the views.
ExitCode plot_command(const PlotArguments& plot);

}  // namespace polhode
