// An append-only file of records of one size: what a run has produced so far. Only what a checkpoint counts is part of
// the run; the rest, a record cut short by a crash included, is cut off again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "output/posix_file.hpp"

namespace polhode {

class Journal {
 public:
  /// Opens a journal, or creates an empty one.
  Journal(std::filesystem::path path, std::size_t record_bytes);

  /// Appends whole records.
  void append(std::span<const std::byte> records) { append_parts(std::span(&records, 1)); }
  /// Appends whole records, whose bytes are those of the parts, one after another; on failure none of them.
  void append_parts(std::span<const std::span<const std::byte>> parts);
  /// Waits until all records are on the disk.
  void sync() { file_.sync(); }
  /// Keeps the first `records` records; InputError if there are fewer.
  void truncate_to(std::int64_t records);

  std::int64_t records() const { return records_; }
  std::size_t record_bytes() const { return record_bytes_; }
  const std::filesystem::path& path() const { return file_.path(); }
  /// All records, one after another, until the next append or truncation.
  Mapping map() const { return Mapping(file_, bytes()); }

 private:
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(records_) * record_bytes_; }

  PosixFile file_;
  std::size_t record_bytes_;
  std::int64_t records_;
};

}  // namespace polhode
