// Room on the disk for a run: for the journals that it writes, and for the result that is made of them while they are
// there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "result/run_description.hpp"

namespace polhode {

/// Bytes of a run with so many trajectories and section points, and what is free where they are written.
struct DiskRoom {
  double result;  ///< of the file, before compression
  double journals;
  double written;  ///< of the journals that are there already
  double free;
  bool is_compressed;  ///< so that nobody knows how much less the file takes

  double journals_left() const { return std::max(journals - written, 0.0); }
  /// Bytes still to be written, at least.
  double needed() const { return journals_left() + (is_compressed ? 0 : result); }
  bool suffices() const { return needed() <= free; }
};

DiskRoom disk_room(const RunDescription& run, double trajectories, double points, const std::filesystem::path& output,
                   double written);

/// Throws IoError where the room does not suffice; `how` well its bytes are known, e.g. "about".
void require_room(const DiskRoom& room, const char* how);

/// Number of bytes in words, e.g. "22 MB".
std::string in_bytes(double bytes);

}  // namespace polhode
