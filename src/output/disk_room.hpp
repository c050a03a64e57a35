// Room on the disk for a run: for the journals that it writes, and for the result that is made of them while they are
// there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "result/run_description.hpp"

namespace polhode {

/// Bytes that a run takes, and those that are free where it writes them.
struct DiskRoom {
  double result;       ///< bytes of the result file, before compression
  double journals;     ///< bytes of all journals at the end of the run
  double written;      ///< bytes of journals that have been written already
  double free;         ///< free bytes; infinite where they are unknown
  bool is_compressed;  ///< whether the file takes less than `result`, by an unknown amount

  double journals_left() const { return std::max(journals - written, 0.0); }
  /// Bytes still to be written, at least.
  double needed() const { return journals_left() + (is_compressed ? 0 : result); }
  bool suffices() const { return needed() <= free; }
};

DiskRoom disk_room(const RunDescription& run, double trajectories, double points, const std::filesystem::path& output,
                   double written);

/// Throws IoError where the room does not suffice. how: word for how well the needed bytes are known, e.g. "about".
void require_room(const DiskRoom& room, const char* how);

/// Number of bytes in words, e.g. "22 MB".
std::string in_bytes(double bytes);

}  // namespace polhode
