// Streams and events of CUDA, for a PipelineDevice (backend/pipeline.hpp).
#pragma once

#include <memory>
#include <type_traits>

#include "backend/cuda/check.hpp"

namespace polhode {

class CudaStream;

class CudaEvent {
 public:
  /// Flags of an event that the host waits for without spinning, so that its core is free for others.
  static constexpr unsigned to_wait_for = cudaEventDisableTiming | cudaEventBlockingSync;
  /// Flags of an event for seconds_since().
  static constexpr unsigned to_measure = cudaEventDefault;

  explicit CudaEvent(unsigned flags = to_wait_for) {
    cudaEvent_t event = nullptr;
    cuda_check(cudaEventCreateWithFlags(&event, flags), "create an event");
    event_.reset(event);
  }
  operator cudaEvent_t() const { return event_.get(); }

  inline void record(const CudaStream& stream);
  void wait() const { cuda_check(cudaEventSynchronize(*this), "do its work"); }
  /// Seconds from the event `earlier` to this one; both must have been made to_measure, and have happened.
  double seconds_since(const CudaEvent& earlier) const {
    float milliseconds = 0;
    cuda_check(cudaEventElapsedTime(&milliseconds, earlier, *this), "tell the time");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// Stream whose destructor waits for its work: destroying a stream of CUDA does not.
class CudaStream {
 public:
  CudaStream() {
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    stream_.reset(stream);
  }
  operator cudaStream_t() const { return stream_.get(); }

  void wait(const CudaEvent& event) { cuda_check(cudaStreamWaitEvent(*this, event), "order its work"); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const {
      cudaStreamSynchronize(stream);  // an error has nobody left to be told
      cudaStreamDestroy(stream);
    }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

inline void CudaEvent::record(const CudaStream& stream) {
  cuda_check(cudaEventRecord(*this, stream), "order its work");
}

}  // namespace polhode
