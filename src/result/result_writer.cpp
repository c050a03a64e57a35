#include "result/result_writer.hpp"

#include <functional>
#include <numeric>

#include "contract.hpp"

namespace polhode {

std::uint64_t product(std::span<const std::uint64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies());
}

namespace {

std::uint64_t row_elements(const Shape& shape) { return shape.empty() ? 1 : product(std::span(shape).subspan(1)); }

}  // namespace

Shape shape_of(const Dimensions& dimensions) {
  Shape shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.size);
  return shape;
}

void PlacedRows::put_rows(std::uint64_t first, std::size_t element_bytes, std::span<const std::byte> rows) {
  const std::uint64_t place = first * row_elements(shape()) * element_bytes;
  POLHODE_EXPECT(place + rows.size() <= product(shape()) * element_bytes);
  put(place, rows);
}

void PlacedRows::write_block(const Shape& start, const Shape& extent, std::span<const double> values) {
  const std::uint64_t row = row_elements(shape()), run = product(std::span(extent).subspan(1));
  const std::uint64_t before = start[1] * product(std::span(shape()).subspan(2));
  POLHODE_EXPECT(values.size() == extent[0] * run && before + run <= row && start[0] + extent[0] <= shape()[0]);
  if (run == row) return write(start[0], values);
  for (std::uint64_t i = 0; i < extent[0]; ++i)
    put(((start[0] + i) * row + before) * sizeof(double), std::as_bytes(values.subspan(i * run, run)));
}

}  // namespace polhode
