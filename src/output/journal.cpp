#include "output/journal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "contract.hpp"
#include "output/failure.hpp"

namespace polhode {

Journal::Journal(std::filesystem::path path, std::size_t record_bytes)
    : file_(std::move(path), PosixFile::Mode::open_or_create),
      record_bytes_(record_bytes),
      records_(static_cast<std::int64_t>(file_.size() / record_bytes)) {}

void Journal::append_parts(std::span<const std::span<const std::byte>> parts) {
  std::uint64_t size = 0, written = 0;
  for (const auto& part : parts) size += part.size();
  POLHODE_EXPECT(size % record_bytes_ == 0);
  try {
    for (const auto& part : parts) {
      file_.write(part, bytes() + written);
      written += part.size();
    }
  } catch (const IoError&) {
    // Frees the disk space, so that a full disk has room for a checkpoint; the count of records does not depend on it.
    [[maybe_unused]] const int ignored = ::ftruncate(file_.descriptor(), static_cast<off_t>(bytes()));
    throw;
  }
  records_ += static_cast<std::int64_t>(size / record_bytes_);
}

void Journal::truncate_to(std::int64_t records) {
  if (records < 0 || records > records_) {
    throw cannot_read(path(), fmt::format("it has {} records instead of the checkpoint's {}", records_, records),
                      "Use --force to start again.");
  }
  records_ = records;
  file_.truncate(bytes());
}

}  // namespace polhode
