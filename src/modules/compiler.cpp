#include "modules/compiler.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "checksum.hpp"
#include "error.hpp"
#include "module_flags.hpp"
#include "modules/headers.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

/// Words of a text between spaces and semicolons.
std::vector<std::string> words_of(std::string text) {
  for (char& c : text)
    if (c == ';') c = ' ';
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// The file of a program, which has a path or is on $PATH.
std::optional<Path> find_program(const std::string& name) {
  const auto is_program = [](const Path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional<Path>(name) : std::nullopt;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_program(Path(folder) / name)) return Path(folder) / name;
  return std::nullopt;
}

/// Name of the file that links lead to, and what changes when it is replaced.
std::string identity_of(const Path& program) {
  std::error_code ignored;
  const Path file = std::filesystem::canonical(program, ignored);
  struct stat status = {};
  stat(file.c_str(), &status);
  return fmt::format("{} {} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// A command, which is a path or words; its program is found. Nothing where it is not there.
std::optional<Command> find_command(const std::string& text) {
  Command command = find_program(text) ? Command{text} : words_of(text);
  const std::optional<Path> file = command.empty() ? std::nullopt : find_program(command.front());
  if (!file) return {};
  command.front() = file->string();
  return command;
}

}  // namespace

Compiler::Compiler(Command program, Family family) : program_(std::move(program)), family_(family) {
  std::string identity = identity_of(program_.front());
  for (int i = 0; i < 3; ++i)
    for (const std::string& option : options(Isa{i})) identity += " " + option;
  for (const std::string& word : program_) identity += " " + word;
  Checksum sum;
  sum.add(std::as_bytes(std::span(identity)));
  const std::string name = family_ == Family::zig ? "zig" : Path(program_.front()).filename().string();
  folder_ = fmt::format("{}-{:016x}", name, sum.value());
}

Compiler Compiler::search() {
  // A wrapper such as ccache has a name of its own, and the compiler as a link to it or as another word.
  const auto is_named = [](const Command& command, const char* name) {
    std::error_code ignored;
    const std::string file = std::filesystem::canonical(command.front(), ignored).filename().string();
    return file.find(name) != std::string::npos || std::ranges::any_of(command, [&](const std::string& word) {
             return Path(word).filename().string().find(name) != std::string::npos;
           });
  };
  const auto of = [&](Command command) {
    const Family family = is_named(command, "zig")     ? Family::zig
                          : is_named(command, "clang") ? Family::clang
                                                       : Family::gnu;
    return Compiler(std::move(command), family);
  };
  if (const char* const asked = std::getenv("POLHODE_COMPILER"); asked && *asked) {
    if (const std::optional<Command> command = find_command(asked)) return of(*command);
    throw UnavailableError(fmt::format(
        "cannot compile kernels (POLHODE_COMPILER names {}, which is no program). Correct or unset it.", asked));
  }
  for (const char* const name : {POLHODE_BUILT_BY, "g++", "c++", "clang++"})
    if (const std::optional<Command> command = find_command(name)) return of(*command);
  if (const std::optional<Path> python = find_program("python3");
      python && output_of({python->string(), "-c", "import ziglang"}).ok)
    return of({python->string(), "-m", "ziglang", "c++"});
  throw UnavailableError(
      "cannot compile kernels (there is no C++ compiler). Install g++, or the Python package ziglang.");
}

const Compiler& Compiler::find() {
  static const Compiler found = search();
  return found;
}

std::string Compiler::in_words() const {
  Command ask = program_;
  if (family_ == Family::zig)
    ask.back() = "version";
  else
    ask.emplace_back("--version");
  std::string text = output_of(ask).text;
  text.erase(std::min(text.find('\n'), text.size()));
  return family_ == Family::zig ? "zig " + text : text;
}

std::vector<std::string> Compiler::options(Isa target) const {
  // Speed is not promised for code for any processor, which is there to compare with: it spends its time in the
  // library's fused multiply-add.
  std::vector<std::string> all{"-std=c++20",
                               target == Isa::scalar ? module_flags::quick : module_flags::optimised,
                               "-DNDEBUG",
                               "-fPIC",
                               "-fvisibility=hidden",
                               "-w"};
  append(all, words_of(module_flags::step));
  append(all, words_of(module_flags::unit));
  if (family_ == Family::gnu) append(all, words_of(module_flags::gnu));
  std::string processor = module_flags::isas[static_cast<int>(target)];
  if (family_ == Family::zig) {  // which names it by words
    const std::size_t name = processor.find("x86");
    std::replace(processor.begin() + static_cast<std::ptrdiff_t>(name), processor.end(), '-', '_');
  }
  append(all, words_of(processor));
  return all;
}

std::vector<Command> Compiler::commands(Isa target, const Path& source, const Path& output) const {
  const HeaderFolders& headers = header_folders();
  // Nothing but libc, libm and what the compiler has of its own for products of complex numbers; and nothing undefined.
  const std::vector<std::string> linking{"-shared", "-o",  output.string(), "-nodefaultlibs",
                                         "-lm",     "-lc", "-lgcc",         "-Wl,-z,defs"};
  Command compile = program_;
  append(compile, options(target));
  append(compile, {"-I", headers.include.string(), "-I", headers.sources.string(), source.string()});
  if (family_ != Family::zig) {
    append(compile, linking);
    return {compile};
  }
  // As a C compiler zig links without a C++ library, which it would build for minutes.
  const std::string object = output.string() + ".o", cache = (output.parent_path() / "zig").string();
  append(compile, {"-c", "-o", object});
  Command link = program_;
  link.back() = "cc";
  append(link, {object, "-shared", "-lm", "-o", output.string()});
  for (Command* const command : {&compile, &link})
    command->insert(command->begin(), {"env", "ZIG_GLOBAL_CACHE_DIR=" + cache, "ZIG_LOCAL_CACHE_DIR=" + cache});
  return {compile, link};
}

}  // namespace polhode
