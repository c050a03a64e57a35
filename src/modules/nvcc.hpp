// Compiler of modules for GPUs.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "modules/compiler.hpp"

namespace polhode {

/// The compiler of CUDA.
class Nvcc final : public Compiler {
 public:
  /// $POLHODE_NVCC, else the one that was there when the program was built, that of $PATH, or /usr/local/cuda/bin/nvcc.
  /// Throws UnavailableError where none is, which says what can be done about the target.
  static Nvcc search(const Target& target);

  std::string in_words() const override;
  std::vector<Command> commands(const Target& target, const std::filesystem::path& source,
                                const std::filesystem::path& output) const override;

 private:
  explicit Nvcc(Command program);
  /// Its version as it says it, "13.0.88". It is asked once.
  const std::string& version() const;

  Command program_;
  mutable std::once_flag is_asked_;
  mutable std::string version_;
};

/// Words of nvcc's log on local memory that a kernel takes for want of registers, in a line; or empty.
std::string spills_in(const std::filesystem::path& log);

}  // namespace polhode
