// Files below the level of HDF5, with control over what has reached the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace polhode {

/// An open file. Failures of reading, also to open a file for reading, throw InputError, all other failures IoError.
class PosixFile {
 public:
  enum class Mode { read, create, open_or_create };  ///< way to open a file; `create` empties an existing one

  PosixFile(std::filesystem::path path, Mode mode);
  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();

  std::uint64_t size() const;
  void read(std::span<std::byte> bytes, std::uint64_t offset) const;  ///< throws InputError also if the file ends early
  void write(std::span<const std::byte> bytes, std::uint64_t offset);
  void truncate(std::uint64_t size);
  /// Allocates disk space for the whole file, if the file system can, so that later writes into it find room.
  void reserve();
  void sync();
  /// Prepares for other processes that write other bytes of the file, until this object is destroyed: takes a lock on
  /// `byte`, which must be another one in each process. Without any lock on the file a client of NFS writes whole
  /// pages, and so overwrites the bytes of others.
  void share(std::uint64_t byte);
  /// Acquires a lock that excludes other processes until this object is destroyed; false if another process has it.
  bool try_lock();

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// Content of a file, its first `size` bytes, mapped into memory for reading.
class Mapping {
 public:
  Mapping(const PosixFile& file, std::uint64_t size);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  const std::byte* data() const { return data_; }

 private:
  const std::byte* data_ = nullptr;
  std::uint64_t size_;
};

/// Moves a synced file; on return the new name is on disk.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);
/// Makes sure that the names of a folder's files are on disk.
void sync_folder(const std::filesystem::path& folder);
/// The folder that contains a file; "." if its path has none.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace polhode
