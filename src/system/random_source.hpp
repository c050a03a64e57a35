// Interface to random numbers for drawing states. Implemented in ensemble/random_stream.hpp.
#pragma once

namespace polhode {

class RandomSource {
 public:
  /// Uniform number in (0, 1).
  virtual double uniform() = 0;
  /// Gaussian number of mean 0 and variance 1.
  virtual double normal() = 0;

 protected:
  ~RandomSource() = default;
};

}  // namespace polhode
