#include "ensemble/random_stream.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

namespace polhode {

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t trajectory) : seed_(seed), trajectory_(trajectory) {}

double RandomStream::uniform() {
  if (left_ == 0) {
    const r123::Philox4x64::ctr_type words = r123::Philox4x64{}({{block_++, trajectory_, 0, 0}}, {{seed_, 0}});
    std::copy(words.begin(), words.end(), words_);
    left_ = 4;
  }
  // The middle of one of 2^52 intervals: exact, and never 0 or 1.
  return (static_cast<double>(words_[4 - left_--] >> 12) + 0.5) * 0x1p-52;
}

/// Polar method of Marsaglia and Bray (SIAM Review 6 (1964) 260).
double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  for (;;) {
    const double x = 2 * uniform() - 1, y = 2 * uniform() - 1, squared = x * x + y * y;
    if (!(squared < 1) || squared == 0) continue;
    const double scale = std::sqrt(-2 * std::log(squared) / squared);
    spare_ = scale * y;
    has_spare_ = true;
    return scale * x;
  }
}

}  // namespace polhode
