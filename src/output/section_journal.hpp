// The journal of section points, in several files, because the writes into one file exclude one another. Blocks of
// points (section_blocks.hpp) are written to them in any distribution.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "backend/section_points.hpp"
#include "output/journal.hpp"
#include "result/section_blocks.hpp"

namespace polhode {

inline constexpr int section_stripes = 4;

/// Length of the part of a section journal that belongs to a checkpoint.
struct SectionLength {
  std::int64_t points = 0, turns = 0;                 ///< numbers of points, and of lists of points that were appended
  std::array<std::int64_t, section_stripes> words{};  ///< length of each file, in words of 8 bytes
  bool operator==(const SectionLength&) const = default;
};

class SectionJournal {
 public:
  static std::string name(int stripe) { return "section-" + std::to_string(stripe); }

  /// Opens the files of the journal in `folder`, or creates empty ones. Nothing may be appended before truncate_to().
  explicit SectionJournal(const std::filesystem::path& folder);

  /// Appends points; on failure none of them. group: number of trajectories in a group (section_blocks.hpp); columns:
  /// columns of a state that are written, in this order; empty: all. A long list is written by several threads, and is
  /// not copied unless points are put in order or columns left out: a run that writes faster than the disk waits here.
  void append(const SectionPoints& points, std::int64_t group, std::span<const int> columns);
  /// Waits until all points are on disk.
  void sync();
  /// Removes what follows after this length. Throws InputError if there is less.
  void truncate_to(const SectionLength& length);

  const SectionLength& length() const { return length_; }
  const std::vector<Journal>& stripes() const { return stripes_; }

 private:
  std::vector<Journal> stripes_;
  std::array<SectionBlock, section_stripes> blocks_;  ///< one for each file, used by the thread that writes it
  SectionLength length_;
};

}  // namespace polhode
