#include "backend/cuda/device_memory.hpp"

namespace polhode {

void DeviceBatch::upload(const Batch& batch, cudaStream_t stream) {
  copy_to_device(state_.data(), batch.state.data(), state_.size(), stream);
  copy_to_device(invariants_.data(), batch.invariants.data(), invariants_.size(), stream);
  copy_to_device(max_drift_.data(), batch.max_drift.data(), max_drift_.size(), stream);
  copy_to_device(steps_.data(), batch.steps.data(), steps_.size(), stream);
  copy_to_device(code_.data(), batch.code.data(), code_.size(), stream);
}

void DeviceBatch::download(Batch& batch, cudaStream_t stream) const {
  copy_to_host(batch.state.data(), state_.data(), state_.size(), stream);
  copy_to_host(batch.invariants.data(), invariants_.data(), invariants_.size(), stream);
  copy_to_host(batch.max_drift.data(), max_drift_.data(), max_drift_.size(), stream);
  copy_to_host(batch.steps.data(), steps_.data(), steps_.size(), stream);
  copy_to_host(batch.code.data(), code_.data(), code_.size(), stream);
}

}  // namespace polhode
