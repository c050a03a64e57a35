// Groups of trajectories are merged independently of one another: how many points each trajectory has is known from the
// final batches, and so is the place of each group in the result. A group is gathered from the blocks of all turns, or
// from some turns at a time where it is large.
#include "result/assembly_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "parallel_for.hpp"
#include "result/assembly_blocks.hpp"
#include "result/damaged.hpp"
#include "result/dimensions.hpp"
#include "result/final_records.hpp"
#include "result/section_blocks.hpp"

namespace polhode {
namespace {

/// Number of points that all threads together gather at a time. Each thread completes the turn (section_blocks.hpp) in
/// which it comes to its share of them; if the result is compressed, the group.
constexpr std::int64_t most_points = 1 << 22;
constexpr std::int64_t portions = 32;  ///< number of portions in which records are given back

/// The points of a group in a block: first, ..., first + count - 1 of the block.
struct Piece {
  const SectionBlockView* block;
  std::int64_t first, count;
};

/// Pieces of all groups; those of a group are in the order of blocks.
class Pieces {
 public:
  Pieces(const std::vector<SectionBlockView>& blocks, std::int64_t groups) : begin_(size(groups) + 1, 0) {
    const auto each = [&](const auto& visit) {
      for (const SectionBlockView& block : blocks) {
        if (block.groups > groups || block.first_group > groups - block.groups)
          throw damaged(*block.source, "a point of a trajectory beyond the last");
        std::int64_t first = 0;
        for (std::int64_t g = 0; g < block.groups; first += block.counts[g++])
          if (block.counts[g] > 0) visit(size(block.first_group + g), Piece{&block, first, block.counts[g]});
      }
    };
    each([&](std::size_t group, const Piece&) { ++begin_[group + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    pieces_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each([&](std::size_t group, const Piece& piece) { pieces_[next[group]++] = piece; });
  }

  std::span<const Piece> of(std::int64_t group) const {
    return std::span(pieces_).subspan(begin_[size(group)], begin_[size(group) + 1] - begin_[size(group)]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Piece> pieces_;
};

/// State of a trajectory while its points are merged.
struct Cursor {
  std::int64_t place = 0, left = 0;    ///< its next place in the result; number of its points not gathered yet
  std::int64_t first = 0, next = 0;    ///< index in Gathered of its first point; index after the last so far
  std::int64_t turn = -1;              ///< turn of the latest point
  std::int64_t least = 0, latest = 0;  ///< latest step before that turn; latest step so far
  bool ordered = true;                 ///< whether its points in Gathered are in the order of step and theta
};

/// Points of a group that a thread gathers at a time, from all turns or from some.
struct Gathered {
  std::vector<Cursor> cursors;
  std::vector<std::int64_t> trajectory, step;
  std::vector<double> theta, state;
  /// Points that are put in order: their step, theta and index in Gathered; and a copy of their states.
  std::vector<std::tuple<std::int64_t, double, std::int64_t>> order;
  std::vector<double> unordered_states;
};

class PointMerger {
 public:
  PointMerger(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads)
      : result_(result),
        // Chunks are compressed once: of a group all points at a time.
        most_points_(result.description.compression > 0 ? std::numeric_limits<std::int64_t>::max()
                                                        : most_points / threads),
        position_(position),
        width_(size(static_cast<std::int64_t>(section_columns(result.description).size()))),
        group_size_(trajectories_of_group(result.slice)),
        groups_((result.ensemble.n + group_size_ - 1) / group_size_),
        blocks_(read_section_blocks(result.section, width_)),
        pieces_(blocks_, groups_),
        state_(find("/section/state")),
        trajectory_(find("/section/trajectory")),
        time_(find("/section/time")),
        step_(find("/section/step")) {
    is_merged_.resize(size(groups_));
    given_back_.resize(blocks_.size());
    begin_.reserve(size(groups_));
    std::int64_t place = position.point;
    for (std::int64_t g = 0; g < groups_; ++g) {
      begin_.push_back(place);
      const auto counts = counts_of(g);
      if (std::ranges::any_of(counts, [](std::int64_t count) { return count < 0; }))
        throw damaged(result.final, fmt::format("negative counts of points among trajectories {} to {}",
                                                g * group_size_, g * group_size_ + std::ssize(counts) - 1));
      place = std::accumulate(counts.begin(), counts.end(), place);
    }
  }

  std::int64_t groups() const { return groups_; }

  /// Notes that a group is merged, and gives back the records of those up to it once all before are, in a few portions.
  void finish(std::int64_t group) {
    if (!result_.give_back) return;
    const std::lock_guard lock(mutex_);
    is_merged_[size(group)] = true;
    while (merged_ < groups_ && is_merged_[size(merged_)]) ++merged_;
    if (merged_ < groups_ && merged_ - groups_given_back_ < std::max<std::int64_t>(groups_ / portions, 1)) return;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const SectionBlockView& block = blocks_[i];
      std::int64_t points = given_back_[i];
      for (std::int64_t g = std::max(groups_given_back_, block.first_group);
           g < std::min(merged_, block.first_group + block.groups); ++g)
        points += block.counts[g - block.first_group];
      const auto give_back = [&](const auto* column, std::size_t width) {
        const std::size_t bytes = width * sizeof(*column);
        result_.give_back(reinterpret_cast<const std::byte*>(column), size(given_back_[i]) * bytes,
                          size(points) * bytes);
      };
      give_back(block.trajectory, 1);
      give_back(block.step, 1);
      give_back(block.theta, 1);
      give_back(block.state, width_);
      given_back_[i] = points;
    }
    groups_given_back_ = merged_;
  }

  /// Merges the points of one group, and writes them; `points` is memory for them. Throws InputError where a trajectory
  /// has fewer or more points than its final record counts, or points are damaged.
  void merge(std::int64_t group, Gathered& points) const {
    const auto counts = counts_of(group);
    points.cursors.assign(counts.size(), {});
    for (std::int64_t k = 0, place = begin_[size(group)]; k < std::ssize(counts); place += counts[size(k++)]) {
      points.cursors[size(k)].place = place;
      points.cursors[size(k)].left = counts[size(k)];
    }
    std::span<const Piece> pieces = pieces_.of(group);
    while (!pieces.empty()) {
      const auto turns = pieces.first(some_turns(pieces));
      gather(group * group_size_, turns, points);
      put(points);
      pieces = pieces.subspan(turns.size());
    }
    for (std::int64_t k = 0; k < std::ssize(counts); ++k)
      if (points.cursors[size(k)].left > 0)
        throw damaged(result_.section.front(),
                      fmt::format("trajectory {} has {} points instead of {}", group * group_size_ + k,
                                  counts[size(k)] - points.cursors[size(k)].left, counts[size(k)]));
  }

 private:
  std::vector<std::int64_t> counts_of(std::int64_t group) const {
    return section_counts(result_.final.bytes,
                          {without_states_unless(result_.description.final_states, result_.ensemble),
                           result_.description.earlier_every > 0},
                          result_.slice, group * group_size_,
                          std::min(group_size_, result_.ensemble.n - group * group_size_));
  }

  /// Number of pieces to gather next: whole turns, one at least, until with the first piece of the next turn there
  /// would be more than most_points_ points.
  std::size_t some_turns(std::span<const Piece> pieces) const {
    std::int64_t points = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      points += pieces[i].count;
      if (points > most_points_ && i > 0 && pieces[i].block->turn != pieces[i - 1].block->turn) return i;
    }
    return pieces.size();
  }

  void gather(std::int64_t first, std::span<const Piece> pieces, Gathered& points) const {
    count(first, pieces, points.cursors);
    std::int64_t all = 0;
    for (Cursor& cursor : points.cursors) {
      cursor.first = all;
      all += std::exchange(cursor.next, all);
      cursor.ordered = true;
    }
    points.trajectory.resize(size(all));
    points.step.resize(size(all));
    points.theta.resize(size(all));
    points.state.resize(size(all) * width_);
    for (const Piece& piece : pieces) {
      const SectionBlockView& block = *piece.block;
      for (std::int64_t i = piece.first; i < piece.first + piece.count; ++i) {
        Cursor& cursor = points.cursors[size(block.trajectory[i] - first)];
        const std::int64_t step = block.step[i];
        const double theta = block.theta[i];
        if (!std::isfinite(theta))
          throw damaged(*block.source, fmt::format("trajectory {} has a point without a time", block.trajectory[i]));
        if (cursor.turn != block.turn) {
          cursor.turn = block.turn;
          cursor.least = cursor.latest;
        }
        if (step < cursor.least)
          throw damaged(*block.source, fmt::format("trajectory {} has its points out of order", block.trajectory[i]));
        cursor.latest = std::max(cursor.latest, step);
        const std::size_t to = size(cursor.next++);
        if (to > size(cursor.first) && std::tie(step, theta) < std::tie(points.step[to - 1], points.theta[to - 1]))
          cursor.ordered = false;
        points.trajectory[to] = position_.trajectory + block.trajectory[i];
        points.step[to] = step;
        points.theta[to] = theta;
        std::memcpy(&points.state[to * width_], block.state + size(i) * width_, width_ * sizeof(double));
      }
    }
    for (const Cursor& cursor : points.cursors)
      if (!cursor.ordered) put_in_order(cursor, points);
    for (std::size_t i = 0; i < size(all); ++i)  // theta becomes the time
      points.theta[i] = (static_cast<double>(points.step[i]) + points.theta[i]) * result_.description.step;
  }

  /// Sets Cursor::next of each trajectory of a group to the number of its points in `pieces`, and subtracts this number
  /// from Cursor::left. first: the first trajectory of the group. Throws InputError where a point is of no trajectory
  /// of the group, or a trajectory has more points than its final record counts.
  void count(std::int64_t first, std::span<const Piece> pieces, std::vector<Cursor>& cursors) const {
    for (Cursor& cursor : cursors) cursor.next = 0;
    for (const Piece& piece : pieces)
      for (std::int64_t i = piece.first; i < piece.first + piece.count; ++i) {
        const std::int64_t k = piece.block->trajectory[i] - first;
        if (k < 0 || k >= std::ssize(cursors))
          throw damaged(*piece.block->source, fmt::format("a point of trajectory {} among those of {} to {}", first + k,
                                                          first, first + std::ssize(cursors) - 1));
        ++cursors[size(k)].next;
      }
    for (std::int64_t k = 0; k < std::ssize(cursors); ++k)
      if ((cursors[size(k)].left -= cursors[size(k)].next) < 0)
        throw damaged(result_.section.front(),
                      fmt::format("trajectory {} has {} points too many", first + k, -cursors[size(k)].left));
  }

  /// Puts the gathered points of one trajectory in the order of step and theta.
  void put_in_order(const Cursor& cursor, Gathered& points) const {
    points.order.clear();
    for (std::int64_t i = cursor.first; i < cursor.next; ++i)
      points.order.emplace_back(points.step[size(i)], points.theta[size(i)], i);
    std::ranges::sort(points.order);
    const auto states_begin = points.state.begin() + cursor.first * static_cast<std::int64_t>(width_);
    points.unordered_states.assign(states_begin,
                                   points.state.begin() + cursor.next * static_cast<std::int64_t>(width_));
    for (std::size_t i = 0; i < points.order.size(); ++i) {
      const auto& [step, theta, from] = points.order[i];
      const std::size_t to = size(cursor.first) + i;
      points.step[to] = step;
      points.theta[to] = theta;
      std::memcpy(&points.state[to * width_], &points.unordered_states[size(from - cursor.first) * width_],
                  width_ * sizeof(double));
    }
  }

  /// Writes the gathered points, in as few runs of rows as possible, and advances Cursor::place of each trajectory.
  void put(Gathered& points) const {
    std::int64_t place = 0, first = 0, last = 0;
    const auto write = [&] {
      if (last == first) return;
      const auto rows = [&](const auto& values, std::size_t width) {
        return std::span(values).subspan(size(first) * width, size(last - first) * width);
      };
      state_->write(size(place), rows(points.state, width_));
      trajectory_->write(size(place), rows(points.trajectory, 1));
      time_->write(size(place), rows(points.theta, 1));
      step_->write(size(place), rows(points.step, 1));
    };
    for (Cursor& cursor : points.cursors) {
      if (cursor.next == cursor.first) continue;
      if (cursor.place != place + last - first) {
        write();
        place = cursor.place;
        first = cursor.first;
      }
      last = cursor.next;
      cursor.place += cursor.next - cursor.first;
    }
    write();
  }

  const RunRecords& result_;
  std::int64_t most_points_;  ///< number of points that a thread gathers at a time, up to the end of a turn
  Position position_;
  std::size_t width_;
  std::int64_t group_size_, groups_;
  std::vector<SectionBlockView> blocks_;
  Pieces pieces_;
  std::unique_ptr<RowWriter> state_, trajectory_, time_, step_;
  std::vector<std::int64_t> begin_;                  ///< place of each group's first point in the result
  std::mutex mutex_;                                 ///< of what follows
  std::vector<char> is_merged_;                      ///< whether each group is
  std::int64_t merged_ = 0, groups_given_back_ = 0;  ///< numbers of groups from the first on
  std::vector<std::int64_t> given_back_;             ///< number of points of each block
};

}  // namespace

void fill_points(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads) {
  PointMerger merger(find, result, position, threads);
  parallel_for<Gathered>(merger.groups(), threads, [&](std::int64_t group, Gathered& points) {
    merger.merge(group, points);
    merger.finish(group);
  });
}

}  // namespace polhode
