// A system with further observables.
#pragma once

#include <array>
#include <iterator>

#include "polhode/math/vec.hpp"
#include "polhode/scalar/config.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// System with the observables of Added after its own. Added<T> is made of the parameters and has
///   quantities                 their array of Quantity
///   value(i, observe)          observable i of them, where observe(k) is observable k of the System
template <class System, template <class> class Added>
struct ObservedSystem : System {
  static constexpr int n_own = std::size(System::observables), n_added = std::size(Added<double>::quantities);
  /// Observables of the System, then the added ones.
  static constexpr std::array<Quantity, n_own + n_added> observables = [] {
    std::array<Quantity, n_own + n_added> all{};
    for (int i = 0; i < n_own; ++i) all[i] = System::observables[i];
    for (int i = 0; i < n_added; ++i) all[n_own + i] = Added<double>::quantities[i];
    return all;
  }();

  template <class T>
  using State = typename System::template State<T>;

  template <class T>
  struct Model : System::template Model<T> {
    using Base = typename System::template Model<T>;

    POLHODE_HD explicit Model(const double* parameters) : Base(parameters), added_(parameters) {}

    /// Entry `index` of ObservedSystem::observables.
    POLHODE_OUTLINED T observe(int index, const State<T>& x) const {
      if (index < n_own) return Base::observe(index, x);
      return added_.value(index - n_own, [&](int k) POLHODE_LAMBDA { return Base::observe(k, x); });
    }

    /// Magnitude of the terms of an observable; of an added one the size of the state.
    POLHODE_OUTLINED T magnitude(int index, const State<T>& x) const {
      if (index < n_own) return Base::magnitude(index, x);
      T sum = abs(x[0]);
      for_columns<System::dim>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = sum + abs(x[i]);
      });
      return sum;
    }

   private:
    Added<T> added_;
  };
};

}  // namespace polhode::inline POLHODE_ISA
