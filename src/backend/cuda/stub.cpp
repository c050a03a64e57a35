// Replaces the CUDA backend in a build without nvcc.
#include <limits>

#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"

namespace polhode {

std::string cuda_problem() { return "CUDA is not compiled in: there was no nvcc"; }

void choose_cuda_device(int) {}

int cuda_capability() {
  throw UnavailableError("backend cuda is unavailable (" + cuda_problem() + "). Use --backend cpu.");
}

double cuda_fma_peak(Precision) { return std::numeric_limits<double>::quiet_NaN(); }

std::unique_ptr<Backend> make_cuda_backend(const RunPlan&, const CudaKernels&, int, const CudaOptions&) {
  throw UnavailableError("backend cuda is unavailable (" + cuda_problem() + "). Use --backend cpu.");
}

}  // namespace polhode
