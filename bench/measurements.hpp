// The benchmarks of the CPU backend and of its rivals, and the names under which the report finds what they measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "backend/cpu/kernels.hpp"
#include "integrators.hpp"
#include "run.hpp"
#include "top.hpp"

namespace polhode::bench {

inline constexpr const char* cost_percent = "cost_percent";  ///< over the same run without observers

/// One measurement of the CPU backend.
struct Measurement {
  Isa isa;
  int solver;
  Precision precision;
  std::int64_t trajectories;
  Observers observers{};
  int threads = 0;  ///< 0: one thread, timed by its own clock; else by the clock on the wall

  std::string name() const;
  bool observed() const { return observers.section != Observers::Section::none || observers.invariants_every > 0; }
};

std::vector<Isa> machine_isas();
/// The name under which an integrator is measured on its own, a small ensemble on one core.
std::string speed_name(const Integrator& integrator);
std::string peak_name(Isa isa);

/// What the report is made of.
std::vector<Measurement> all_measurements();

void register_benchmarks();

}  // namespace polhode::bench
