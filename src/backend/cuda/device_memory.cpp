#include "backend/cuda/device_memory.hpp"

namespace polhode {

DeviceBatch::DeviceBatch(const BatchShape& shape) : shape_(shape) {
  for_carried(
      [&]<class Element>(const CarriedColumn& column, DeviceBuffer<Element>& buffer) {
        buffer = DeviceBuffer<Element>(column.columns(shape) * shape.n);
      },
      columns_);
}

std::int64_t DeviceBatch::bytes(const BatchShape& shape) {
  return shape.n * static_cast<std::int64_t>(carried_bytes(shape));
}

BatchView DeviceBatch::view() const {
  BatchView view{{}, shape_.n};
  for_carried([](const CarriedColumn&, auto& pointer, const auto& buffer) { pointer = buffer.data(); }, view, columns_);
  return view;
}

void DeviceBatch::upload(const Batch& batch, cudaStream_t stream) {
  for_carried([&](const CarriedColumn&, const auto& buffer,
                  const auto& array) { copy_to_device(buffer.data(), array.data(), buffer.size(), stream); },
              columns_, batch);
}

void DeviceBatch::download(Batch& batch, cudaStream_t stream) const {
  for_carried([&](const CarriedColumn&, const auto& buffer,
                  auto& array) { copy_to_host(array.data(), buffer.data(), buffer.size(), stream); },
              columns_, batch);
}

}  // namespace polhode
