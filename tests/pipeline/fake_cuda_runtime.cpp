// As much of the CUDA runtime as a pipeline calls: memory of a device is the host's, and streams are fake.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backend/cuda/check.hpp"
#include "kernels/device_code.hpp"
#include "pipeline/fake_cuda_runtime.hpp"

namespace {

using polhode::test::FakeEvent;
using polhode::test::FakeStream;

polhode::test::Schedule* schedule = nullptr;

FakeStream& fake(cudaStream_t stream) { return *reinterpret_cast<FakeStream*>(stream); }
FakeEvent& fake(cudaEvent_t event) { return *reinterpret_cast<FakeEvent*>(event); }

cudaError_t allocate(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  std::memset(*memory, 0xee, bytes);
  return cudaSuccess;
}
cudaError_t release(void* memory) {
  std::free(memory);
  return cudaSuccess;
}

/// Queues work as the runtime does, which has no exceptions.
template <class Work>
cudaError_t queue(cudaStream_t stream, const Work& work) {
  try {
    fake(stream).queue(work);
  } catch (const polhode::test::DeviceFailure&) {
    return cudaErrorUnknown;
  }
  return cudaSuccess;
}

}  // namespace

void polhode::test::run_fake_cuda(Schedule& with) { schedule = &with; }

cudaError_t polhode::test::launch(cudaStream_t stream, const std::function<void()>& kernel) {
  return queue(stream, kernel);
}

void polhode::cuda_check(cudaError_t status, const char*, std::source_location) {
  if (status != cudaSuccess) throw test::DeviceFailure();
}

cudaError_t polhode::launch_check(const std::int64_t* count, std::int64_t room, std::uint32_t* overflowed,
                                  cudaStream_t stream) {
  return test::launch(stream, [=] {
    if (*count > room) *overflowed = 1;
  });
}
cudaError_t polhode::launch_carry_on(const std::int64_t* from, std::int64_t* to, std::int64_t n,
                                     const std::uint32_t* overflowed, cudaStream_t stream) {
  return test::launch(stream, [=] {
    if (*overflowed == 0) std::copy_n(from, n, to);
  });
}

cudaError_t polhode::find_device_code() { return cudaSuccess; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 1;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return ""; }

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  std::memset(memory, 0xee, bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) { return release(memory); }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return queue(stream, [=] { std::memset(memory, value, bytes); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return queue(stream, [=] { std::memcpy(to, from, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(new FakeStream(*schedule, schedule->draw(1u << 30)));
  return cudaSuccess;
}
/// At the end of a stream, which waits in any case.
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete &fake(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  fake(stream).wait(fake(event));
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new FakeEvent(*schedule));
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &fake(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  fake(event).record(fake(stream));
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  try {
    fake(event).wait();
  } catch (const polhode::test::DeviceFailure&) {
    return cudaErrorUnknown;
  }
  return cudaSuccess;
}
