// A system of which everything is known exactly: whole numbers below 2^52, which are stirred at every step.
#pragma once

#include <cstdint>
#include <vector>

namespace polhode::test {

struct Toy {
  std::uint64_t crossings_every;  ///< one step of so many crosses the section

  static std::uint64_t start_of(std::int64_t trajectory) { return stir(static_cast<std::uint64_t>(trajectory)); }
  static std::uint64_t step(std::uint64_t state) { return stir(state); }
  bool crosses(std::uint64_t state) const { return state % crossings_every == 0; }

  static constexpr int cells = 5;
  /// A crossing refined: a point of the section if it is not lost, and one to keep if it is in a cell.
  static std::uint64_t refined(std::uint64_t state) { return stir(state ^ 0x5ec7'1012'9a3b'77d1); }
  static bool is_lost(std::uint64_t point) { return point % 16 == 0; }
  static bool is_selected(std::uint64_t point) { return point / 16 % 3 != 0; }
  static int cell(std::uint64_t point) { return static_cast<int>(point / 64 % cells); }

 private:
  /// SplitMix64, less its last bits: a double holds the result.
  static std::uint64_t stir(std::uint64_t x) {
    x += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return (x ^ (x >> 31)) >> 12;
  }
};

struct ToyPoint {
  std::int64_t trajectory, step;
  std::uint64_t value;
  auto operator<=>(const ToyPoint&) const = default;
};

/// Trajectories of a slice at a step.
struct ToyBatch {
  std::vector<std::uint64_t> state;  ///< [n]
  std::vector<std::int64_t> points;  ///< [n], selected so far
  bool operator==(const ToyBatch&) const = default;
};

using ToyCounts = std::vector<std::int64_t>;  ///< [cells]

}  // namespace polhode::test
