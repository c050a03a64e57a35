// Steps of a map in any scalar type, from its type alone. Those of the catalog's maps, in double and along one
// direction, are compiled with the subjects; others where advance_by_definition.hpp is included.
#pragma once

#include <cstdint>

#include "numerics/scheme.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {

using Along = Dual<double, 1>;  ///< a value and its derivative along one direction

/// So many steps of length h from x on; false where one was not valid.
template <class Map, class T>
bool advance_by(const double* p, const Scheme& scheme, double h, int sweeps, std::int64_t steps,
                typename Map::System::template State<T>& x);

/// Sweeps of a step of a scheme.
template <class Map>
int nominal_sweeps_by(const double* p, const Scheme& scheme, double h);

}  // namespace polhode::test
