// Chooses and makes the backend of a run.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct ChosenBackend {
  std::string name;  ///< "reference", "cpu" or "cuda"
  std::unique_ptr<Backend> backend;
};

/// Throws UnavailableError where the requested backend is unavailable; "auto" takes cuda if it can be used and has
/// kernels, else cpu.
ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan);

}  // namespace polhode
