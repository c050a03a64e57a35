// The random numbers of trajectories: functions of the seed and the trajectory alone, whatever batch, thread, rank or
// lane it is in, and of exact operations alone, so that they have the same bits on any machine.
//
// Philox4x64 with ten rounds (Salmon et al., SC'11) maps a counter (block, trajectory, stream, 0) and the seed to four
// words. All lanes of a pack take numbers of the same block: what draws in packs must not ask for more in some lanes.
#pragma once

#include <cstdint>

#include "polhode/scalar/elementary.hpp"
#include "polhode/scalar/pack.hpp"

namespace polhode::inline POLHODE_ISA {

/// Replaces a counter, words[4], by the four random words that Philox4x64 with ten rounds makes of it and the seed.
POLHODE_HD void philox(std::uint64_t (&words)[4], std::uint64_t seed) {
  __extension__ using Product = unsigned __int128;
  std::uint64_t key[] = {seed, 0};
  unroll<10>([&](int) POLHODE_LAMBDA {
    const Product a = Product{0xd2e7470ee14c6c93u} * words[0], b = Product{0xca5a826395121157u} * words[2];
    words[0] = static_cast<std::uint64_t>(b >> 64) ^ words[1] ^ key[0];
    words[1] = static_cast<std::uint64_t>(b);
    words[2] = static_cast<std::uint64_t>(a >> 64) ^ words[3] ^ key[1];
    words[3] = static_cast<std::uint64_t>(a);
    key[0] += 0x9e3779b97f4a7c15u;
    key[1] += 0xbb67ae8584caa73bu;
  });
}

template <class T>
class RandomNumbers {
 public:
  static constexpr int lanes = lanes_of<T>;

  /// Random numbers for the trajectories first, first + 1, ..., one for each lane. Numbers of different streams are
  /// independent.
  RandomNumbers(std::uint64_t seed, std::uint64_t first, std::uint64_t stream = 0)
      : seed_(seed), first_(first), stream_(stream) {}

  /// Random numbers of another stream, from its beginning, for the same trajectories.
  RandomNumbers beside(std::uint64_t stream) const { return {seed_, first_, stream}; }

  std::uint64_t seed() const { return seed_; }
  std::uint64_t first() const { return first_; }

  /// Uniform number in (0, 1) in each lane: the middle of one of 2^52 intervals, exact.
  POLHODE_HD T uniform() {
    if (next_ == 4) refill();
    return load_lanes<T>(numbers_[next_++]);
  }
  /// Gaussian number of mean 0 and variance 1 in each lane (Box and Muller).
  POLHODE_HD T normal() {
    has_spare_ = !has_spare_;
    if (!has_spare_) return spare_;
    const T radius = sqrt(T(-2) * log(uniform()));
    const SinCos<T> direction = sin_cos(T(6.283185307179586) * uniform());
    spare_ = radius * direction.sin;
    return radius * direction.cos;
  }

 private:
  POLHODE_OUTLINED void refill() {
    for (int l = 0; l < lanes; ++l) {
      std::uint64_t words[] = {block_, first_ + static_cast<std::uint64_t>(l), stream_, 0};
      philox(words, seed_);
      for (int i = 0; i < 4; ++i)
        numbers_[i][l] = (static_cast<double>(static_cast<std::int64_t>(words[i] >> 12)) + 0.5) * 0x1p-52;
    }
    ++block_;
    next_ = 0;
  }

  std::uint64_t seed_, first_, stream_;
  std::uint64_t block_ = 0;   ///< number of the next block
  double numbers_[4][lanes];  ///< uniform numbers of the present block
  int next_ = 4;              ///< index of the next number in numbers_; 4: none is left
  T spare_{};                 ///< the second of a pair of Gaussian numbers, if has_spare_
  bool has_spare_ = false;
};

using RandomSource = RandomNumbers<double>;

}  // namespace polhode::inline POLHODE_ISA
