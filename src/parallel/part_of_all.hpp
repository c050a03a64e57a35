// Place of a rank's part among the parts of all ranks, which follow one another in the order of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "parallel/ranks.hpp"

namespace polhode {

/// Sum of a count over the ranks before this one, and over all ranks.
struct PartOfAll {
  std::int64_t before, all;
};

/// Sums of `count` over the ranks before this one, and over all. Collective.
inline PartOfAll part_of_all(std::int64_t count, Ranks& ranks) {
  const std::vector<std::int64_t> counts = ranks.gather(count);
  const auto sum = [&](std::size_t ranks_before) {
    return std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(ranks_before), std::int64_t{0});
  };
  return {sum(static_cast<std::size_t>(ranks.rank())), sum(counts.size())};
}

}  // namespace polhode
