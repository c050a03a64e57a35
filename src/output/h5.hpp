// HDF5 files, groups, datasets and attributes as owning types. Files contain little-endian numbers, UTF-8 text and no
// times, so that equal content gives equal bytes.
//
// Failures are an IoError for a file that is being written, and an InputError for one that is being read. The types do
// not expose the library's header. Only one thread at a time may use them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "result/chunks.hpp"
#include "result/result_writer.hpp"

namespace polhode::h5 {

using Id = std::int64_t;  ///< identifier: the library's hid_t
using polhode::chunk_of;
using polhode::Element;
using polhode::Shape;

std::string to_text(const Shape& shape);  ///< shape as text, such as "[4, 6]"

/// Whether the library can compress datasets.
bool can_compress();

/// Owner of an identifier of the library.
class Handle {
 public:
  Handle(Id id, int (*close)(Id)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close(); }

  Id id() const { return id_; }
  int close();  ///< closes the identifier; negative on failure; no effect, and no failure, if closed or invalid

 private:
  Id id_;
  int (*close_)(Id);
};

struct Origin;  ///< file to which an object belongs, and the first error there

/// A group or a dataset: an object of a file, with attributes.
class Object {
 public:
  void set_attribute(const std::string& name, const Attribute& value);
  bool has_attribute(const std::string& name) const;
  Attribute attribute(const std::string& name) const;
  std::vector<std::string> attribute_names() const;  ///< names, sorted, without those that describe dimensions

 protected:
  Object(Handle handle, std::shared_ptr<Origin> origin) : origin_(std::move(origin)), handle_(std::move(handle)) {}
  Id id() const { return handle_.id(); }
  /// Throws an error with `name` in its message if a call has not `succeeded`, or if an earlier write to the file has
  /// failed.
  void check(bool succeeded, const std::string& name) const;

  std::shared_ptr<Origin> origin_;  ///< outlives the handle, whose closing may still write
  Handle handle_;
};

/// An array. Rows are counted by the first dimension; a single value is one row.
class Dataset : public Object {
 public:
  Shape shape() const;
  std::string type() const;  ///< type of the elements: "float64", "uint8", "text", ...

  /// Names a dimension by the path of a dimension scale (HDF5 Dimension Scale Specification). If there is nothing at
  /// the path, a scale without coordinates is made; if this dataset is at the path, it becomes the scale.
  void name_dimension(unsigned dimension, const std::string& path);
  /// Paths that name the dimensions; an empty text for a dimension without a name.
  std::vector<std::string> dimensions() const;
  /// Whether this is a scale without coordinates, in which there is nothing to read.
  bool is_name_only() const;

  /// Offset of the numbers in the file, in bytes: they are stored one after another. None if the dataset is empty or
  /// compressed.
  std::optional<std::uint64_t> offset() const;

  /// Writes rows from `first` on; `rows` consists of whole rows.
  void write(std::uint64_t first, std::span<const double> rows);
  void write(std::uint64_t first, std::span<const std::int64_t> rows);
  void write(std::uint64_t first, std::span<const std::uint8_t> rows);
  void write(const std::vector<std::string>& values);  ///< writes all values
  /// Writes `values` to the block of the shape `extent` that begins at the indices `start`. Slow for a compressed
  /// dataset, unless blocks consist of whole chunks (result/chunks.hpp) and each is written once.
  void write_block(const Shape& start, const Shape& extent, std::span<const double> values);

  /// Reads rows from `first` on, as many as fill `rows`, and converts numbers to the type of `rows`.
  void read(std::uint64_t first, std::span<double> rows) const;
  void read(std::uint64_t first, std::span<std::int64_t> rows) const;
  void read(std::uint64_t first, std::span<std::uint8_t> rows) const;
  /// Reads the block of the shape `extent` that begins at the indices `start` into `values`.
  void read_block(const Shape& start, const Shape& extent, std::span<double> values) const;
  std::vector<std::string> read_text() const;
  std::vector<double> read_all() const;

 private:
  friend class Group;
  Dataset(Handle handle, std::shared_ptr<Origin> origin, std::string path)
      : Object(std::move(handle), std::move(origin)), path_(std::move(path)) {}
  void write_rows(std::uint64_t first, std::uint64_t elements, Id type, const void* rows);
  void read_rows(std::uint64_t first, std::uint64_t elements, Id type, void* rows) const;

  std::string path_;
};

class Group : public Object {
 public:
  Group create_group(const std::string& name);
  /// Creates a dataset. Its numbers have their place in the file from then on, except those of a large dataset in a
  /// compressed file: these are stored in chunks, and are zero until they are written.
  Dataset create_dataset(const std::string& name, Element element, const Shape& shape);

  /// Group at a path; empty if there is none.
  std::optional<Group> find_group(const std::string& path) const;
  /// Dataset at a path; empty if there is none.
  std::optional<Dataset> find_dataset(const std::string& path) const;
  /// Dataset at a path. Throws InputError if there is none.
  Dataset dataset(const std::string& path) const;
  std::vector<std::string> names() const;  ///< names of its groups and datasets, sorted

 protected:
  using Object::Object;
};

/// Tells the library not to close files when the process ends: after damaged files that would crash. For programs that
/// close their files themselves. To be called first, before any other function of the library.
void close_nothing_at_exit();

/// Whether a path is a regular file that can be read and begins as HDF5 files do.
bool is_hdf5(const std::filesystem::path& path);

/// A file, which is its root group as well.
class File : public Group {
 public:
  /// Creates a new file, which replaces an existing one. compression: level of deflate, 0 (none) to 9, for large
  /// datasets.
  static File create(const std::filesystem::path& path, int compression = 0);
  static File open(const std::filesystem::path& path);

  /// Ends writing: the content is on disk, or an IoError gives the reason. The groups and datasets of the file must be
  /// closed before.
  void close();

 private:
  using Group::Group;
};

}  // namespace polhode::h5
