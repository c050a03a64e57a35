// Share of one of several processes in their common work.
#pragma once

#include <algorithm>
#include <cstdint>

namespace polhode {

/// Share in n items of the process `index`, one of 0, ..., of - 1: the items first(n), ..., first(n) + count(n) - 1.
/// Shares follow one another, and differ in size by one at most.
struct ProcessShare {
  int index = 0, of = 1;
  int on_machine = 1;  ///< number of processes that share the memory of this machine

  std::int64_t first(std::int64_t n) const { return n / of * index + std::min<std::int64_t>(index, n % of); }
  std::int64_t count(std::int64_t n) const { return n / of + (index < n % of ? 1 : 0); }
};

}  // namespace polhode
