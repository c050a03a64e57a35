// HDF5 files, groups, datasets and attributes as owning types. Files hold little-endian numbers and UTF-8 text and no
// times, so that equal content gives equal bytes.
//
// Whatever fails is an IoError in a file that is being written, and an InputError in one that is being read. The types
// do not show the library's header. One thread at a time may use them.
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

using Id = std::int64_t;  ///< the library's hid_t
using polhode::chunk_of;
using polhode::Element;
using polhode::Shape;
using Value = Attribute;

std::string to_text(const Shape& shape);  ///< "[4, 6]"

/// Whether the library has what compresses datasets.
bool can_compress();

/// Owns an identifier of the library.
class Handle {
 public:
  Handle(Id id, int (*close)(Id)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close(); }

  Id id() const { return id_; }
  int close();  ///< negative on failure; a closed or invalid handle closes without one

 private:
  Id id_;
  int (*close_)(Id);
};

struct Origin;  ///< the file an object belongs to, for messages

/// What carries attributes.
class Object {
 public:
  void set_attribute(const std::string& name, const Value& value);
  bool has_attribute(const std::string& name) const;
  Value attribute(const std::string& name) const;
  std::vector<std::string> attribute_names() const;  ///< sorted

 protected:
  Object(Handle handle, std::shared_ptr<Origin> origin) : origin_(std::move(origin)), handle_(std::move(handle)) {}
  Id id() const { return handle_.id(); }
  /// Throws, with the object's name, if a call failed.
  void check(bool succeeded, const std::string& name) const;

  std::shared_ptr<Origin> origin_;  ///< outlives the handle, whose closing may still write
  Handle handle_;
};

/// An array. Rows are what the first dimension counts; a single value is one row.
class Dataset : public Object {
 public:
  Shape shape() const;
  std::string type() const;  ///< "float64", "uint8", "text", ...

  /// Writes the rows from `first` on; `rows` holds whole rows.
  void write(std::uint64_t first, std::span<const double> rows);
  void write(std::uint64_t first, std::span<const std::int64_t> rows);
  void write(std::uint64_t first, std::span<const std::uint8_t> rows);
  void write(const std::vector<std::string>& values);  ///< all of them
  /// Writes the block of this place and extent; each block once and along the chunks, or it takes long.
  void write_block(const Shape& start, const Shape& extent, std::span<const double> values);

  /// Reads as many rows from `first` on as `rows` has room for, converting numbers.
  void read(std::uint64_t first, std::span<double> rows) const;
  void read(std::uint64_t first, std::span<std::int64_t> rows) const;
  void read(std::uint64_t first, std::span<std::uint8_t> rows) const;
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
  /// Creates a dataset in chunks, which are zeros until they are written, unless all of it will be; compressed, where
  /// the file is and it is large.
  Dataset create_dataset(const std::string& name, Element element, const Shape& shape);

  /// Nothing if there is no such thing.
  std::optional<Group> find_group(const std::string& path) const;
  std::optional<Dataset> find_dataset(const std::string& path) const;
  /// InputError if there is no such dataset.
  Dataset dataset(const std::string& path) const;
  std::vector<std::string> names() const;  ///< of groups and datasets in it, sorted

 protected:
  using Object::Object;
};

/// A file, which is its root group as well.
class File : public Group {
 public:
  /// When a dataset takes its place in the file.
  enum class Storage { when_written, when_created };

  /// Starts a new file, in place of one that is there. compression: deflate's level, 0 (none) to 9, of large datasets.
  static File create(const std::filesystem::path& path, int compression = 0, Storage storage = Storage::when_written);
  /// Opens a file that was created with Storage::when_created, for all ranks to write its datasets into. To create what
  /// is there already opens it, and attributes stay as they are. To be called and closed by all ranks.
  static File open_shared(const std::filesystem::path& path);
  static File open(const std::filesystem::path& path);

  /// Ends writing: the content is on the disk, or an IoError says why not. Its groups and datasets must be gone.
  void close();

 private:
  using Group::Group;
};

}  // namespace polhode::h5
