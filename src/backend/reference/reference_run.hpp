// The reference's own time loop, section finder and bookkeeping, around anything that it can advance.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

/// motion: of any trajectory; its copies are advanced.
std::unique_ptr<Backend> make_reference_run(const Plan& plan, const Observables& observables,
                                            std::unique_ptr<Motion> motion);

}  // namespace polhode
