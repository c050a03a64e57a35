#include "operations.hpp"

#include "polhode/method/bound_method.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/heavy_top.hpp"
#include "top.hpp"

namespace polhode::bench {
namespace {

Operations counted;

template <class R>
struct Counting {
  R value;

  Counting() = default;
  Counting(R value) : value(value) {}

  friend Counting operator+(Counting a, Counting b) { return ++counted.issued, a.value + b.value; }
  friend Counting operator-(Counting a, Counting b) { return ++counted.issued, a.value - b.value; }
  friend Counting operator*(Counting a, Counting b) { return ++counted.issued, a.value * b.value; }
  friend Counting operator/(Counting a, Counting b) { return ++counted.divisions, a.value / b.value; }
  friend Counting operator-(Counting a) { return -a.value; }
  friend bool operator<(Counting a, Counting b) { return a.value < b.value; }
  friend bool operator<=(Counting a, Counting b) { return a.value <= b.value; }
  friend Counting fma(Counting a, Counting b, Counting c) {
    return ++counted.issued, polhode::fma(a.value, b.value, c.value);
  }
};

}  // namespace
}  // namespace polhode::bench

template <class R>
struct polhode::ScalarTraits<polhode::bench::Counting<R>> {
  using Real = R;
  using Mask = bool;
  static constexpr int lanes = 1;
  static constexpr bool has_tangent = false;
};

namespace polhode::bench {
namespace {

template <class Map, class R>
Operations count(int sweeps) {
  using T = Counting<R>;
  constexpr int trajectories = 64, steps = 256;
  const HeavyTop::Model<T> model(parameters);
  const typename BoundMethod<RattleFamily, Map>::template Step<T> advance(model, T(static_cast<R>(step)), sweeps);
  const Batch batch = starts(trajectories);

  counted = {};
  for (int k = 0; k < trajectories; ++k) {
    HeavyTop::State<T> x;
    for (int i = 0; i < HeavyTop::dim; ++i) x[i] = T(static_cast<R>(batch.state[i * trajectories + k]));
    for (int n = 0; n < steps; ++n) advance(x, x, true);
  }
  return {counted.issued / (trajectories * steps), counted.divisions / (trajectories * steps)};
}

template <class R, class... Method>
Operations count_solver(Variants<Method...>, int solver, int sweeps) {
  using Count = Operations (*)(int);
  constexpr Count counts[] = {count<Method, R>...};
  return counts[solver](sweeps);
}

}  // namespace

Operations operations_per_step(int solver, Precision precision) {
  const KickedRotationMap::VariantsOn<HeavyTop> variants;
  const int k = sweeps(solver, precision);
  return precision == Precision::binary64 ? count_solver<double>(variants, solver, k)
                                          : count_solver<float>(variants, solver, k);
}

}  // namespace polhode::bench
