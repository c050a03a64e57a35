// A step map with the coefficients of one method: what a program that uses the headers alone integrates with.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Family says which method it is (name, coefficients, properties), Map how a step is made.
template <class Family_, class Map_>
struct BoundMethod {
  using Family = Family_;
  using Map = Map_;
  using System = typename Map::System;
  using Solver = typename Map::Solver;
  static constexpr Properties properties = Family::properties;

  template <class T>
  class Step : public Map::template Step<T> {
   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const T& h, int sweeps)
        : Map::template Step<T>(model, Family::coefficients, h, sweeps) {}
  };

  /// K for the parameters p and a step h (bounded_iteration.hpp). Host only.
  template <class R>
  static int nominal_sweeps(const double* p, double h) {
    return Map::template nominal_sweeps<R>(p, Family::coefficients, h);
  }
};

}  // namespace polhode::inline POLHODE_ISA
