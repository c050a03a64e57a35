#include "output/file_size.hpp"

#include <cmath>

#include "result/chunks.hpp"
#include "result/sizes.hpp"

namespace polhode {
namespace {

/// Bytes of a dataset that is stored in whole chunks.
double dataset_bytes(const Shape& shape, double element) {
  // Headers and chunk index, as measured for small datasets.
  constexpr double of_dataset = 3300;
  const Shape chunk = chunk_of(shape);
  double elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    elements *=
        std::ceil(static_cast<double>(shape[i]) / static_cast<double>(chunk[i])) * static_cast<double>(chunk[i]);
  return of_dataset + elements * element;
}

}  // namespace

double file_bytes(const RunDescription& run, double trajectories, double points) {
  double bytes = static_cast<double>(run.config.size());
  for_each_shape(run, trajectories, points,
                 [&](const Shape& shape, double element) { bytes += dataset_bytes(shape, element); });
  return bytes;
}

}  // namespace polhode
