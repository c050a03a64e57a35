// Layout: a Header, the identity, the counts, the earlier drifts, then the columns of the batch in their order, all in
// native (little-endian) byte order. A checkpoint is read where it was written, so nothing is converted.
#include "output/checkpoint.hpp"

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "checksum.hpp"
#include "output/failure.hpp"
#include "output/posix_file.hpp"

namespace polhode {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'p', 'o', 'l', 'h', 'o', 'd', 'e', 'C'};

/// Version of the format: a checksum of a number for the layout and of the columns of a batch.
std::uint64_t format_version() {
  static const std::uint64_t version = [] {
    constexpr std::uint64_t layout = 12;
    Checksum sum;
    sum.add(std::as_bytes(std::span(&layout, 1)));
    for_carried(
        [&]<class T>(const CarriedColumn& column, const T&) {
          const std::uint64_t bytes = sizeof(T);
          sum.add(std::as_bytes(std::span(&bytes, 1)));
          sum.add(std::as_bytes(std::span(std::string_view(column.name))));
        },
        Carried<Single>{});
    return sum.value();
  }();
  return version;
}

struct Header {
  std::array<char, 8> magic;
  std::uint64_t version;
  std::int64_t trajectories, first, slice, step, unrefined;
  JournalRecords records;
  BatchShape batch;
  std::uint64_t identity_bytes, n_counts, n_earlier_drifts;
  std::uint64_t checksum;  ///< checksum of the header with 0 here, and of the content after it
};
static_assert(std::has_unique_object_representations_v<Header>);  // every byte is written

/// Parts of a checkpoint's file after the header, in their order, as the bytes of `checkpoint`: to be filled from the
/// file, or, where it is const, to be written to it.
template <class Source>
auto content(Source& checkpoint) {
  const auto bytes = [](auto& column) {
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(column)>>) {
      return std::as_bytes(std::span(column));
    } else {
      return std::as_writable_bytes(std::span(column));
    }
  };
  auto& batch = checkpoint.point.batch;
  std::vector parts{bytes(checkpoint.identity), bytes(checkpoint.point.counts), bytes(batch.earlier_drift)};
  for_carried([&](const CarriedColumn&, auto& array) { parts.push_back(bytes(array)); }, batch);
  return parts;
}

std::uint64_t checksum(Header header, const Checkpoint& checkpoint) {
  header.checksum = 0;
  Checksum sum;
  sum.add(std::as_bytes(std::span(&header, 1)));
  for (const auto part : content(checkpoint)) sum.add(part);
  return sum.value();
}

/// Number of bytes after the header, as the header says; nullopt if its counts are impossible for a file of this size.
std::optional<std::uint64_t> content_bytes(const Header& header, std::uint64_t file_bytes) {
  constexpr std::int64_t most_columns = 1 << 20;
  bool possible = header.batch.n >= 0 && header.identity_bytes <= file_bytes &&
                  header.n_counts <= file_bytes / sizeof(std::int64_t) &&
                  header.n_earlier_drifts <= file_bytes / sizeof(double);
  for_carried(
      [&](const CarriedColumn& column, const auto&) {
        const std::int64_t columns = column.columns(header.batch);
        possible = possible && columns >= 0 && columns <= most_columns;
      },
      Carried<Single>{});
  if (!possible) return {};
  const std::uint64_t per_trajectory = carried_bytes(header.batch), n = static_cast<std::uint64_t>(header.batch.n);
  if (n > file_bytes / per_trajectory) return {};
  return header.identity_bytes + header.n_counts * sizeof(std::int64_t) + header.n_earlier_drifts * sizeof(double) +
         n * per_trajectory;
}

InputError damaged(const std::filesystem::path& path, const std::string& why) {
  return cannot_read(path, why, "Use --force to start the run again.");
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const ResumePoint& point = checkpoint.point;
  Header header{.magic = magic,
                .version = format_version(),
                .trajectories = checkpoint.trajectories,
                .first = point.position.first,
                .slice = checkpoint.slice,
                .step = point.position.step,
                .unrefined = point.unrefined,
                .records = checkpoint.records,
                .batch = point.batch.shape(),
                .identity_bytes = checkpoint.identity.size(),
                .n_counts = point.counts.size(),
                .n_earlier_drifts = point.batch.earlier_drift.size(),
                .checksum = 0};
  header.checksum = checksum(header, checkpoint);

  std::filesystem::path unfinished = path;
  unfinished += ".new";
  {
    PosixFile file(unfinished, PosixFile::Mode::create);
    file.write(std::as_bytes(std::span(&header, 1)), 0);
    std::uint64_t offset = sizeof(header);
    for (const auto part : content(checkpoint)) {
      file.write(part, offset);
      offset += part.size();
    }
    file.sync();
  }
  rename_durably(unfinished, path);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const PosixFile file(path, PosixFile::Mode::read);
  const std::uint64_t size = file.size();
  Header header;
  if (size < sizeof(header)) throw damaged(path, "the checkpoint is truncated");
  file.read(std::as_writable_bytes(std::span(&header, 1)), 0);
  if (header.magic != magic) throw damaged(path, "not a checkpoint of polhode");
  if (header.version != format_version()) throw damaged(path, "a checkpoint of another version of polhode");
  if (content_bytes(header, size) != size - sizeof(header)) {
    throw damaged(path, "the checkpoint is truncated or damaged: its length does not match its header");
  }

  Checkpoint checkpoint{.trajectories = header.trajectories,
                        .slice = header.slice,
                        .records = header.records,
                        .identity = std::string(header.identity_bytes, '\0'),
                        .point = {.position = {header.first, header.step},
                                  .batch = Batch(header.batch),
                                  .counts = std::vector<std::int64_t>(header.n_counts),
                                  .points = header.records.section.points,
                                  .unrefined = header.unrefined}};
  checkpoint.point.batch.earlier_drift.resize(header.n_earlier_drifts);
  std::uint64_t offset = sizeof(header);
  for (const auto part : content(checkpoint)) {
    file.read(part, offset);
    offset += part.size();
  }
  if (checksum(header, checkpoint) != header.checksum) {
    throw damaged(path, "the checkpoint is damaged: its checksum does not match");
  }
  return checkpoint;
}

}  // namespace polhode
