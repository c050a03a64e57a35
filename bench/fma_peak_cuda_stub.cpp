// Stands in for the measurement on a GPU in a build without nvcc.
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"
#include "fma_peak_cuda.hpp"

namespace polhode::bench {

std::int64_t run_cuda_fmas(Precision) { throw UnavailableError(cuda_problem()); }

}  // namespace polhode::bench
