#include "output/h5_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

#include "output/failure.hpp"

namespace polhode::h5 {

std::string reason() {
  std::string text = "unknown";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        *static_cast<std::string*>(out) = error->desc;
        return 1;  // stops the walk
      },
      &text);
  return text;
}

void fail(const Origin& origin, const std::string& name) {
  if (origin.error != 0) throw cannot_write(origin.path, origin.error);
  const std::string where = name.empty() ? "" : fmt::format(" '{}'", name);
  const std::string why = fmt::format("HDF5{}: {}", where, reason());
  if (!origin.writing) throw cannot_read(origin.path, why, "Check that the file is complete.");
  throw cannot_write(origin.path, why);
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle file_type(Element element) {
  switch (element) {
    case Element::float64: return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case Element::int64: return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case Element::uint8: return {H5Tcopy(H5T_STD_U8LE), H5Tclose};
    case Element::text: return text_type();
  }
  std::abort();
}

Handle space_of(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

Shape shape_of(Id space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return Shape(sizes.begin(), sizes.end());
}

std::uint64_t elements_of(std::span<const std::uint64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

Handle without_times(Id property_class) {
  Handle properties(H5Pcreate(property_class), H5Pclose);
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

int Handle::close() {
  const Id id = std::exchange(id_, -1);
  return id < 0 ? 0 : close_(id);
}

}  // namespace polhode::h5
