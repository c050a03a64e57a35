// The step map on the linkage, for the instruction set that this is compiled for.
#include "backend/cpu/unit.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "support/linkage.hpp"

extern "C" constexpr polhode::CpuTable UNIT_TABLE = polhode::cpu_table<polhode::Precisions<double, float>>(
    polhode::StepMaps<polhode::ConstrainedMotion<polhode::Linkage, polhode::NewtonSecantSolver>>{});
