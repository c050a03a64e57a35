// Dimension scales, by which netCDF, xarray and h5dump name dimensions.
#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "contract.hpp"
#include "output/h5_library.hpp"

namespace polhode::h5 {
namespace {

/// Beginning of the name by which netCDF-4 recognises a dimension without coordinates; the dimension's size follows it.
constexpr const char* without_coordinates = "This is a netCDF dimension but not a netCDF variable.";

std::string path_of(Id object) {
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(H5Iget_name(object, nullptr, 0), 0)), '\0');
  if (!path.empty()) H5Iget_name(object, path.data(), path.size() + 1);
  return path;
}

/// Makes a dimension scale of `size` elements without coordinates, of which only the header is stored, at a path in the
/// file of the object `file_object`; returns an invalid handle on failure.
Handle make_scale_without_coordinates(Id file_object, const std::string& path, std::uint64_t size) {
  const hsize_t extent = size;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose), type = file_type(Element::uint8),
                                                                       properties = without_times(H5P_DATASET_CREATE);
  Handle scale(H5Dcreate2(file_object, path.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
               H5Dclose);
  if (H5DSset_scale(scale.id(), fmt::format("{}{:10}", without_coordinates, size).c_str()) < 0) return {-1, H5Dclose};
  return scale;
}

}  // namespace

void Dataset::name_dimension(unsigned dimension, const std::string& path) {
  if (path_of(id()) == path) {
    check(H5DSset_scale(id(), path.substr(path.rfind('/') + 1).c_str()) >= 0, path);
    return;
  }
  Handle scale = H5Lexists(id(), path.c_str(), H5P_DEFAULT) > 0
                     ? Handle(H5Dopen2(id(), path.c_str(), H5P_DEFAULT), H5Dclose)
                     : make_scale_without_coordinates(id(), path, shape().at(dimension));
  check(scale.id() >= 0, path);
  POLHODE_EXPECT(shape_of(Handle(H5Dget_space(scale.id()), H5Sclose).id()) == Shape{shape().at(dimension)});
  check(H5DSattach_scale(id(), scale.id(), dimension) >= 0, path);
}

std::vector<std::string> Dataset::dimensions() const {
  std::vector<std::string> paths(shape().size());
  for (unsigned i = 0; i < paths.size(); ++i) {
    if (H5DSis_scale(id()) > 0) {
      paths[i] = path_of(id());
      continue;
    }
    const auto take_path = [](hid_t, unsigned, hid_t scale, void* path) -> herr_t {
      *static_cast<std::string*>(path) = path_of(scale);
      return 1;  // the first is the only one
    };
    check(H5DSiterate_scales(id(), i, nullptr, take_path, &paths[i]) >= 0, path_);
  }
  return paths;
}

bool Dataset::is_name_only() const {
  std::array<char, 64> name{};
  return H5DSis_scale(id()) > 0 && H5DSget_scale_name(id(), name.data(), name.size()) > 0 &&
         std::string(name.data()).starts_with(without_coordinates);
}

}  // namespace polhode::h5
