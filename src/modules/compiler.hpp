// The compiler of modules.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "polhode/run/units.hpp"

namespace polhode {

/// A command with arguments, without a shell.
using Command = std::vector<std::string>;

/// A C++ compiler.
class Compiler {
 public:
  /// $POLHODE_COMPILER, else the one that built the program, g++, c++, clang++ or the wheel ziglang, whichever is there
  /// first. Throws UnavailableError where none is. Found once.
  static const Compiler& find();

  /// Name of the folder for what it makes: its own, and a hash of which file it is and of its options.
  const std::string& folder() const { return folder_; }
  /// How it calls itself, e.g. "g++ (Debian 12.2.0-14) 12.2.0". It is asked.
  std::string in_words() const;
  /// Commands that make a shared object of a source, for an instruction set; files of their own are in the folder of
  /// the output.
  std::vector<Command> commands(Isa target, const std::filesystem::path& source,
                                const std::filesystem::path& output) const;

 private:
  enum class Family { gnu, clang, zig };
  Compiler(Command program, Family family);
  static Compiler search();
  std::vector<std::string> options(Isa target) const;

  Command program_;
  Family family_;
  std::string folder_;
};

}  // namespace polhode
