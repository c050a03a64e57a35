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
  /// The one for a target: nvcc (nvcc.hpp) for GPUs, a C++ compiler (cxx_compiler.hpp) for processors. Throws
  /// UnavailableError where there is none. Found once.
  static const Compiler& find(const Target& target);
  virtual ~Compiler() = default;

  /// Name of the folder for what it makes: its own, and a hash of which file it is and of its options.
  const std::string& folder() const { return folder_; }
  /// How it calls itself, e.g. "g++ (Debian 12.2.0-14) 12.2.0". It is asked.
  virtual std::string in_words() const = 0;
  /// Commands that make a shared object of a source; files of their own are in the folder of the output. Throws
  /// UnavailableError where it is too old.
  virtual std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                        const std::filesystem::path& output) const = 0;

 protected:
  explicit Compiler(std::string folder) : folder_(std::move(folder)) {}

 private:
  std::string folder_;
};

}  // namespace polhode
