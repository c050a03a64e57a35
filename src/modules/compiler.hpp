// Compilers of modules.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "modules/programs.hpp"
#include "modules/target.hpp"

namespace polhode {

class Compiler {
 public:
  /// Compiler for a target: nvcc (nvcc.hpp) for GPUs, a C++ compiler (cxx_compiler.hpp) for processors. Throws
  /// UnavailableError where there is none. Found once.
  static const Compiler& find(const Target& target);
  virtual ~Compiler() = default;

  /// Name of the folder for what the compiler makes: the compiler's name, and a hash of its file and its options, for
  /// nvcc also of its environment and the program's CUDA runtime.
  const std::string& folder() const { return folder_; }
  /// Name that the compiler gives itself when asked, e.g. "g++ (Debian 12.2.0-14) 12.2.0".
  virtual std::string in_words() const = 0;
  /// Commands that make the shared object `output` of a source; other files that they leave are in its folder. Throws
  /// UnavailableError where the compiler is too old, or the headers of this program are not found.
  virtual std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                        const std::filesystem::path& output) const = 0;

 protected:
  explicit Compiler(std::string folder) : folder_(std::move(folder)) {}

 private:
  std::string folder_;
};

}  // namespace polhode
