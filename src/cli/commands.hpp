// The subcommands of polhode. Each returns an exit code and throws Error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crosscheck/crosscheck.hpp"
#include "driver/run.hpp"
#include "error.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct RunSwitches : RunOptions {
  bool quiet = false;
};

/// Runs to the end, or to Ctrl-C, on all ranks together. ExitCode::failed, as an Error, where every trajectory failed.
ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);
/// Says what the run would be.
ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks);

enum class ListTopic { systems, methods, sections, backends, schema };
inline constexpr const char* list_topics[] = {"systems", "methods", "sections", "backends", "schema"};
ExitCode list_command(ListTopic topic, bool json);

ExitCode info_command(const std::filesystem::path& file);

/// ExitCode::failed where a promise is broken, or nothing could be compared.
ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json);

struct PlotArguments {
  std::vector<std::filesystem::path> files;  ///< one result, or several of one system to compare
  std::filesystem::path output;              ///< empty: the first file's name with .png
  std::string view;                          ///< empty: what suits the file
  std::string axes;                          ///< of the section, "A,B"; empty: those of its system
};

/// Hands the files to the Python package, which knows the views.
ExitCode plot_command(const PlotArguments& plot);

}  // namespace polhode
