#include "modules/cxx_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "backend/cpu/isa.hpp"
#include "error.hpp"
#include "module_flags.hpp"
#include "modules/headers.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

std::string& own_python() {
  static std::string path;
  return path;
}

}  // namespace

void set_own_python(std::string path) { own_python() = std::move(path); }

CxxCompiler::CxxCompiler(Command program, Family family)
    : Compiler(folder_of(program, family)), program_(std::move(program)), family_(family) {}

std::string CxxCompiler::folder_of(const Command& program, Family family) {
  std::string identity = identity_of(program.front());
  for (int i = 0; i < n_isas; ++i)
    for (const std::string& option : options(Isa{i}, family)) identity += " " + option;
  for (const std::string& word : program) identity += " " + word;
  return folder_name(family == Family::zig ? "zig" : Path(program.front()).filename().string(), identity);
}

CxxCompiler CxxCompiler::search() {
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
    return CxxCompiler(std::move(command), family);
  };
  if (const char* const asked = std::getenv("POLHODE_COMPILER"); asked && *asked) {
    if (const std::optional<Command> command = find_command(asked)) return of(*command);
    throw UnavailableError(fmt::format(
        "cannot compile kernels (POLHODE_COMPILER names {}, which is no program). Correct or unset it.", asked));
  }
  for (const char* const name : {POLHODE_BUILT_BY, "g++", "c++", "clang++"})
    if (const std::optional<Command> command = find_command(name)) return of(*command);
  const char* const asked_python = std::getenv("POLHODE_PYTHON");
  for (const std::string& name : {own_python(), std::string(asked_python ? asked_python : ""), std::string("python3")})
    if (const std::optional<Path> python = find_program(name);
        python && output_of({python->string(), "-c", "import ziglang"}).ok)
      return of({python->string(), "-m", "ziglang", "c++"});
  throw UnavailableError(
      "cannot compile kernels (there is no C++ compiler). Install g++, or the Python package ziglang.");
}

std::string CxxCompiler::in_words() const {
  Command ask = program_;
  if (family_ == Family::zig && ask.back() == "c++")
    ask.back() = "version";
  else
    ask.emplace_back("--version");
  std::string text = output_of(ask).text;
  text.erase(std::min(text.find('\n'), text.size()));
  return family_ == Family::zig ? "zig " + text : text;
}

std::vector<std::string> CxxCompiler::options(Isa isa, Family family) {
  // Speed is not promised for code for any processor, which is there to compare with: it spends its time in the
  // library's fused multiply-add.
  std::vector<std::string> all{"-std=c++20",
                               isa == Isa::scalar ? module_flags::quick : module_flags::optimised,
                               "-DNDEBUG",
                               "-fPIC",
                               "-fvisibility=hidden",
                               "-w"};
  append(all, words_of(module_flags::step));
  append(all, words_of(module_flags::unit));
  if (family == Family::gnu) append(all, words_of(module_flags::gnu));
  std::string isa_flags = module_flags::isas[static_cast<int>(isa)];
  if (family == Family::zig) {  // which has "_" in the names of processors
    const std::size_t name = isa_flags.find("x86");
    std::replace(isa_flags.begin() + static_cast<std::ptrdiff_t>(name), isa_flags.end(), '-', '_');
  }
  append(all, words_of(isa_flags));
  return all;
}

std::vector<Command> CxxCompiler::commands(const Target& target, const Path& source, const Path& output) const {
  const HeaderFolders& headers = header_folders();
  // Nothing but libc, libm and what the compiler has of its own for products of complex numbers; and nothing undefined.
  const std::vector<std::string> linking{"-shared", "-o",  output.string(), "-nodefaultlibs",
                                         "-lm",     "-lc", "-lgcc",         "-Wl,-z,defs"};
  Command compile = program_;
  append(compile, options(target.isa(), family_));
  append(compile, {"-I", headers.include.string(), "-I", headers.sources.string(), source.string()});
  if (family_ != Family::zig) {
    append(compile, linking);
    return {compile};
  }
  // As a C compiler zig links without a C++ library, which it would build for minutes.
  const std::string object = output.string() + ".o", cache = (output.parent_path() / "zig").string();
  append(compile, {"-c", "-o", object});
  Command link = program_;
  if (link.back() == "c++") link.back() = "cc";  // a wrapper in one word links with the C++ library
  append(link, {object, "-shared", "-lm", "-o", output.string()});
  for (Command* const command : {&compile, &link})
    command->insert(command->begin(), {"env", "ZIG_GLOBAL_CACHE_DIR=" + cache, "ZIG_LOCAL_CACHE_DIR=" + cache});
  return {compile, link};
}

}  // namespace polhode
