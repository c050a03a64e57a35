// Interface to which a result is written: groups of named arrays with attributes, in a file or in memory.
//
// A result is laid out first, by one thread: groups, arrays, attributes, and the content of small arrays. Then the rows
// of trajectories and of section points are written into their places, by any number of threads and processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/core/array.hpp"

namespace polhode {

/// Element type of an array.
enum class Element { float64, int64, uint8, text };

/// Dimension of an array. Dimensions of one path are of one size.
struct Dimension {
  /// Path, such as "/trajectory"; empty: the dimension has none. The array of this path, if there is one, contains the
  /// coordinates: it has this dimension only, and is created before other arrays with the dimension.
  std::string path;
  std::uint64_t size;
};

using Dimensions = std::vector<Dimension>;

Shape shape_of(const Dimensions& dimensions);
/// Product of the sizes, the number of elements of a block that has them; 1 if there are none.
std::uint64_t product(std::span<const std::uint64_t> sizes);

/// Writer of the rows of an array, which are counted by the first dimension; a single value is one row. All rows must
/// be written.
class RowWriter {
 public:
  explicit RowWriter(Shape shape) : shape_(std::move(shape)) {}
  virtual ~RowWriter() = default;

  const Shape& shape() const { return shape_; }

  /// Writes rows from `first` on; `rows` consists of whole rows.
  virtual void write(std::uint64_t first, std::span<const double> rows) = 0;
  virtual void write(std::uint64_t first, std::span<const std::int64_t> rows) = 0;
  virtual void write(std::uint64_t first, std::span<const std::uint8_t> rows) = 0;
  /// Writes `values` to the block of the shape `extent` that begins at the indices `start`. In the dimensions after the
  /// second, the block extends over the whole array.
  virtual void write_block(const Shape& start, const Shape& extent, std::span<const double> values) = 0;

 private:
  Shape shape_;
};

/// Writer of rows whose bytes have fixed places: several threads may write at a time, each its own rows.
class PlacedRows : public RowWriter {
 public:
  using RowWriter::RowWriter;

  void write(std::uint64_t first, std::span<const double> rows) override {
    put_rows(first, sizeof(rows[0]), std::as_bytes(rows));
  }
  void write(std::uint64_t first, std::span<const std::int64_t> rows) override {
    put_rows(first, sizeof(rows[0]), std::as_bytes(rows));
  }
  void write(std::uint64_t first, std::span<const std::uint8_t> rows) override {
    put_rows(first, sizeof(rows[0]), std::as_bytes(rows));
  }
  void write_block(const Shape& start, const Shape& extent, std::span<const double> values) override;

 private:
  void put_rows(std::uint64_t first, std::size_t element_bytes, std::span<const std::byte> rows);
  /// Writes bytes at an offset in the array, also in bytes.
  virtual void put(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
};

/// Writer of an array that is being laid out.
class ArrayWriter {
 public:
  virtual ~ArrayWriter() = default;

  virtual void set_attribute(const std::string& name, const Attribute& value) = 0;
  virtual void write(const std::vector<std::string>& values) = 0;  ///< writes all values
  /// Has the argument `write` write the numbers of the array: calls it with a RowWriter of them, unless nothing is
  /// stored.
  virtual void fill(const std::function<void(RowWriter&)>& write) = 0;
};

class GroupWriter {
 public:
  virtual ~GroupWriter() = default;

  virtual void set_attribute(const std::string& name, const Attribute& value) = 0;
  virtual std::unique_ptr<GroupWriter> create_group(const std::string& name) = 0;
  virtual std::unique_ptr<ArrayWriter> create_array(const std::string& name, Element element,
                                                    const Dimensions& dimensions) = 0;
};

/// Function that finds the rows of an array, in a result that has been laid out, by the path of the array, such as
/// "/final/state".
using FindRows = std::function<std::unique_ptr<RowWriter>(const std::string& path)>;

}  // namespace polhode
