// A step map that is made of a motion in closed form, for tests of what asks for steps.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"

namespace polhode::test {

inline int steps_taken = 0;  ///< by all such maps

/// Motion: a system of two columns with moved(x, h), which is where x is after the time h. Steps are valid up to a
/// length of so many hundredths as there are sweeps.
template <class Motion>
struct ClosedForm {
  using System = Motion;
  template <class T>
  using Model = typename Motion::template Model<T>;
  template <class T>
  struct Constants {
    T h;
    Constants(const Model<T>&, const NoOptions&, const Kicks&, const T& h) : h(h) {}
  };
  template <class T, class = T>
  struct Step {
    T h, longest;
    Step(const Model<T>&, const NoOptions&, const Kicks&, const Constants<T>& constants, int percent)
        : h(constants.h), longest(T(0.01) * T(percent)) {}
    bool operator()(const Vec<T, 2>& x, Vec<T, 2>& y, bool /*active*/) const {
      ++steps_taken;
      y = Motion::moved(x, h);
      return h <= longest;
    }
  };
};

}  // namespace polhode::test
