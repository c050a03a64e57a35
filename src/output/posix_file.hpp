// Files below the level of HDF5, where it matters what has reached the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace polhode {

/// An open file. Failures of reading are an InputError, of all else an IoError.
class PosixFile {
 public:
  enum class Mode { read, create, open_or_create };  ///< create empties an existing file

  PosixFile(std::filesystem::path path, Mode mode);
  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();

  std::uint64_t size() const;
  void read(std::span<std::byte> bytes, std::uint64_t offset) const;  ///< InputError if the file ends before
  void write(std::span<const std::byte> bytes, std::uint64_t offset);
  void truncate(std::uint64_t size);
  /// Takes space for all of it where the file system can do that: what is written into it then finds room.
  void reserve();
  void sync();
  /// Takes the lock that excludes other processes until this object ends; false if another one has it.
  bool try_lock();

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// A file's content in memory, for reading.
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

/// Moves a file that has been synced; on return the new name is on the disk.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);
/// Makes the names of a folder's files reach the disk.
void sync_folder(const std::filesystem::path& folder);
/// The folder a file is in, "." rather than nothing.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace polhode
