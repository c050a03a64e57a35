// Layout: a Header, the identity, the counts, then the columns of the batch in the order of Batch, all in native
// (little-endian) byte order. A checkpoint is read where it was written, so nothing is converted.
#include "output/checkpoint.hpp"

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <type_traits>

#include "output/checksum.hpp"
#include "output/failure.hpp"
#include "output/posix_file.hpp"

namespace polhode {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'p', 'o', 'l', 'h', 'o', 'd', 'e', 'C'};
constexpr std::uint64_t format_version = 6;

struct Header {
  std::array<char, 8> magic;
  std::uint64_t version;
  std::int64_t trajectories, first, slice, step;
  JournalRecords records;
  std::uint64_t n, dim, n_invariants, identity_bytes, counts;
  std::uint64_t checksum;  ///< of the header with 0 here, and of all that follows it
};
static_assert(sizeof(Header) == 128);

/// What follows the header, in this order: to read of a view, to write of a checkpoint.
template <class Source>
auto content(Source& checkpoint) {
  auto& batch = checkpoint.batch;
  const auto bytes = [](auto& column) {
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(column)>>) {
      return std::as_bytes(std::span(column));
    } else {
      return std::as_writable_bytes(std::span(column));
    }
  };
  return std::array{bytes(checkpoint.identity), bytes(checkpoint.counts), bytes(batch.state), bytes(batch.invariants),
                    bytes(batch.max_drift),     bytes(batch.steps),       bytes(batch.code)};
}

std::uint64_t checksum(Header header, const CheckpointView& checkpoint) {
  header.checksum = 0;
  Checksum sum;
  sum.add(std::as_bytes(std::span(&header, 1)));
  for (const auto part : content(checkpoint)) sum.add(part);
  return sum.value();
}

/// Bytes after the header; nothing if the counts cannot be those of a file of this size.
std::optional<std::uint64_t> content_bytes(const Header& header, std::uint64_t file_bytes) {
  constexpr std::uint64_t most_columns = 1 << 20;
  if (header.dim > most_columns || header.n_invariants > most_columns || header.identity_bytes > file_bytes ||
      header.counts > file_bytes / sizeof(std::int64_t))
    return {};
  const std::uint64_t per_trajectory =
      (header.dim + 2 * header.n_invariants) * sizeof(double) + sizeof(std::int64_t) + sizeof(std::uint8_t);
  if (header.n > file_bytes / per_trajectory) return {};
  return header.identity_bytes + header.counts * sizeof(std::int64_t) + header.n * per_trajectory;
}

InputError damaged(const std::filesystem::path& path, const std::string& why) {
  return cannot_read(path, why, "Use --force to start the run again.");
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const CheckpointView& checkpoint) {
  const Batch& batch = checkpoint.batch;
  Header header{.magic = magic,
                .version = format_version,
                .trajectories = checkpoint.trajectories,
                .first = checkpoint.first,
                .slice = checkpoint.slice,
                .step = checkpoint.step,
                .records = checkpoint.records,
                .n = static_cast<std::uint64_t>(batch.n),
                .dim = static_cast<std::uint64_t>(batch.dim),
                .n_invariants = static_cast<std::uint64_t>(batch.n_invariants),
                .identity_bytes = checkpoint.identity.size(),
                .counts = checkpoint.counts.size(),
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
  if (header.version != format_version) throw damaged(path, "a checkpoint of another version of polhode");
  if (content_bytes(header, size) != size - sizeof(header)) {
    throw damaged(path, "the checkpoint is truncated or damaged: its length does not match its header");
  }

  Checkpoint checkpoint{.trajectories = header.trajectories,
                        .first = header.first,
                        .slice = header.slice,
                        .step = header.step,
                        .records = header.records,
                        .identity = std::string(header.identity_bytes, '\0'),
                        .batch = Batch(static_cast<std::int64_t>(header.n), static_cast<int>(header.dim),
                                       static_cast<int>(header.n_invariants)),
                        .counts = std::vector<std::int64_t>(header.counts)};
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
