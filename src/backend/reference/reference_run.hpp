// Time loop, section finder and bookkeeping of the reference, for any Motion.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

/// motion: of any trajectory; copies of it are advanced.
std::unique_ptr<Backend> make_reference_run(const RunPlan& plan, const Observables& observables,
                                            std::unique_ptr<Motion> motion);

}  // namespace polhode
