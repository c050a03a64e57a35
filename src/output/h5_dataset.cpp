#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "contract.hpp"
#include "output/h5_library.hpp"

namespace polhode::h5 {
namespace {

/// Dataspaces of a block of a dataset in its file, and of contiguous memory of the same shape. (If both have the same
/// number of dimensions, the library copies runs of elements from and to chunks, otherwise single elements.)
struct Selection {
  Handle memory, file;
};

Selection select_block(Id dataset, const Shape& start, const Shape& extent) {
  Selection selection{space_of(extent), Handle(H5Dget_space(dataset), H5Sclose)};
  POLHODE_EXPECT(H5Sget_simple_extent_ndims(selection.memory.id()) == H5Sget_simple_extent_ndims(selection.file.id()));
  if (extent.empty()) return selection;  // a single value is selected as a whole
  const std::vector<hsize_t> from(start.begin(), start.end()), count(extent.begin(), extent.end());
  H5Sselect_hyperslab(selection.file.id(), H5S_SELECT_SET, from.data(), nullptr, count.data(), nullptr);
  return selection;
}

Selection select_rows(const Shape& shape, Id dataset, std::uint64_t first, std::uint64_t elements) {
  Shape start(shape.size(), 0), extent = shape;
  if (!shape.empty()) {
    start[0] = first;
    extent[0] = elements / std::max<std::uint64_t>(elements_of(std::span(shape).subspan(1)), 1);
  }
  POLHODE_EXPECT(elements_of(extent) == elements);
  return select_block(dataset, start, extent);
}

}  // namespace

std::string to_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Shape Dataset::shape() const {
  const Handle space(H5Dget_space(id()), H5Sclose);
  check(space.id() >= 0, path_);
  return shape_of(space.id());
}

std::string Dataset::type() const {
  const Handle type(H5Dget_type(id()), H5Tclose);
  const std::size_t bits = 8 * H5Tget_size(type.id());
  switch (H5Tget_class(type.id())) {
    case H5T_FLOAT: return fmt::format("float{}", bits);
    case H5T_INTEGER: return fmt::format("{}int{}", H5Tget_sign(type.id()) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_STRING: return "text";
    default: return "other";
  }
}

std::optional<std::uint64_t> Dataset::offset() const {
  const haddr_t place = H5Dget_offset(id());
  return place == HADDR_UNDEF ? std::nullopt : std::optional<std::uint64_t>(place);
}

void Dataset::write(std::uint64_t first, std::span<const double> rows) {
  write_rows(first, rows.size(), H5T_NATIVE_DOUBLE, rows.data());
}

void Dataset::write(std::uint64_t first, std::span<const std::int64_t> rows) {
  write_rows(first, rows.size(), H5T_NATIVE_INT64, rows.data());
}

void Dataset::write(std::uint64_t first, std::span<const std::uint8_t> rows) {
  write_rows(first, rows.size(), H5T_NATIVE_UINT8, rows.data());
}

void Dataset::write(const std::vector<std::string>& values) {
  write_rows(0, values.size(), text_type().id(), pointers(values).data());
}

void Dataset::write_block(const Shape& start, const Shape& extent, std::span<const double> values) {
  POLHODE_EXPECT(elements_of(extent) == values.size());
  if (values.empty()) return;
  const Selection selected = select_block(id(), start, extent);
  check(H5Dwrite(id(), H5T_NATIVE_DOUBLE, selected.memory.id(), selected.file.id(), H5P_DEFAULT, values.data()) >= 0,
        path_);
}

void Dataset::read(std::uint64_t first, std::span<double> rows) const {
  read_rows(first, rows.size(), H5T_NATIVE_DOUBLE, rows.data());
}

void Dataset::read(std::uint64_t first, std::span<std::int64_t> rows) const {
  read_rows(first, rows.size(), H5T_NATIVE_INT64, rows.data());
}

void Dataset::read(std::uint64_t first, std::span<std::uint8_t> rows) const {
  read_rows(first, rows.size(), H5T_NATIVE_UINT8, rows.data());
}

void Dataset::read_block(const Shape& start, const Shape& extent, std::span<double> values) const {
  POLHODE_EXPECT(elements_of(extent) == values.size());
  if (values.empty()) return;
  const Selection selected = select_block(id(), start, extent);
  check(H5Dread(id(), H5T_NATIVE_DOUBLE, selected.memory.id(), selected.file.id(), H5P_DEFAULT, values.data()) >= 0,
        path_);
}

std::vector<std::string> Dataset::read_text() const {
  const Handle type(H5Dget_type(id()), H5Tclose);
  const Handle space(H5Dget_space(id()), H5Sclose);
  auto texts = read_texts(type.id(), space.id(),
                          [&](char** raw) { return H5Dread(id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw); });
  check(texts.has_value(), path_);
  return *std::move(texts);
}

std::vector<double> Dataset::read_all() const {
  std::vector<double> values(elements_of(shape()));
  read(0, values);
  return values;
}

void Dataset::write_rows(std::uint64_t first, std::uint64_t elements, Id type, const void* rows) {
  if (elements == 0) return;
  const Selection selected = select_rows(shape(), id(), first, elements);
  check(H5Dwrite(id(), type, selected.memory.id(), selected.file.id(), H5P_DEFAULT, rows) >= 0, path_);
}

void Dataset::read_rows(std::uint64_t first, std::uint64_t elements, Id type, void* rows) const {
  if (elements == 0) return;
  const Selection selected = select_rows(shape(), id(), first, elements);
  check(H5Dread(id(), type, selected.memory.id(), selected.file.id(), H5P_DEFAULT, rows) >= 0, path_);
}

}  // namespace polhode::h5
