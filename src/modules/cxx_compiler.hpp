// Compiler of modules for processors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "modules/compiler.hpp"

namespace polhode {

class CxxCompiler final : public Compiler {
 public:
  /// Compiler $POLHODE_COMPILER, else the first that is there of these: the one that built the program, g++, c++,
  /// clang++, and the Python package ziglang of the Python that this is called from, of $POLHODE_PYTHON or of python3.
  /// Throws UnavailableError where none is there, or $POLHODE_COMPILER is no program.
  static CxxCompiler search();

  std::string in_words() const override;
  std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                const std::filesystem::path& output) const override;

 private:
  enum class Family { gnu, clang, zig };
  CxxCompiler(Command program, Family family);
  static std::vector<std::string> options(Isa isa, Family family);
  static std::string folder_of(const Command& program, Family family);

  Command program_;
  Family family_;
};

/// Names the Python that this library is called from.
void set_own_python(std::string path);

}  // namespace polhode
