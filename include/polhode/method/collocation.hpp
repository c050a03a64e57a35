// Gauss collocation on the equations of motion as ordinary differential equations, x' = f(x) (Hairer, Lubich & Wanner
// 2006, sect. II.1.3):
//
//   X_i = x + h sum over j of a_ij f(X_j),   y = x + h sum over i of b_i f(X_i)
//
// Order 2 s with s stages, symmetric. Conserves every integral that is quadratic (sect. IV.2.1), as are the energy and
// the Casimirs of a heavy top; the Poisson structure is not conserved, nor are constraints whose multipliers are
// substituted. One stage is the implicit midpoint rule of method/runge_kutta.hpp.
#pragma once

#include "polhode/method/collocation_step.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// The StageEquations of a system whose Model has flow(x).
template <class System, class T, class C>
class FlowStages {
  using Model = typename System::template Model<T>;
  using State = typename System::template State<T>;
  using Table = ButcherTable<C, max_collocation_stages>;

 public:
  using Values = Stages<T, System::dim, max_collocation_stages>;

  POLHODE_HD FlowStages(const Model& model, const Table& table, const T& h, const State& x)
      : model_(model), table_(table), h_(h), x_(x) {}

  POLHODE_HD Values start() const {
    const State rate = model_.flow(x_);
    Values first(table_.stages);
    for (int i = 0; i < table_.stages; ++i) first.of[i] = fma(T(table_.c[i]) * h_, rate, x_);
    return first;
  }
  POLHODE_OUTLINED Values sweep(const Values& last) const {
    State rates[max_collocation_stages];
    find_rates(last, rates);
    Values next(table_.stages);
    for (int i = 0; i < table_.stages; ++i) next.of[i] = advanced(x_, h_, table_.a[i], rates, table_.stages);
    return next;
  }
  POLHODE_HD State end(const Values& stages) const {
    State rates[max_collocation_stages];
    find_rates(stages, rates);
    return advanced(x_, h_, table_.b, rates, table_.stages);
  }

  template <class R>
  static ButcherTable<R, max_collocation_stages> table(const CollocationOptions& options) {
    return gauss_table<R>(options.stages);
  }

 private:
  POLHODE_HD void find_rates(const Values& stages, State* rates) const {
    for (int j = 0; j < table_.stages; ++j) rates[j] = model_.flow(stages.of[j]);
  }

  const Model& model_;
  const Table& table_;
  T h_;
  State x_;
};

/// Catalog entry: the step maps on a system with a flow.
struct CollocationMap {
  static constexpr bool stages_in_memory = true;  ///< also on a GPU
  template <class System>
  using StepMapsOn = StepMaps<Collocation<System, FlowStages>>;

  /// Whether there is a map with these options.
  static constexpr bool has(const CollocationOptions& options) {
    return options.nodes == CollocationNodes::gauss && options.stages >= 1 && options.stages <= max_gauss_stages;
  }

  /// Properties of the method on a system. Energy and Casimirs of a top are quadratic. So are momenta, unless the state
  /// has an attitude, which is quadratic by itself.
  template <class System>
  static constexpr Properties properties_on(Properties properties, const CollocationOptions& options) {
    constexpr bool is_top = System::kind == Kind::lie_poisson;
    properties.order = 2 * options.stages;
    properties.long_steps = has_long_collocation_steps(properties.order);
    properties.poisson = false;
    properties.energy = properties.casimirs = is_top;
    if (is_top)
      for (const Block& block : System::layout)
        if (block.form == Block::Form::quaternion) properties.momentum = false;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA
