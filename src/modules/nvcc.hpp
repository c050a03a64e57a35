// Compiler of modules for GPUs.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "modules/compiler.hpp"

namespace polhode {

class Nvcc final : public Compiler {
 public:
  /// Compiler $POLHODE_NVCC, else the first that is there of these: the one that the program was built with, nvcc on
  /// $PATH, and /usr/local/cuda/bin/nvcc. Throws UnavailableError where none is there, with advice for the target, or
  /// where $POLHODE_NVCC is no program.
  static Nvcc search(const Target& target);

  std::string in_words() const override;
  std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                const std::filesystem::path& output) const override;

 private:
  explicit Nvcc(Command program);
  /// Version that nvcc gives, e.g. "13.0.88", or "of no version" where it gives none. nvcc is asked once.
  const std::string& version() const;

  Command program_;
  mutable std::once_flag is_asked_;
  mutable std::string version_;
};

/// Words on the first kernel in nvcc's log, the file `log`, that takes local memory for want of registers; empty where
/// none does.
std::string spills_in(const std::filesystem::path& log);

}  // namespace polhode
