// Runs what is asked of the CUDA runtime on fake streams.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "pipeline/fake_streams.hpp"

namespace polhode::test {

/// Streams and events that are made from here on are of the schedule.
void run_fake_cuda(Schedule& schedule);

/// Queues a kernel.
cudaError_t launch(cudaStream_t stream, const std::function<void()>& kernel);

}  // namespace polhode::test
