// polhode plot: finds a Python that has what the package needs and hands over to it.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"

namespace polhode {
namespace {

namespace fs = std::filesystem;

/// Folder of the Python package: beside an installed program, or else in the source tree that the program was built
/// from; empty in a wheel, which is in a folder that Python knows.
fs::path python_folder() {
#ifdef POLHODE_PYTHON_SOURCE
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / POLHODE_PYTHON_INSTALLED;
    if (fs::exists(installed / "polhode", error)) return installed;
  }
  return POLHODE_PYTHON_SOURCE;
#else
  return {};
#endif
}

/// Runs a program to its end. arguments: its name or path, then its arguments; silent: discards its output. Returns its
/// exit code; nothing where it could not be started or was killed.
std::optional<int> run_program(const std::vector<std::string>& arguments, bool silent) {
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    if (silent && (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr))) _exit(127);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127) return std::nullopt;
  return WEXITSTATUS(status);
}

bool imports_modules(const std::string& python) {
  return run_program({python, "-c", "import h5py, matplotlib, numpy"}, true) == 0;
}

/// Name or path of a Python that imports the modules: $POLHODE_PYTHON if set, else the first of python3 on the path and
/// /usr/bin/python3 that does. Throws UnavailableError where $POLHODE_PYTHON is set and does not, or neither of the two
/// does.
std::string find_python() {
  if (const char* chosen = std::getenv("POLHODE_PYTHON"); chosen && *chosen) {
    if (imports_modules(chosen)) return chosen;
    throw UnavailableError(
        fmt::format("cannot plot ($POLHODE_PYTHON = {} does not import h5py, matplotlib and numpy). Install "
                    "them or name another Python.",
                    chosen));
  }
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (imports_modules(candidate)) return candidate;
  throw UnavailableError(
      "cannot plot (no python3 here imports h5py, matplotlib and numpy). Install python3-h5py and "
      "python3-matplotlib, or set POLHODE_PYTHON.");
}

}  // namespace

ExitCode plot_command(const PlotArguments& plot) {
  const std::string python = find_python();
  if (const fs::path folder = python_folder(); !folder.empty()) setenv("PYTHONPATH", folder.c_str(), 1);
  std::vector<std::string> arguments{python, "-m", "polhode.plot"};
  for (const auto& [name, value] : plot.options)
    if (value) arguments.push_back(fmt::format("{}={}", name, *value));
  arguments.emplace_back("--");  // a file's name may begin with a dash
  for (const fs::path& file : plot.files) arguments.push_back(file.string());
  const auto status = run_program(arguments, false);
  if (!status)
    throw UnavailableError(fmt::format("cannot plot ({} could not be run to its end). Check POLHODE_PYTHON.", python));
  // Anything but the package's own codes is Python's trouble.
  const bool known = *status == 0 || (*status >= 2 && *status <= 4) || *status == 130;
  return known ? static_cast<ExitCode>(*status) : ExitCode::io;
}

}  // namespace polhode
