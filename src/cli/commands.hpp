// The subcommands of polhode besides run. Each returns an exit code and throws Error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crosscheck/crosscheck.hpp"
#include "ensemble/run_spec.hpp"
#include "error.hpp"

namespace polhode {

enum class ListTopic { systems, methods, sections, backends };
ExitCode list_command(ListTopic topic, bool json);

ExitCode info_command(const std::filesystem::path& file);

/// ExitCode::failed where a promise is broken, or nothing could be compared.
ExitCode crosscheck_command(const RunSpec& spec, const CrosscheckOptions& options, bool json);

struct PlotArguments {
  std::vector<std::filesystem::path> files;  ///< one result, or several of one system to compare
  std::filesystem::path output;              ///< empty: the first file's name with .png
  std::string view;                          ///< empty: what suits the file
  std::string axes;                          ///< of the section, "A,B"; empty: those of its system
};

/// Hands the files to the Python package, which knows the views.
ExitCode plot_command(const PlotArguments& plot);

}  // namespace polhode
