// Section points as blocks: what a run leaves of them, in journals or in memory, until its result is assembled.
//
// A block is a head, the number of points in each of its groups, and columns: trajectory[k], step[k], theta[k] and
// state[k][columns]. A group is a number of neighbouring trajectories. The points of a block come group after group, so
// that those of a group are read in one run; within a group they are in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/section_points.hpp"
#include "result/records.hpp"

namespace polhode {

struct SectionBlockHead {
  std::int64_t turn;  ///< number of the list that the points come from; a later list has points of the same
                      ///< or later steps of a trajectory
  std::int64_t part;  ///< number of the block in its turn; where the points of the turn were in order, so are its
                      ///< blocks
  std::int64_t points;
  std::int64_t first_group, groups;
};
static_assert(sizeof(SectionBlockHead) == 40);

/// Number of trajectories in a group, where slices have `slice`: the least power of two with which a slice has at most
/// 256 groups, so that the points of a group are a long run in a block. A slice whose size is a power of two consists
/// of whole groups.
std::int64_t trajectories_of_group(std::int64_t slice);

/// Bytes of a point in a block that has `columns` columns of its state.
constexpr std::size_t section_point_bytes(std::size_t columns) { return (3 + columns) * sizeof(double); }

/// Maker of blocks. Points that are in the order of groups and keep all columns are not copied.
class SectionBlock {
 public:
  /// Makes the block of points first, ..., first + count - 1, where count > 0. The block refers to the points, and is
  /// valid until the next call. turn, part: numbers for its head; group_size: number of trajectories in a group;
  /// columns: those of a state that are kept, in this order, or none for all.
  void make(const SectionPoints& points, std::int64_t first, std::int64_t count, std::int64_t turn, std::int64_t part,
            std::int64_t group_size, std::span<const int> columns);
  /// Bytes of the block, in parts; a multiple of 8 in all.
  std::span<const std::span<const std::byte>> parts() const { return parts_; }
  std::size_t bytes() const;

 private:
  void find_order(const SectionPoints& points, std::int64_t first, std::int64_t group_size);

  SectionBlockHead head_{};
  std::vector<std::int64_t> counts_, next_;  ///< [groups]
  std::vector<std::int64_t> order_;          ///< [points], index of each in the list; empty: in the order of the list
  std::vector<std::int64_t> trajectory_, step_;
  std::vector<double> theta_, state_;
  std::vector<std::span<const std::byte>> parts_;
};

/// A block that has been read: its head, and its columns among the bytes of `source`.
struct SectionBlockView : SectionBlockHead {
  const Records* source;
  const std::int64_t *counts, *trajectory, *step;
  const double *theta, *state;
};

/// All blocks of the stripes, the records among which a run has distributed its blocks, in the order of turns and
/// parts. columns: number of columns of a state in a block. Throws InputError where the records do not consist of
/// blocks.
std::vector<SectionBlockView> read_section_blocks(std::span<const Records> stripes, std::size_t columns);

}  // namespace polhode
