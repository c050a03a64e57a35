#include "throughput/operations.hpp"

#include <algorithm>
#include <string_view>

#include "polhode/method/kicked_rotation.hpp"
#include "polhode/run/staged_step.hpp"
#include "polhode/system/heavy_top.hpp"
#include "throughput/counting.hpp"

namespace polhode {
namespace {

template <class Map, class R>
std::optional<Operations> count(const Plan& plan, std::span<const double> states) {
  using T = Counting<R>;
  constexpr int most_trajectories = 64, steps = 256, dim = HeavyTop::dim;
  const HeavyTop::Model<T> model(plan.parameters);
  const StageConstants<Map, R> constants(plan);
  const NominalStep<Map, T> advance(model, plan.step_plan, constants);
  const std::size_t n = states.size() / dim, trajectories = std::min<std::size_t>(most_trajectories, n);

  counted = {};  // by the operators of Counting (counting.hpp)
  double taken = 0;
  for (std::size_t k = 0; k < trajectories; ++k) {
    const double* const start = states.data() + k * n / trajectories * dim;
    HeavyTop::State<T> x;
    for (int i = 0; i < dim; ++i) x[i] = T(static_cast<R>(start[i]));
    Failures<T> ignored;
    const Operations before = counted;
    int done = 0;
    while (done < steps && advance(x, x, true, ignored)) ++done;
    if (done == steps)
      taken += steps;
    else
      counted = before;  // it fails
  }
  if (taken == 0) return std::nullopt;
  return Operations{counted.fused / taken, counted.others / taken, counted.divisions / taken};
}

template <class R, class... Map>
std::optional<Operations> count_with_solver(StepMaps<Map...>, int solver, const Plan& plan,
                                            std::span<const double> states) {
  using Count = std::optional<Operations> (*)(const Plan&, std::span<const double>);
  constexpr Count counts[] = {count<Map, R>...};
  return counts[solver](plan, states);
}

}  // namespace

std::optional<Operations> operations_per_step(const MethodEntry& method, int solver, Precision precision,
                                              const Plan& plan, std::span<const double> states) {
  if (std::string_view(method.system) != HeavyTop::name || std::string_view(method.map.type) != "KickedRotationMap" ||
      states.empty())
    return std::nullopt;
  const KickedRotationMap::StepMapsOn<HeavyTop> maps;
  return precision == Precision::binary64 ? count_with_solver<double>(maps, solver, plan, states)
                                          : count_with_solver<float>(maps, solver, plan, states);
}

}  // namespace polhode
