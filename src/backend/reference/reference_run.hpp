// Time loop, section finder and bookkeeping of the reference, for any Motion.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

/// Makes the reference backend of a system with these observables. motion: a prototype, of which each trajectory has a
/// clone.
std::unique_ptr<Backend> make_reference_run(const RunPlan& plan, const Observables& observables,
                                            std::unique_ptr<Motion> motion);

}  // namespace polhode
