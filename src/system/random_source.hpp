// Random numbers for whatever draws states. Where they come from: ensemble/random_stream.hpp.
#pragma once

namespace polhode {

class RandomSource {
 public:
  /// Uniform in (0, 1).
  virtual double uniform() = 0;
  /// Gaussian, of mean 0 and variance 1.
  virtual double normal() = 0;

 protected:
  ~RandomSource() = default;
};

}  // namespace polhode
