#include "spec/method_step.hpp"

#include <algorithm>
#include <optional>

#include "contract.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "spec/composition.hpp"
#include "spec/method_options.hpp"
#include "spec/method_settings.hpp"
#include "spec/order_conditions.hpp"
#include "spec/table_of_method.hpp"

namespace polhode {
namespace {

/// Number i, counted from 0, of n numbers whose second half mirrors the first half. half: the first half, with the
/// middle number if n is odd.
long double mirrored(std::span<const long double> half, int n, int i) { return half[std::min(i, n - 1 - i)]; }

/// Appends a stage for each drift of a splitting: with the kick before it up to the middle of the step, with the kick
/// after it from there on.
void append_splitting(StepPlan& step, const SplittingTable& table) {
  const int n = table.n_drifts();
  const auto kick = [&](int before_drift) {
    const int i = table.kick_first ? before_drift : before_drift - 1;
    return i < 0 || i >= table.n_kicks() ? 0 : mirrored(table.kicks, table.n_kicks(), i);
  };
  for (int i = 0; i < n; ++i) {
    const long double drift = mirrored(table.drifts, n, i);
    Kicks kicks;
    if (i <= n / 2) kicks.before = static_cast<double>(kick(i) / drift);
    if (i + 1 > n / 2) kicks.after = static_cast<double>(kick(i + 1) / drift);
    append_stage(step, static_cast<double>(drift), kicks);
  }
}

// The adjoint of a splitting has the same kicks.
static_assert(std::ranges::all_of(splitting_tables,
                                  [](const SplittingTable& table) { return table.n_drifts() <= max_kicks; }));

/// Index of `kicks` in step.kicks, where they are added if they are missing.
int place_of(StepPlan& step, const Kicks& kicks) {
  int count = 0;
  for (int i = 0; i < step.n_stages; ++i) count = std::max(count, step.stages[i].kicks + 1);
  const auto place = static_cast<int>(std::find(step.kicks, step.kicks + count, kicks) - step.kicks);
  POLHODE_EXPECT(place < max_kicks);
  step.kicks[place] = kicks;
  return place;
}

}  // namespace

const SplittingTable* find_splitting(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(splitting_tables, [&](const SplittingTable& table) { return name == table.name; });
  return found == std::end(splitting_tables) ? nullptr : found;
}

void append_stage(StepPlan& step, double fraction, const Kicks& kicks) {
  POLHODE_EXPECT(step.n_stages < max_stages);
  Stage& stage = step.stages[step.n_stages];
  stage = {.fraction = fraction,
           .kicks = static_cast<std::uint8_t>(place_of(step, kicks)),
           .constants = static_cast<std::uint8_t>(step.n_stages)};
  for (int i = 0; i < step.n_stages; ++i)
    if (step.stages[i].fraction == fraction && step.stages[i].kicks == stage.kicks)
      stage.constants = step.stages[i].constants;
  ++step.n_stages;
}

MethodStep step_of(const MethodEntry& method, const std::map<std::string, Value>& options) {
  const MapOptions map_options = map_options_of(method, options);
  MethodStep step{{.options = map_options, .n_stages = 0}, method.properties_with(map_options)};
  if (!method.splitting_option) {
    append_stage(step.step_plan, 1, method.kicks);
  } else {
    const auto name = std::get<std::string>(option_of(method, options, method.splitting_option));
    const SplittingTable& table = *find_splitting(name);
    append_splitting(step.step_plan, table);
    step.properties.order = method.has ? std::min(table.order, step.properties.order) : table.order;
  }
  if (const std::optional<ExplicitTable> table = table_of_method(method, options)) {
    const int order = order_of(*table);
    step.properties.order =
        step.properties.symmetric ? order + order % 2 : order;  // that of a symmetric method is even
    step.properties.long_steps = has_long_explicit_steps(step.properties.order);
  }
  return compose(method, step, option_of(method, options, composition_option().name));
}

}  // namespace polhode
