// Targets that kernels are compiled for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/run/targets.hpp"

namespace polhode {

/// An instruction set of processors, or the GPUs of a compute capability.
class Target {
 public:
  Target(Isa isa) : isa_(isa) {}
  /// GPUs of a compute capability, given as ten times its major number plus the minor one.
  static Target gpu(int capability);

  bool is_gpu() const { return capability_ > 0; }
  int capability() const { return capability_; }  ///< of GPUs
  Isa isa() const { return isa_; }                ///< of processors
  /// Name of the target: "scalar", "avx2", "avx512", or e.g. "sm_90".
  std::string name() const;

 private:
  Isa isa_;
  int capability_ = 0;  ///< 0: the target is a processor
};

/// Target of a name; none where that names no target. Any "sm_" with a number from 10 to 999 does: only the compiler
/// knows which GPUs there are.
std::optional<Target> find_target(std::string_view name);
/// Names of all instruction sets, and of the GPUs that are likely to be meant.
std::vector<std::string> target_names();

}  // namespace polhode
