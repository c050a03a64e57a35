#include "backend/cuda/check.hpp"

#include <string>
#include <string_view>

#include "error.hpp"

namespace polhode {

void cuda_check(cudaError_t status, const char* what, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // reported here; it must not appear again at the next launch
  const std::string_view path = where.file_name();
  const std::string file(path.substr(path.find_last_of('/') + 1));
  throw UnavailableError(std::string("the GPU could not ") + what + " (" + cudaGetErrorName(status) + ": " +
                         cudaGetErrorString(status) + ", " + file + ":" + std::to_string(where.line()) +
                         "). Use --backend cpu.");
}

}  // namespace polhode
