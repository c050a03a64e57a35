// The benchmarks and their names, under which the report finds what they measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "backend/cpu/kernels.hpp"
#include "top.hpp"

namespace polhode::bench {

inline constexpr const char* ns_per_step = "ns_per_step";    ///< per trajectory and core
inline constexpr const char* cost_percent = "cost_percent";  ///< over the same run without observers
inline constexpr const char* fmas_per_ns = "fmas_per_ns";    ///< vector instructions on one core

inline constexpr std::int64_t small_ensemble = 256;    ///< stays in the first cache
inline constexpr std::int64_t large_ensemble = 65536;  ///< a picture of Figure 1 with all its detail

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
std::string odeint_name();
std::string peak_name(Isa isa);

/// What the report is made of.
std::vector<Measurement> all_measurements();

void register_benchmarks();

/// Empty if a few steps of odeint and of RATTLE agree up to the error of the method; otherwise what is wrong.
std::string disagreement_with_odeint();

}  // namespace polhode::bench
