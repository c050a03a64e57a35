// Stages of an explicit Runge-Kutta method, one after the other, with the table (method/explicit_table.hpp) as a
// constant of the code: what is 0 costs nothing, and a stage that nothing depends on is not computed.
//
// Sums begin with the first term and go on with fused products, from the first stage to the last; the length of the
// step multiplies the whole.
#pragma once

#include "polhode/method/explicit_table.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Table: a type whose `value` is an ExplicitTable. Model: one that has flow(x). The model must outlive it.
template <class Table, class T, class Model, class State>
class ExplicitStages {
  static constexpr ExplicitTable table = Table::value;
  static_assert(table.stages >= 1 && table.stages <= max_explicit_stages);

 public:
  POLHODE_HD ExplicitStages(const Model& model, const T& h) : model_(model), h_(h) {}

  /// State at the end of a step from x.
  POLHODE_HD State end(const State& x) const {
    State rates[table.stages];
    find<0>(x, rates);
    return argument<table.stages>(x, rates);
  }
  /// Calls visit(weight, argument) for each stage that the end depends on directly.
  template <class Visit>
  POLHODE_HD void visit_stages(const State& x, const Visit& visit) const {
    State rates[table.stages];
    visit_from<0>(x, rates, visit);
  }

 private:
  template <int i, class Visit>
  POLHODE_HD void visit_from(const State& x, State* rates, const Visit& visit) const {
    if constexpr (table.uses(i)) {
      const State at = argument<i>(x, rates);
      constexpr double weight = table.coefficient(table.stages, i);
      if constexpr (weight != 0) visit(T(static_cast<Real<T>>(weight)), at);
      rates[i] = model_.flow(at);
    }
    if constexpr (i + 1 < table.stages) visit_from<i + 1>(x, rates, visit);
  }
  /// Computes the rates from stage i on.
  template <int i>
  POLHODE_HD void find(const State& x, State* rates) const {
    if constexpr (table.uses(i)) rates[i] = model_.flow(argument<i>(x, rates));
    if constexpr (i + 1 < table.stages) find<i + 1>(x, rates);
  }

  /// Argument of stage i, or for i = stages the end of the step.
  template <int i>
  POLHODE_HD State argument(const State& x, const State* rates) const {
    constexpr int first = table.first_of(i);
    if constexpr (first == i) {
      return x;
    } else {
      State sum = scaled<i, first>(rates);
      if constexpr (first + 1 < i) add<i, first + 1>(rates, sum);
      return fma(h_, sum, x);
    }
  }
  template <int i, int j>
  POLHODE_HD static State scaled(const State* rates) {
    constexpr auto factor = static_cast<Real<T>>(table.coefficient(i, j));
    if constexpr (factor == 1)
      return rates[j];
    else
      return T(factor) * rates[j];
  }
  template <int i, int j>
  POLHODE_HD static void add(const State* rates, State& sum) {
    constexpr double coefficient = table.coefficient(i, j);
    if constexpr (coefficient != 0) sum = fma(T(static_cast<Real<T>>(coefficient)), rates[j], sum);
    if constexpr (j + 1 < i) add<i, j + 1>(rates, sum);
  }

  const Model& model_;
  T h_;
};

}  // namespace polhode::inline POLHODE_ISA
