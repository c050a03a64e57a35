#include "modules/nvcc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "module_flags.hpp"
#include "modules/headers.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

/// A release of nvcc.
struct Release {
  int major = 0, minor = 0;
  auto operator<=>(const Release&) const = default;
};
// The first one that makes correct kernels: it knows -no-stack-coloring (cmake/SystemUnits.cmake).
constexpr Release oldest{12, 4};
constexpr Release first_with_small_files{13, 0};

Release release_of(const std::string& version) {
  Release release;
  std::istringstream stream(version);
  char point;
  stream >> release.major >> point >> release.minor;
  return release;
}

/// Text that tells one compiler from another: its file, the program's CUDA runtime, the words of the command that calls
/// it, and the environment variables that it reads.
std::string identity_of_compiler(const Command& program) {
  std::string identity = identity_of(Path(program.front())) + " " + module_flags::cuda_runtime;
  for (const std::string& word : program) identity += " " + word;
  for (const char* const variable : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"})
    if (const char* const value = std::getenv(variable)) identity += fmt::format(" {}={}", variable, value);
  return identity;
}

}  // namespace

Nvcc::Nvcc(Command program)
    : Compiler(folder_name("nvcc", identity_of_compiler(program))), program_(std::move(program)) {}

Nvcc Nvcc::search(const Target& target) {
  if (const char* const asked = std::getenv("POLHODE_NVCC"); asked && *asked) {
    if (const std::optional<Command> command = find_command(asked)) return Nvcc(*command);
    throw UnavailableError(fmt::format(
        "cannot compile kernels for a GPU (POLHODE_NVCC names {}, which is no program). Correct or unset it.", asked));
  }
  for (const char* const name : {POLHODE_BUILT_WITH_NVCC, "nvcc", "/usr/local/cuda/bin/nvcc"})
    if (const std::optional<Command> command = find_command(name)) return Nvcc(*command);
  throw UnavailableError(
      fmt::format("cannot compile kernels for {0} (there is no nvcc). Install the CUDA toolkit, or run polhode compile "
                  "CONFIG --for {0} where it is.",
                  target.name()));
}

const std::string& Nvcc::version() const {
  std::call_once(is_asked_, [&] {
    Command ask = program_;
    ask.emplace_back("--version");
    const std::string text = output_of(ask).text;
    const std::size_t begin = text.find(", V"), end = text.find_first_of(" \n", begin + 3);
    version_ = begin == std::string::npos ? "of no version" : text.substr(begin + 3, end - begin - 3);
  });
  return version_;
}

std::string Nvcc::in_words() const { return "nvcc " + version(); }

std::vector<Command> Nvcc::commands(const Target& target, const Path& source, const Path& output) const {
  const Release release = release_of(version());
  if (release < oldest)
    throw UnavailableError(
        fmt::format("cannot compile kernels for a GPU ({} is nvcc {}). Let POLHODE_NVCC name one of {}.{} or newer.",
                    program_.front(), version(), oldest.major, oldest.minor));
  const HeaderFolders& headers = header_folders();
  Command compile = program_;
  append(compile, {"-std=c++20", "-O3", "-DNDEBUG"});
  append(compile, words_of(module_flags::cuda));
  append(compile, {fmt::format("--generate-code=arch=compute_{0},code=sm_{0}", target.capability())});
  if (release >= first_with_small_files) append(compile, {"--compress-mode=size"});
  // Nothing but libc, and nothing undefined; the stubs of kernels need no lock, since modules are called by one thread.
  append(compile, {"-Xcompiler=-fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-nodefaultlibs",
                   "-Xlinker=--exclude-libs=ALL,--as-needed,-s,-z,defs"});
  // Streams and events are the driver's, so that modules may bring a runtime of their own. That of the program is
  // shared where it is a library, and of the same major release, whose name it bears.
  const bool is_shared = std::to_string(release.major) == module_flags::cuda_runtime;
  append(compile,
         {"-cudart", is_shared ? "shared" : "static", "-I", headers.include.string(), "-I", headers.sources.string(),
          "-I", headers.device.string(), "-x", "cu", "-shared", "-o", output.string(), source.string(), "-lm", "-lc"});
  return {compile};
}

std::string spills_in(const Path& log) {
  constexpr const char* kernels[] = {"propagate_kernel", "collect_kernel", "statistics_kernel"};
  std::ifstream stream(log);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("ptxas") == std::string::npos || line.find("ocal memory") == std::string::npos) continue;
    const std::string what = line.substr(std::min(line.find_last_of('\''), line.size() - 1) + 1);
    std::string said = "ptxas";
    for (const char* const kernel : kernels)
      if (line.find(kernel) != std::string::npos) said = kernel;
    return fmt::format("{} spills registers to memory{}", said, what);
  }
  return {};
}

}  // namespace polhode
