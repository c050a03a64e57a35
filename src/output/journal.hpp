// An append-only file of records of one size, with what a run has produced so far. Only records that are counted by a
// checkpoint belong to the run; the others, including one cut short by a crash, are removed when it is resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "output/posix_file.hpp"

namespace polhode {

class Journal {
 public:
  /// Opens the journal at `path`, or creates an empty one.
  Journal(std::filesystem::path path, std::size_t record_bytes);

  /// Appends whole records.
  void append(std::span<const std::byte> records) { append_parts(std::span(&records, 1)); }
  /// Appends whole records, whose bytes are the concatenated parts. Throws IoError, and appends none of them, on
  /// failure.
  void append_parts(std::span<const std::span<const std::byte>> parts);
  /// Waits until all records are on disk.
  void sync() { file_.sync(); }
  /// Removes all but the first `records` records. Throws InputError if there are fewer.
  void truncate_to(std::int64_t records);

  std::int64_t records() const { return records_; }
  std::size_t record_bytes() const { return record_bytes_; }
  const std::filesystem::path& path() const { return file_.path(); }
  /// All records, valid until the next append or truncation.
  Mapping map() const { return Mapping(file_, bytes()); }

 private:
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(records_) * record_bytes_; }

  PosixFile file_;
  std::size_t record_bytes_;
  std::int64_t records_;
};

}  // namespace polhode
