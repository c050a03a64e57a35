// The random numbers of one trajectory: a function of the seed and its index alone, whatever batch, thread or rank it
// is in (Philox of Salmon et al., SC'11, by Random123).
#pragma once

#include <cstdint>

#include "system/random_source.hpp"

namespace polhode {

class RandomStream final : public RandomSource {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t trajectory);

  double uniform() override;
  double normal() override;

 private:
  std::uint64_t seed_, trajectory_;
  std::uint64_t block_ = 0;  ///< of numbers that were used
  std::uint64_t words_[4];   ///< of the present block
  int left_ = 0;
  double spare_ = 0;  ///< the second of a pair of Gaussian numbers
  bool has_spare_ = false;
};

}  // namespace polhode
