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
  int capability() const { return capability_; }  ///< compute capability; 0 for processors
  Isa isa() const { return isa_; }                ///< instruction set; only for processors
  /// Name of the target: "scalar", "avx2", "avx512", or e.g. "sm_90".
  std::string name() const;

 private:
  Isa isa_;
  int capability_ = 0;  ///< 0: the target is a processor
};

/// Target of a name; none where no target has the name. Any "sm_" with a number from 10 to 999 is taken for one: only
/// the compiler knows which GPUs there are.
std::optional<Target> find_target(std::string_view name);
/// Names of all instruction sets, and of the GPUs that people are likely to mean.
std::vector<std::string> target_names();

}  // namespace polhode
