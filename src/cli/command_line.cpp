// The command line: arguments to calls, errors to one line and an exit code.
#include "cli/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/completion.hpp"
#include "cli/manual.hpp"
#include "cli/parse_errors.hpp"
#include "modules/cache.hpp"
#include "output/h5.hpp"
#include "version.hpp"

namespace polhode {
namespace {

/// Text with spaces in place of line breaks and other control characters, which names in a configuration may contain.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

/// Opens standard streams that the caller has closed, so that no other file takes their place.
void open_standard_streams() {
  int descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

IoError cannot_print(const std::string& why) {
  return IoError(fmt::format("cannot write to standard output ({}). Check where it goes.", why));
}

void add_commands(CLI::App& app, Invocation& invocation) {
  app.set_version_flag("--version", fmt::format("polhode {} {}", program_version(), program_git()));
  app.require_subcommand(1);
  for (AddCommand* const add : all_commands) add(app, invocation);
  app.parse_complete_callback([&] {
    const int ranks = invocation.ranks.size();
    if (ranks > 1 && !app.got_subcommand("run") && !app.got_subcommand("help"))
      throw InputError(fmt::format(
          "cannot do this on {} ranks (it is not shared out, as a run is). Use polhode, or one rank.", ranks));
  });
}

/// Prints what the shells (completion/) or the build (cmake/Documents.cmake) asked for; false if the words ask for
/// nothing of the kind.
bool answer_program(const CLI::App& app, const Invocation& invocation, std::vector<std::string> words) {
  if (words.empty()) return false;
  const std::string asked = words.front();
  words.erase(words.begin());
  if (asked == "_complete")
    for (const std::string& word : complete(app, invocation, words)) fmt::print("{}\n", word);
  else if (asked == "_manual")
    fmt::print("{}", manual(app));
  else
    return false;
  return true;
}

/// Parses and runs the command line, or prints the help or the version that it asks for.
void parse(CLI::App& app, const Invocation& invocation, int argc, char** argv) {
  try {
    if (!answer_program(app, invocation, {argv + 1, argv + argc})) app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw explain(app, error);
    if (invocation.ranks.first()) app.exit(error);  // --help, --version
  }
  if (std::fflush(stdout) != 0) throw cannot_print(std::strerror(errno));
}

/// Parses and runs the command line; every failure is an Error.
void parse_and_run(CLI::App& app, const Invocation& invocation, int argc, char** argv) {
  try {
    parse(app, invocation, argc, argv);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) throw cannot_print(error.code().message());
    throw current_error();
  } catch (...) {
    throw current_error();
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error like a full disk
  set_module_notice([](const std::string& line) { fmt::print(stderr, "polhode: {}\n", line); });
  h5::close_nothing_at_exit();
  std::signal(SIGCHLD, SIG_DFL);  // who ignores it cannot wait for compilers
  Ranks ranks(argc, argv);
  CLI::App app{"polhode: very many trajectories of constrained Hamiltonian systems, with the same bits everywhere"};
  Invocation invocation{.ranks = ranks};
  add_commands(app, invocation);
  try {
    ranks.together("command", [&] { parse_and_run(app, invocation, argc, argv); });
  } catch (const Error& error) {
    if (ranks.first()) fmt::print(stderr, "polhode: {}\n", one_line(error.what()));
    invocation.result = error.code();
  }
  return static_cast<int>(invocation.result);
}

}  // namespace polhode
