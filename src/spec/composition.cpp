#include "spec/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "spec/method_settings.hpp"
#include "spec/resolved_run.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

using Fractions = std::vector<double>;

// A fraction is two stages of a map and its adjoint.
static_assert(2 * max_fractions <= max_stages);
static_assert(std::ranges::all_of(composition_tables, [](const CompositionTable& table) {
  return 2 * table.fractions.size() - 1 <= max_fractions && 2 * table.alternating.size() <= max_stages;
}));

Fractions mirrored(std::span<const long double> half, bool has_middle) {
  Fractions all(half.begin(), half.end());
  all.insert(all.end(), half.rbegin() + (has_middle ? 1 : 0), half.rend());
  return all;
}

bool is_palindromic(const Fractions& fractions) {
  return std::equal(fractions.begin(), fractions.end(), fractions.rbegin());
}

[[noreturn]] void fail(const std::string& why, const std::string& advice) {
  refuse("method", composition_option().name, why, advice);
}

/// Order of a composition of symmetric maps, from its fractions; no order above 4 is looked for. The error of each map
/// has odd powers of h, from h^3 on; the error of the composition has even powers, too, unless the composition is
/// symmetric. Throws InputError where the fractions cannot be used.
int order_of(const Fractions& fractions) {
  if (fractions.size() > max_fractions)
    fail(fmt::format("it has {} fractions", fractions.size()), fmt::format("Give {} at most", max_fractions));
  double sum = 0, size = 0, cubes = 0, size_of_cubes = 0;
  for (const double g : fractions) {
    if (!(std::abs(g) <= 100) || g == 0) fail(fmt::format("a fraction is {}", g), "Give fractions of the step");
    sum += g;
    size += std::abs(g);
    cubes += g * g * g;
    size_of_cubes += std::abs(g * g * g);
  }
  // Each fraction is rounded, and perhaps has two digits less than a double.
  constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();
  if (!(std::abs(sum - 1) <= round_off * size))
    fail(fmt::format("its fractions sum up to {:.15g}", sum), "Give fractions whose sum is 1");
  if (!(std::abs(cubes) <= 3 * round_off * size_of_cubes)) return 2;
  return is_palindromic(fractions) ? 4 : 3;
}

/// Appends the stages of `part` over a fraction of the step; with `adjoint` those of the adjoint of `part`: in the
/// opposite order, with adjoint kicks.
void append(StepPlan& whole, const StepPlan& part, double fraction, bool adjoint) {
  for (int i = 0; i < part.n_stages; ++i) {
    const Stage& stage = part.stages[adjoint ? part.n_stages - 1 - i : i];
    const Kicks& kicks = part.kicks[stage.kicks];
    append_stage(whole, fraction * stage.fraction, adjoint ? kicks.adjoint() : kicks);
  }
}

}  // namespace

const MethodOption& composition_option() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all{"none"};
    for (const CompositionTable& table : composition_tables) all.push_back(table.name);
    return all;
  }();
  static const MethodOption option{.name = "composition",
                                   .kind = MethodOption::Kind::choice_or_reals,
                                   .unit = "1",
                                   .meaning = "fractions of the step over which the map is applied, for a higher order",
                                   .default_choice = names.front(),
                                   .choices = names};
  return option;
}

std::string ResolvedRun::composition_in_words() const {
  const Value& composition = spec.method.options.at(composition_option().name);
  const auto* name = std::get_if<std::string>(&composition);
  if (!name) return fmt::format("{} fractions", std::get<std::vector<double>>(composition).size());
  return *name == composition_option().default_choice ? "" : *name;
}

const CompositionTable* find_composition(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(composition_tables, [&](const CompositionTable& table) { return name == table.name; });
  return found == std::end(composition_tables) ? nullptr : found;
}

MethodStep compose(const MethodEntry& method, const MethodStep& step, const Value& composition) {
  const auto* name = std::get_if<std::string>(&composition);
  if (name && *name == composition_option().default_choice) return step;

  MethodStep composed{{.options = step.step_plan.options, .n_stages = 0}, step.properties};
  Properties& properties = composed.properties;
  if (!properties.symmetric && !method.has_adjoint)
    fail(fmt::format("{} is neither symmetric nor has an adjoint", name_of_map(method, step.step_plan.options)),
         "Leave it out, or choose another method");
  const CompositionTable* const table = name ? find_composition(*name) : nullptr;
  const bool alternates = !properties.symmetric && table && !table->alternating.empty();
  Fractions fractions;
  if (alternates)
    fractions = mirrored(table->alternating, false);
  else
    fractions = table ? mirrored(table->fractions, true) : std::get<std::vector<double>>(composition);
  const int order = table ? table->order : order_of(fractions);

  const auto n_stages =
      static_cast<int>(fractions.size()) * step.step_plan.n_stages * (properties.symmetric || alternates ? 1 : 2);
  if (n_stages > max_stages)
    fail(fmt::format("it makes {} stages of a step of {}", n_stages, step.step_plan.n_stages),
         fmt::format("Use a shorter one: {} at most", max_stages));
  StepPlan& whole = composed.step_plan;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    if (properties.symmetric) {
      append(whole, step.step_plan, fractions[i], false);
    } else if (alternates) {
      append(whole, step.step_plan, fractions[i], i % 2 == 1);
    } else {
      append(whole, step.step_plan, fractions[i] / 2, false);
      append(whole, step.step_plan, fractions[i] / 2, true);
    }
  }
  properties.order = std::max(order, properties.order);  // fractions whose sum is 1 keep that of the map
  properties.symmetric = is_palindromic(fractions);
  return composed;
}

}  // namespace polhode
