// Writes the parts of a result in blocks, from values or from columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "result/annotations.hpp"
#include "result/chunks.hpp"
#include "result/result_writer.hpp"

namespace polhode {

inline constexpr std::int64_t block_elements = 1 << 19;  ///< number of elements of a block: 4 MiB of doubles
/// Value in a result for an unknown number: a NaN, always with the same bits.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline std::uint64_t size(std::int64_t n) { return static_cast<std::uint64_t>(n); }

/// Creates the array `time` of a group and writes the times of steps 0, every, 2 every, ...; step: h.
inline void write_times(GroupWriter& group, const Dimension& times, std::int64_t every, double step) {
  const auto count = static_cast<std::int64_t>(times.size);
  const auto array = group.create_array("time", Element::float64, {times});
  annotate(*array, "time", "time: steps times h");
  array->fill([&](RowWriter& rows) {
    std::vector<double> block;
    for (std::int64_t first = 0; first < count; first += block_elements) {
      block.resize(size(std::min(block_elements, count - first)));
      for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = static_cast<double>((first + static_cast<std::int64_t>(i)) * every) * step;
      rows.write(size(first), block);
    }
  });
}

/// Part of an array [n][m] or [n][m][k]: rows first, ..., first + rows - 1, and in these the places from, ..., from +
/// places - 1 of the second dimension.
struct Rectangle {
  std::int64_t first, rows, from, places;
};

/// Largest multiple of `chunk` up to `room`, or `chunk` itself if it is larger than `room`; at most `all`, and at least
/// 1.
inline std::int64_t whole_chunks(std::uint64_t chunk, std::int64_t room, std::int64_t all) {
  const auto step = static_cast<std::int64_t>(chunk);
  return std::min(std::max<std::int64_t>(room / step, 1) * step, std::max<std::int64_t>(all, 1));
}

/// Rectangles in which a part of an array [n][m] or [n][m][k] is written: of whole chunks where they can be, and with
/// as many rows as fit into block_elements, so that the array and the columns that are written into it are both
/// accessed in long runs.
inline std::vector<Rectangle> rectangles(const Shape& shape, const Rectangle& part) {
  const Shape chunk = chunk_of(shape);
  const std::int64_t k = shape.size() == 3 ? static_cast<std::int64_t>(shape[2]) : 1;
  const std::int64_t rows =
      whole_chunks(chunk[0], block_elements / (static_cast<std::int64_t>(chunk[1]) * k), part.rows);
  const std::int64_t places = whole_chunks(chunk[1], block_elements / (rows * k), part.places);
  std::vector<Rectangle> all;
  for (std::int64_t from = 0; from < part.places; from += places)
    for (std::int64_t first = 0; first < part.rows; first += rows)
      all.push_back({part.first + first, std::min(rows, part.rows - first), part.from + from,
                     std::min(places, part.places - from)});
  return all;
}

/// Writes a rectangle of an array [n][m] or [n][m][k] from columns: column(i) points to the values of the rectangle's
/// rows at index i of the m k numbers of a row. Row 0 of the rectangles is row `top` of the array. known(r): how many
/// numbers of row r of the rectangle are known, counted from the first of the m k; the others become `unknown`.
template <class Column, class Known>
void write_transposed(RowWriter& array, std::int64_t top, const Rectangle& part, const Column& column,
                      const Known& known) {
  constexpr std::int64_t tile = 8;  // columns at a time, so that both sides use whole cache lines
  const Shape& shape = array.shape();
  const std::int64_t k = shape.size() == 3 ? static_cast<std::int64_t>(shape[2]) : 1;
  const std::int64_t width = part.places * k;
  std::vector<double> block(size(part.rows * width));
  for (std::int64_t left = 0; left < width; left += tile) {
    const std::int64_t columns = std::min(tile, width - left);
    std::array<const double*, tile> source{};
    for (std::int64_t i = 0; i < columns; ++i) source[i] = column(part.from * k + left + i);
    for (std::int64_t row = 0; row < part.rows; ++row)
      for (std::int64_t i = 0; i < columns; ++i) block[row * width + left + i] = source[i][row];
  }
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const auto line = block.begin() + row * width;
    std::fill(line + std::clamp<std::int64_t>(known(row) - part.from * k, 0, width), line + width, unknown);
  }
  Shape start{size(top + part.first), size(part.from)}, extent{size(part.rows), size(part.places)};
  if (shape.size() == 3) {
    start.push_back(0);
    extent.push_back(size(k));
  }
  array.write_block(start, extent, block);
}

}  // namespace polhode
