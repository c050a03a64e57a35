#include "output/disk_room.hpp"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <system_error>

#include "error.hpp"
#include "output/file_size.hpp"
#include "output/posix_file.hpp"

namespace polhode {

DiskRoom disk_room(const RunDescription& run, double trajectories, double points, const std::filesystem::path& output,
                   double written) {
  const double result = file_bytes(run, trajectories, points);
  // Journals have all that the result has but initial states.
  const double initial = run.initial_states ? 8 * trajectories * static_cast<double>(run.columns.size()) : 0;
  std::error_code problem;
  const std::filesystem::space_info space = std::filesystem::space(folder_of(output), problem);
  // Of what is no disk, or cannot be written to, which is said later.
  const bool is_unknown = problem || space.capacity == 0;
  return {.result = result,
          .journals = result - initial,
          .written = written,
          .free = is_unknown ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available),
          .is_compressed = run.compression > 0};
}

void require_room(const DiskRoom& room, const char* how) {
  if (room.suffices()) return;
  throw IoError(
      fmt::format("the result does not fit on the disk ({} {} for it, {} for the journals that it is made of, and {} "
                  "are free). Record less, or write elsewhere with -o.",
                  how, in_bytes(room.result), in_bytes(room.journals_left()), in_bytes(room.free)));
}

std::string in_bytes(double bytes) {
  const char* const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = bytes / 1e3;
  std::size_t i = 0;
  for (; value >= 1000 && i + 1 < std::size(units); ++i) value /= 1e3;
  return fmt::format("{:.3g} {}", value, units[i]);
}

}  // namespace polhode
