// Definitions of advance_by.hpp, for a source that compiles the steps of a map.
#pragma once

#include "numerics/advance_by.hpp"
#include "polhode/method/common.hpp"

namespace polhode::test {

template <class Map, class T>
bool advance_by(const double* p, const Scheme& scheme, double h, int sweeps, std::int64_t steps,
                typename Map::System::template State<T>& x) {
  const typename Map::System::template Model<T> model(p);
  const typename Map::template Constants<T> constants(model, options_of<Map>(scheme), scheme.kicks, T(h));
  const CommonOf<Map, Real<T>> common(typename Map::System::template Model<Real<T>>(p), options_of<Map>(scheme));
  const auto step =
      make_step<Map, T, T, Real<T>>(model, options_of<Map>(scheme), scheme.kicks, common, constants, sweeps);
  bool valid = true;
  for (std::int64_t n = 0; n < steps; ++n) valid = step(x, x, true) && valid;
  return valid;
}

template <class Map>
int nominal_sweeps_by(const double* p, const Scheme& scheme, double h) {
  return Map::template nominal_sweeps<double>(p, options_of<Map>(scheme), scheme.kicks, h);
}

}  // namespace polhode::test
