#include "result/section_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <tuple>

#include "result/damaged.hpp"

namespace polhode {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const T* first, std::int64_t count) {
  return std::as_bytes(std::span(first, static_cast<std::size_t>(count)));
}

/// Values in the given order, gathered into `into`; without an order, the values themselves.
template <class T>
const T* gathered(const T* values, const std::vector<std::int64_t>& order, std::vector<T>& into) {
  if (order.empty()) return values;
  into.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) into[i] = values[order[i]];
  return into.data();
}

}  // namespace

std::int64_t trajectories_of_group(std::int64_t slice) {
  constexpr std::uint64_t most_groups = 256;
  return static_cast<std::int64_t>(
      std::bit_ceil((static_cast<std::uint64_t>(std::max<std::int64_t>(slice, 1)) + most_groups - 1) / most_groups));
}

void SectionBlock::make(const SectionPoints& points, std::int64_t first, std::int64_t count, std::int64_t turn,
                        std::int64_t part, std::int64_t group_size, std::span<const int> columns) {
  const std::int64_t* const trajectory = points.trajectory.data() + first;
  const auto [least, most] = std::minmax_element(trajectory, trajectory + count);
  head_ = {turn, part, count, *least / group_size, *most / group_size - *least / group_size + 1};
  counts_.assign(static_cast<std::size_t>(head_.groups), 0);
  bool ordered = true;
  for (std::int64_t i = 0, last = head_.first_group; i < count; ++i) {
    const std::int64_t group_index = trajectory[i] / group_size;
    ordered = ordered && group_index >= last;
    last = group_index;
    ++counts_[static_cast<std::size_t>(group_index - head_.first_group)];
  }
  order_.clear();
  if (!ordered) find_order(points, first, group_size);

  const auto dim = static_cast<std::size_t>(points.dim), width = columns.empty() ? dim : columns.size();
  const double* state = points.state.data() + static_cast<std::size_t>(first) * dim;
  if (!ordered || !columns.empty()) {
    state_.resize(static_cast<std::size_t>(count) * width);
    double* to = state_.data();
    for (std::int64_t i = 0; i < count; ++i) {
      const double* const from = state + static_cast<std::size_t>(ordered ? i : order_[i]) * dim;
      if (columns.empty())
        to = std::copy_n(from, dim, to);
      else
        for (const int column : columns) *to++ = from[column];
    }
    state = state_.data();
  }
  parts_ = {std::as_bytes(std::span(&head_, 1)),
            std::as_bytes(std::span(counts_)),
            bytes_of(gathered(trajectory, order_, trajectory_), count),
            bytes_of(gathered(points.step.data() + first, order_, step_), count),
            bytes_of(gathered(points.theta.data() + first, order_, theta_), count),
            bytes_of(state, count * static_cast<std::int64_t>(width))};
}

void SectionBlock::find_order(const SectionPoints& points, std::int64_t first, std::int64_t group_size) {
  next_.resize(counts_.size());
  std::exclusive_scan(counts_.begin(), counts_.end(), next_.begin(), std::int64_t{0});
  order_.resize(static_cast<std::size_t>(head_.points));
  for (std::int64_t i = 0; i < head_.points; ++i) {
    const std::int64_t group_index =
        points.trajectory[static_cast<std::size_t>(first + i)] / group_size - head_.first_group;
    order_[static_cast<std::size_t>(next_[static_cast<std::size_t>(group_index)]++)] = i;
  }
}

std::size_t SectionBlock::bytes() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& part) { return sum + part.size(); });
}

std::vector<SectionBlockView> read_section_blocks(std::span<const Records> stripes, std::size_t columns) {
  std::vector<SectionBlockView> blocks;
  for (const Records& stripe : stripes) {
    for (std::span<const std::byte> left = stripe.bytes; !left.empty();) {
      SectionBlockView block{};
      const auto rest = static_cast<std::int64_t>(left.size() / sizeof(double));
      SectionBlockHead& head = block;
      if (left.size() >= sizeof(head)) std::memcpy(&head, left.data(), sizeof(head));
      // Neither sum can overflow: both numbers are at most those of the bytes that are there.
      if (head.points <= 0 || head.points > rest || head.groups <= 0 || head.groups > rest || head.first_group < 0 ||
          sizeof(head) / sizeof(double) + static_cast<std::size_t>(head.groups) +
                  static_cast<std::size_t>(head.points) * (3 + columns) >
              static_cast<std::size_t>(rest))
        throw damaged(stripe, "a block has no end");
      block.source = &stripe;
      block.counts = reinterpret_cast<const std::int64_t*>(left.data() + sizeof(head));
      block.trajectory = block.counts + head.groups;
      block.step = block.trajectory + head.points;
      block.theta = reinterpret_cast<const double*>(block.step + head.points);
      block.state = block.theta + head.points;
      std::int64_t points = 0;
      for (std::int64_t g = 0; g < head.groups; ++g) {
        if (block.counts[g] < 0 || block.counts[g] > head.points - points) throw damaged(stripe, "a group has no end");
        points += block.counts[g];
      }
      if (points != head.points)
        throw damaged(stripe, fmt::format("{} points in the groups of a block of {}", points, head.points));
      left = left.subspan(sizeof(head) + static_cast<std::size_t>(head.groups) * sizeof(std::int64_t) +
                          static_cast<std::size_t>(head.points) * section_point_bytes(columns));
      blocks.push_back(block);
    }
  }
  std::ranges::stable_sort(blocks, {}, [](const SectionBlockView& b) { return std::tuple(b.turn, b.part); });
  return blocks;
}

}  // namespace polhode
