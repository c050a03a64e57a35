// Writes the parts of a result in blocks, from values or from columns.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "error.hpp"
#include "result/annotations.hpp"
#include "result/assembly.hpp"
#include "result/chunks.hpp"
#include "result/result_writer.hpp"

namespace polhode {

inline constexpr std::int64_t block_elements = 1 << 22;  ///< 32 MiB of doubles
/// Value in a result for an unknown number: one fixed bit pattern.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline std::uint64_t size(std::int64_t n) { return static_cast<std::uint64_t>(n); }

inline InputError damaged(const Records& records, const std::string& why) {
  return InputError(
      fmt::format("cannot read '{}' (the journal is damaged: {}). Use --force to start again.", records.source, why));
}

/// Writes the times of states, one for every `every` steps from the start on.
inline void write_times(GroupWriter& group, const Dimension& times, std::int64_t every, double step) {
  const auto count = static_cast<std::int64_t>(times.size);
  const auto array = group.create_array("time", Element::float64, {times});
  annotate(*array, "time", "time: steps times h");
  std::vector<double> block;
  for (std::int64_t first = 0; first < count; first += block_elements) {
    block.resize(size(std::min(block_elements, count - first)));
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = static_cast<double>((first + static_cast<std::int64_t>(i)) * every) * step;
    array->write(size(first), block);
  }
}

/// Largest number of rows in whole chunks that fit into `room`, at least one chunk, and at most `all`.
inline std::int64_t whole_chunks(std::uint64_t chunk, std::int64_t room, std::uint64_t all) {
  const auto step = static_cast<std::int64_t>(chunk);
  return std::min(std::max<std::int64_t>(room / step, 1) * step,
                  std::max<std::int64_t>(static_cast<std::int64_t>(all), 1));
}

/// Fills n rows from `top` on of an array [all, m] or [all, m, k] from columns: column(i) has the n values of place i
/// of m k. Written in blocks of whole chunks, with as many trajectories as fit, so that both sides are accessed in long
/// runs. Only the first known(row) places of a row are known.
template <class Column, class Known>
void write_transposed(ArrayWriter& array, std::int64_t top, std::int64_t n, const Column& column, const Known& known) {
  constexpr std::int64_t tile = 8;  // columns at a time, so that both sides use whole cache lines
  const Shape &shape = array.shape(), chunk = chunk_of(shape);
  const auto m = static_cast<std::int64_t>(shape[1]);
  const std::int64_t k = shape.size() == 3 ? static_cast<std::int64_t>(shape[2]) : 1;
  const std::int64_t rows = whole_chunks(chunk[0], block_elements / (static_cast<std::int64_t>(chunk[1]) * k), size(n));
  const std::int64_t places = whole_chunks(chunk[1], block_elements / (rows * k), shape[1]);
  std::vector<double> block(size(rows * places * k));
  for (std::int64_t from = 0; from < m; from += places) {
    const std::int64_t width = std::min(places, m - from) * k;
    for (std::int64_t first = 0; first < n; first += rows) {
      const std::int64_t count = std::min(rows, n - first);
      for (std::int64_t left = 0; left < width; left += tile) {
        const std::int64_t columns = std::min(tile, width - left);
        std::array<const double*, tile> source{};
        for (std::int64_t i = 0; i < columns; ++i) source[i] = column(from * k + left + i) + first;
        for (std::int64_t row = 0; row < count; ++row) {
          for (std::int64_t i = 0; i < columns; ++i) block[row * width + left + i] = source[i][row];
        }
      }
      for (std::int64_t row = 0; row < count; ++row) {
        const auto line = block.begin() + row * width;
        std::fill(line + std::clamp<std::int64_t>(known(first + row) - from * k, 0, width), line + width, unknown);
      }
      Shape start{size(top + first), size(from)}, extent{size(count), size(width / k)};
      if (shape.size() == 3) {
        start.push_back(0);
        extent.push_back(size(k));
      }
      array.write_block(start, extent, std::span<const double>(block).first(size(count * width)));
    }
  }
}

/// The same for columns that are contiguous in memory.
template <class Known>
void write_transposed(ArrayWriter& array, std::int64_t top, std::int64_t n, const std::vector<double>& columns,
                      const Known& known) {
  write_transposed(
      array, top, n, [&](std::int64_t i) { return columns.data() + i * n; }, known);
}
inline void write_transposed(ArrayWriter& array, std::int64_t top, std::int64_t n, const std::vector<double>& columns) {
  write_transposed(array, top, n, columns, [](std::int64_t) { return std::numeric_limits<std::int64_t>::max(); });
}

}  // namespace polhode
