#include "output/h5.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <system_error>
#include <type_traits>
#include <utility>

#include "output/failure.hpp"
#include "output/h5_driver.hpp"
#include "output/posix_file.hpp"

namespace polhode::h5 {

struct Origin {
  std::filesystem::path path;
  bool writing;
  int error = 0;         ///< errno of the first failed write
  bool filling = false;  ///< all that is created is there already
  bool at_once = false;  ///< datasets take their place when they are created
};

namespace {

static_assert(std::is_same_v<Id, hid_t>);

/// 1 MiB of doubles: what the library's chunk cache holds of a dataset.
constexpr std::uint64_t chunk_elements = 1 << 17;

/// What the library noticed first in its last call.
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

[[noreturn]] void fail(const Origin& origin, const std::string& name) {
  if (origin.error != 0) throw cannot_write(origin.path, origin.error);
  const std::string where = name.empty() ? "" : fmt::format(" '{}'", name);
  const std::string why = fmt::format("HDF5{}: {}", where, reason());
  if (!origin.writing) throw cannot_read(origin.path, why, "Check that the file is complete.");
  throw cannot_write(origin.path, why);
}

/// Text of any length: attributes of fixed length are limited to 64 KiB, which a configuration can exceed.
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
  std::vector<hsize_t> limits = sizes;  // not 0, where chunks could not be
  for (hsize_t& limit : limits) limit = std::max<hsize_t>(limit, 1);
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()), H5Sclose};
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

/// A block of a dataset, and as much memory without gaps. Both have the same shape: the library copies runs of elements
/// if the ranks agree, and one element at a time otherwise.
struct Selection {
  Handle memory, file;
};

Selection select_block(Id dataset, const Shape& start, const Shape& extent) {
  Selection selection{space_of(extent), Handle(H5Dget_space(dataset), H5Sclose)};
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
  assert(elements_of(extent) == elements);
  return select_block(dataset, start, extent);
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

/// Reads text of variable length through `read`, which fills an array of pointers.
template <class Read>
std::optional<std::vector<std::string>> read_texts(Id type, Id space, const Read& read) {
  if (H5Tis_variable_str(type) <= 0) return std::nullopt;
  std::vector<char*> raw(elements_of(shape_of(space)), nullptr);
  if (!raw.empty() && read(raw.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (char* text : raw) {
    texts.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  return texts;
}

}  // namespace

std::string to_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Shape chunk_of(const Shape& shape) {
  Shape chunk(shape.size());
  std::uint64_t room = chunk_elements;
  for (std::size_t i = shape.size(); i-- > 0;) {
    chunk[i] = std::clamp<std::uint64_t>(shape[i], 1, room);
    room = std::max<std::uint64_t>(room / chunk[i], 1);
  }
  return chunk;
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

int Handle::close() {
  const Id id = std::exchange(id_, -1);
  return id < 0 ? 0 : close_(id);
}

void Object::check(bool succeeded, const std::string& name) const {
  if (!succeeded || origin_->error != 0) fail(*origin_, name);
}

void Object::set_attribute(const std::string& name, const Value& value) {
  if (origin_->filling) return;
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  const Handle space = space_of(list != nullptr      ? Shape{list->size()}
                                : numbers != nullptr ? Shape{numbers->size()}
                                                     : Shape{});
  const bool real = numbers != nullptr || std::holds_alternative<double>(value);
  const Handle type = std::holds_alternative<std::int64_t>(value) ? file_type(Element::int64)
                      : real                                      ? file_type(Element::float64)
                                                                  : text_type();
  const Handle attribute(H5Acreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(attribute.id() >= 0, name);
  const auto write = [&](Id memory_type, const void* data) {
    check(H5Awrite(attribute.id(), memory_type, data) >= 0, name);
  };
  if (list != nullptr) {
    if (!list->empty()) write(type.id(), pointers(*list).data());
  } else if (numbers != nullptr) {
    if (!numbers->empty()) write(H5T_NATIVE_DOUBLE, numbers->data());
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    const char* const pointer = text->c_str();
    write(type.id(), &pointer);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write(H5T_NATIVE_INT64, integer);
  } else {
    write(H5T_NATIVE_DOUBLE, &std::get<double>(value));
  }
}

bool Object::has_attribute(const std::string& name) const { return H5Aexists(id(), name.c_str()) > 0; }

Value Object::attribute(const std::string& name) const {
  const Handle attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.id() >= 0, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const bool single = H5Sget_simple_extent_type(space.id()) == H5S_SCALAR;
  switch (H5Tget_class(type.id())) {
    case H5T_INTEGER: {
      std::int64_t value = 0;
      if (!single) break;
      check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value) >= 0, name);
      return value;
    }
    case H5T_FLOAT: {
      std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
      if (!values.empty()) check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) >= 0, name);
      if (single) return values.front();
      return values;
    }
    case H5T_STRING: {
      auto texts =
          read_texts(type.id(), space.id(), [&](char** raw) { return H5Aread(attribute.id(), type.id(), raw); });
      if (!texts) break;
      if (single) return texts->front();
      return *std::move(texts);
    }
    default: break;
  }
  throw cannot_read(origin_->path, fmt::format("the attribute '{}' has an unexpected type", name),
                    "Give a file written by polhode.");
}

std::vector<std::string> Object::attribute_names() const {
  std::vector<std::string> names;
  hsize_t position = 0;
  const herr_t result = H5Aiterate2(
      id(), H5_INDEX_NAME, H5_ITER_INC, &position,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  check(result >= 0, "attributes");
  return names;
}

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
  assert(elements_of(extent) == values.size());
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

Group Group::create_group(const std::string& name) {
  if (origin_->filling) {
    auto there = find_group(name);
    check(there.has_value(), name);
    return *std::move(there);
  }
  const Handle properties = without_times(H5P_GROUP_CREATE);
  Handle group(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose);
  check(group.id() >= 0, name);
  return Group(std::move(group), origin_);
}

Dataset Group::create_dataset(const std::string& name, Element element, const Shape& shape) {
  if (origin_->filling) {
    auto there = find_dataset(name);
    check(there.has_value(), name);
    return *std::move(there);
  }
  const Handle type = file_type(element);
  const Handle space = space_of(shape);
  const Handle properties = without_times(H5P_DATASET_CREATE);
  if (!shape.empty()) {
    const Shape sizes = chunk_of(shape);
    const std::vector<hsize_t> chunk(sizes.begin(), sizes.end());
    H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
    if (origin_->at_once) H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY);
  }
  Handle dataset(H5Dcreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                 H5Dclose);
  check(dataset.id() >= 0, name);
  return Dataset(std::move(dataset), origin_, name);
}

std::optional<Group> Group::find_group(const std::string& path) const {
  Handle group(H5Gopen2(id(), path.c_str(), H5P_DEFAULT), H5Gclose);
  if (group.id() < 0) return std::nullopt;
  return Group(std::move(group), origin_);
}

std::optional<Dataset> Group::find_dataset(const std::string& path) const {
  Handle dataset(H5Dopen2(id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.id() < 0) return std::nullopt;
  return Dataset(std::move(dataset), origin_, path);
}

Dataset Group::dataset(const std::string& path) const {
  auto found = find_dataset(path);
  if (found) return *std::move(found);
  throw cannot_read(origin_->path, fmt::format("there is no dataset '{}'", path),
                    "Give another file or dataset; `polhode info` lists them.");
}

std::vector<std::string> Group::names() const {
  H5G_info_t info;
  check(H5Gget_info(id(), &info) >= 0, "group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name = [&](char* into, std::size_t size) {
      return H5Lget_name_by_idx(id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, into, size, H5P_DEFAULT);
    };
    const ssize_t length = name(nullptr, 0);
    check(length >= 0, "group");
    std::string text(static_cast<std::size_t>(length), '\0');
    check(name(text.data(), text.size() + 1) >= 0, "group");
    names.push_back(std::move(text));
  }
  return names;
}

File File::create(const std::filesystem::path& path, Storage storage) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto origin =
      std::make_shared<Origin>(Origin{.path = path, .writing = true, .at_once = storage == Storage::when_created});
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Handle properties = without_times(H5P_FILE_CREATE);
  if (use_unfailing_driver(access.id(), &origin->error) < 0) fail(*origin, "driver");
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.id(), access.id()), H5Fclose);
  if (file.id() < 0) fail(*origin, "");
  return File(std::move(file), std::move(origin));
}

File File::open_shared(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto origin = std::make_shared<Origin>(Origin{.path = path, .writing = true, .filling = true});
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (use_shared_driver(access.id()) < 0) fail(*origin, "driver");
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose);
  if (file.id() < 0) fail(*origin, "");
  return File(std::move(file), std::move(origin));
}

File File::open(const std::filesystem::path& path) {
  constexpr std::array signature{std::byte{0x89}, std::byte{'H'},  std::byte{'D'},  std::byte{'F'},
                                 std::byte{'\r'}, std::byte{'\n'}, std::byte{0x1a}, std::byte{'\n'}};
  const std::string suggestion = "Give the .h5 file of a finished run.";
  std::error_code ignored;
  if (const auto status = std::filesystem::status(path, ignored); exists(status) && !is_regular_file(status)) {
    throw cannot_read(path, "not a regular file", suggestion);
  }
  const PosixFile raw(path, PosixFile::Mode::read);  // for the reason that the library would not give

  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto origin = std::make_shared<Origin>(Origin{.path = path, .writing = false});
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);  // a finished file does not change, and some disks cannot lock
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (file.id() >= 0) return File(std::move(file), std::move(origin));

  const std::string why = reason();
  std::array<std::byte, signature.size()> start{};
  if (raw.size() >= start.size()) raw.read(start, 0);
  if (start != signature) throw cannot_read(path, "not an HDF5 file", suggestion);
  throw cannot_read(path, fmt::format("damaged: {}", why), suggestion);
}

void File::close() { check(handle_.close() >= 0, ""); }

}  // namespace polhode::h5
