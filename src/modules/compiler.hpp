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
  /// UnavailableError where there is none. Once found, it is not looked for again.
  static const Compiler& find(const Target& target);
  virtual ~Compiler() = default;

  /// Name of the folder in the cache for what the compiler makes: the compiler's name, and a hash of its file and the
  /// words of its command; for a C++ compiler also of its options, for nvcc of the environment that it reads and the
  /// program's CUDA runtime.
  const std::string& folder() const { return folder_; }
  /// Name and version that the compiler gives when asked, e.g. "g++ (Debian 12.2.0-14) 12.2.0".
  virtual std::string in_words() const = 0;
  /// Commands that make, one after the other, the shared object `output` from the file `source`. Other files that they
  /// leave are in the folder of `output`. Throws UnavailableError where the compiler is too old, or the headers of this
  /// program are not found.
  virtual std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                        const std::filesystem::path& output) const = 0;

 protected:
  explicit Compiler(std::string folder) : folder_(std::move(folder)) {}

 private:
  std::string folder_;
};

}  // namespace polhode
