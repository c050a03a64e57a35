#include "output/file_size.hpp"

#include "result/sizes.hpp"

namespace polhode {
namespace {

/// Bytes of the header of a dataset with its attributes, as measured for small datasets.
constexpr double dataset_header_bytes = 1600;

}  // namespace

double file_bytes(const RunDescription& run, double trajectories, double points) {
  double bytes = static_cast<double>(run.config.size());
  for_each_shape(run, trajectories, points, [&](const Shape&, double) { bytes += dataset_header_bytes; });
  return bytes + array_bytes(run, trajectories, points);
}

}  // namespace polhode
