// The step map of kick and drift on the rotor, for the instruction set that this is compiled for.
#include "backend/cpu/unit.hpp"
#include "polhode/method/kick_drift.hpp"
#include "support/rotor.hpp"

extern "C" constexpr polhode::CpuTable UNIT_TABLE =
    polhode::cpu_table<polhode::Precisions<double, float>>(polhode::StepMaps<polhode::KickDrift<polhode::Rotor>>{});
