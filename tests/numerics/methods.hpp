// The methods on the two systems of a top, with every solver, as types: for what is known of tops alone.
#pragma once

#include <gtest/gtest.h>

#include "numerics/support.hpp"

namespace polhode::test {

/// First over half a step, then Second: of a map with its adjoint, a symmetric map, hence of even order.
template <class First, class Second>
struct Composition {
  using System = typename First::System;
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .casimirs = true};

  template <class T>
  class Step {
   public:
    Step(const typename System::template Model<T>& model, const T& h, int sweeps)
        : first_(model, T(0.5) * h, sweeps), second_(model, T(0.5) * h, sweeps) {}
    bool operator()(const typename System::template State<T>& x, typename System::template State<T>& y,
                    bool active) const {
      const bool valid = first_(x, y, active);
      return second_(y, y, active) && valid;
    }

   private:
    typename First::template Step<T> first_;
    typename Second::template Step<T> second_;
  };
  template <class R>
  static int nominal_sweeps(const double* p, double h) {
    return First::template nominal_sweeps<R>(p, h / 2);
  }
};

template <class System, class Solver>
using Pair = Composition<ConstraintEuler<System, Solver>, ConstraintEulerAdjoint<System, Solver>>;

template <class Method>
inline constexpr bool is_for_free_bodies = false;
template <class System, class Solver>
inline constexpr bool is_for_free_bodies<MoserVeselov<System, Solver>> = true;

template <class... A, class... B>
::testing::Types<A..., B...> join(::testing::Types<A...>, ::testing::Types<B...>);
template <class System, template <class, class> class... Method>
using On = ::testing::Types<Method<System, CayleySolver>..., Method<System, HadamardSolver>...>;
template <template <class, class> class... Method>
using WithEverySolver = decltype(join(On<HeavyTop, Method...>{}, On<RigidBody, Method...>{}));

/// Methods of tops with every solver, for what their papers give figures of; that every method of the catalog has what
/// it declares is tested in properties_test.cpp.
using AllMethods = WithEverySolver<Rattle, ConstraintEuler, ConstraintEulerAdjoint, MoserVeselov>;
/// Those of them that carry an attitude.
using AttitudeMethods = On<RigidBody, Rattle, ConstraintEuler, ConstraintEulerAdjoint, MoserVeselov>;

}  // namespace polhode::test
