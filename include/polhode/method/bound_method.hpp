// A step map with the kicks and options of one method, for programs that use the headers alone.
#pragma once

#include "polhode/method/case_of_map.hpp"
#include "polhode/method/common.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Method identifies the method (name, kicks, options, properties), Map is its step map.
template <class Method_, class Map_>
struct BoundMethod {
  using Method = Method_;
  using Map = Map_;
  using System = typename Map::System;
  using Solver = typename Map::Solver;
  static constexpr Properties properties = Method::properties;
  static constexpr Kicks kicks = kicks_of<Method>();
  static constexpr OptionsOf<Map> options = map_options_of<Method, OptionsOf<Map>>();

  /// The map of one step h, which may differ from lane to lane. The model must outlive it.
  template <class T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const T& h, int sweeps)
        : common_(model, options),
          constants_(model, options, kicks, h),
          step_(make_step<Map, T, T, T>(model, options, kicks, common_, constants_, sweeps)) {}
    Step(const Step&) = delete;  // step_ refers to both

    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const { return step_(x, y, active); }
    POLHODE_HD Failures<T> failures(const State& x) const { return step_.failures(x); }

   private:
    CommonOf<Map, T> common_;
    typename Map::template Constants<T> constants_;
    typename Map::template Step<T> step_;
  };

  /// Number K of unconditional sweeps for parameters p and a step h (bounded_iteration.hpp). Host only.
  template <class R>
  static int nominal_sweeps(const double* p, double h) {
    return Map::template nominal_sweeps<R>(p, options, kicks, h);
  }
};

}  // namespace polhode::inline POLHODE_ISA
