#include "spec/observables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "formula/added_observables.hpp"
#include "spec/angle_limits.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_added = 64;

Relation relation_of(FormulaRelation relation) {
  switch (relation) {
    case FormulaRelation::less: return Relation::less;
    case FormulaRelation::less_equal: return Relation::less_equal;
    case FormulaRelation::greater: return Relation::greater;
    case FormulaRelation::greater_equal: return Relation::greater_equal;
  }
  return Relation::less;
}

SectionCondition condition_of(const SystemEntry& system, const std::string& text,
                              const std::vector<ObservableComparison>& comparisons) {
  if (comparisons.size() > max_comparisons)
    refuse("section", "where", fmt::format("it has more than {} comparisons", max_comparisons), "Use fewer");
  SectionCondition condition;
  for (const auto& [observable, relation, value] : comparisons) {
    const Quantity& quantity = system.observables[observable];
    if (quantity.angle != Angle::no && std::abs(value) > std::numbers::pi)  // satisfied by all angles or by none
      throw InputError(fmt::format("cannot use section.where = \"{}\" ({} is in {} there). Give a value in it.", text,
                                   quantity.name, interval_in_words(quantity.angle)));
    if (quantity.angle == Angle::unbounded) condition.unbounded |= std::uint64_t{1} << condition.count;
    condition.comparisons[condition.count++] = {observable, relation_of(relation), value};
  }
  return condition;
}

}  // namespace

void resolve_observables(ResolvedRun& run) {
  const RunSpec& spec = run.spec;
  ObservableTexts texts;
  if (spec.system.hamiltonian.empty()) texts.observables = spec.system.observables;
  if (spec.section) {
    if (spec.section->where.find_first_not_of(" \t\r\n") != std::string::npos) texts.where = spec.section->where;
    texts.needed = {spec.section->name};
  }
  if (spec.density) texts.needed.insert(texts.needed.end(), spec.density->axes.begin(), spec.density->axes.end());
  if (texts.observables.empty() && texts.where.empty()) return;
  if (texts.observables.size() > most_added)
    refuse("system", "observables", fmt::format("there are {}, and {} at most", texts.observables.size(), most_added),
           "Give fewer");
  ObservablesOfTexts made = make_added_observables(texts, run.system->observables, run.system->parameters);
  if (!made.added.all.empty()) {
    const auto [system, method] = with_observables(*run.system, *run.method, std::move(made.added));
    run.system = system;
    run.method = method;
  }
  run.where = condition_of(*run.system, texts.where, made.where);
}

}  // namespace polhode
