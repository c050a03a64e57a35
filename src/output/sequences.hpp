// Datasets of numbers that follow from their place, written block by block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "output/h5.hpp"

namespace polhode {

inline constexpr std::int64_t block_elements = 1 << 22;  ///< 32 MiB of doubles

inline std::uint64_t size(std::int64_t n) { return static_cast<std::uint64_t>(n); }

/// Writes value(0) ... value(count - 1).
template <class Value>
void write_sequence(h5::Group& group, const char* name, std::int64_t count, const Value& value) {
  h5::Dataset dataset = group.create_dataset(name, h5::Element::float64, {size(count)});
  std::vector<double> block;
  for (std::int64_t first = 0; first < count; first += block_elements) {
    block.resize(size(std::min(block_elements, count - first)));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = value(first + static_cast<std::int64_t>(i));
    dataset.write(size(first), block);
  }
}

/// Writes rows [time][width] of values that follow from a time's record; shape[0] is the number of times.
template <class T, class Value>
h5::Dataset write_rows(h5::Group& group, const char* name, h5::Element element, const h5::Shape& shape,
                       const Value& value) {
  h5::Dataset dataset = group.create_dataset(name, element, shape);
  std::uint64_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= shape[i];
  const std::uint64_t rows = std::max<std::uint64_t>(size(block_elements) / width, 1);
  std::vector<T> block;
  for (std::uint64_t first = 0; first < shape[0]; first += rows) {
    block.clear();
    for (std::uint64_t t = first; t < std::min(first + rows, shape[0]); ++t)
      for (std::uint64_t i = 0; i < width; ++i) block.push_back(static_cast<T>(value(t, i)));
    dataset.write(first, block);
  }
  return dataset;
}

}  // namespace polhode
