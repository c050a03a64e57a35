// Interface to which a result is written: groups of named arrays with attributes, in a file or in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/core/array.hpp"

namespace polhode {

/// Element type of an array.
enum class Element { float64, int64, uint8, text };

/// Dimension of an array. Dimensions of one name are of one size.
struct Dimension {
  /// Path, such as "/trajectory"; empty: none. The array of this path, if there is one, contains the coordinates: it
  /// has this dimension only, and is created before others have it.
  std::string path;
  std::uint64_t size;
};

using Dimensions = std::vector<Dimension>;

Shape shape_of(const Dimensions& dimensions);

/// Rows are counted by the first dimension; a single value is one row. All rows must be written.
class ArrayWriter {
 public:
  explicit ArrayWriter(Shape shape) : shape_(std::move(shape)) {}
  virtual ~ArrayWriter() = default;

  const Shape& shape() const { return shape_; }

  virtual void set_attribute(const std::string& name, const Attribute& value) = 0;
  /// Writes rows from `first` on; `rows` consists of whole rows.
  virtual void write(std::uint64_t first, std::span<const double> rows) = 0;
  virtual void write(std::uint64_t first, std::span<const std::int64_t> rows) = 0;
  virtual void write(std::uint64_t first, std::span<const std::uint8_t> rows) = 0;
  virtual void write(const std::vector<std::string>& values) = 0;  ///< all values
  /// Writes the block at a position, of a given extent; it is whole from the third dimension on.
  virtual void write_block(const Shape& start, const Shape& extent, std::span<const double> values) = 0;

 private:
  Shape shape_;
};

class GroupWriter {
 public:
  virtual ~GroupWriter() = default;

  virtual void set_attribute(const std::string& name, const Attribute& value) = 0;
  virtual std::unique_ptr<GroupWriter> create_group(const std::string& name) = 0;
  virtual std::unique_ptr<ArrayWriter> create_array(const std::string& name, Element element,
                                                    const Dimensions& dimensions) = 0;
};

}  // namespace polhode
