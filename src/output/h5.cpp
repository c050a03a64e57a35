#include "output/h5.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <system_error>
#include <utility>

#include "output/failure.hpp"
#include "output/h5_driver.hpp"
#include "output/h5_library.hpp"
#include "output/posix_file.hpp"

namespace polhode::h5 {
namespace {

/// Least number of elements of a dataset that is compressed: a smaller one fits into a few pages anyway.
constexpr std::uint64_t compressed_elements = 1 << 12;

constexpr std::array signature{std::byte{0x89}, std::byte{'H'},  std::byte{'D'},  std::byte{'F'},
                               std::byte{'\r'}, std::byte{'\n'}, std::byte{0x1a}, std::byte{'\n'}};

bool has_signature(const PosixFile& file) {
  std::array<std::byte, signature.size()> start{};
  if (file.size() >= start.size()) file.read(start, 0);
  return start == signature;
}

}  // namespace

bool can_compress() { return H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0; }

Group Group::create_group(const std::string& name) {
  const Handle properties = without_times(H5P_GROUP_CREATE);
  Handle group(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose);
  check(group.id() >= 0, name);
  return Group(std::move(group), origin_);
}

Dataset Group::create_dataset(const std::string& name, Element element, const Shape& shape) {
  const Handle type = file_type(element);
  const Handle space = space_of(shape);
  const Handle properties = without_times(H5P_DATASET_CREATE);
  if (origin_->compression > 0 && !shape.empty() && element != Element::text &&
      elements_of(shape) >= compressed_elements) {
    const Shape sizes = chunk_of(shape);
    const std::vector<hsize_t> chunk(sizes.begin(), sizes.end());
    H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
    // Groups bytes of equal significance, because those of the exponents repeat.
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), static_cast<unsigned>(origin_->compression));
  } else if (element != Element::text) {  // for which HDF5 requires the fill value
    H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER);
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

File File::create(const std::filesystem::path& path, int compression) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto origin = std::make_shared<Origin>(Origin{.path = path, .writing = true, .compression = compression});
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Handle properties = without_times(H5P_FILE_CREATE);
  if (use_unfailing_driver(access.id(), &origin->error) < 0) fail(*origin, "driver");
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.id(), access.id()), H5Fclose);
  if (file.id() < 0) fail(*origin, "");
  return File(std::move(file), std::move(origin));
}

void close_nothing_at_exit() { H5dont_atexit(); }

bool is_hdf5(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), R_OK) == 0 &&
         has_signature(PosixFile(path, PosixFile::Mode::read));
}

File File::open(const std::filesystem::path& path) {
  const std::string suggestion = "Give the .h5 file of a finished run.";
  std::error_code ignored;
  if (const auto status = std::filesystem::status(path, ignored); exists(status) && !is_regular_file(status)) {
    throw cannot_read(path, "not a regular file", suggestion);
  }
  const PosixFile raw(path, PosixFile::Mode::read);  // for an error message that the library would not give

  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto origin = std::make_shared<Origin>(Origin{.path = path, .writing = false});
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);  // a finished file does not change, and some disks cannot lock
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (file.id() >= 0) return File(std::move(file), std::move(origin));

  const std::string why = reason();
  if (!has_signature(raw)) throw cannot_read(path, "not an HDF5 file", suggestion);
  throw cannot_read(path, fmt::format("damaged: {}", why), suggestion);
}

void File::close() { check(handle_.close() >= 0, ""); }

}  // namespace polhode::h5
