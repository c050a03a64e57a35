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

/// Whether this processor has an instruction set, and a plugin was compiled for it.
bool has_isa(const ResolvedRun& run, Isa isa);

/// Why it cannot run on a GPU, or an empty string if it can.
std::string problem_with_cuda(const ResolvedRun& run);

/// Throws UnavailableError where the requested backend is unavailable; "auto" takes cuda if it can be used, else cpu.
ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan);

}  // namespace polhode
