#include "accuracy/method_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "error.hpp"
#include "polhode/method/compositions.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/splittings.hpp"
#include "spec/composition.hpp"
#include "spec/method_options.hpp"
#include "spec/method_settings.hpp"
#include "spec/order_conditions.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

/// Compositions, one of each order: the last one of this order in `composition_tables`.
std::vector<const CompositionTable*> compositions_of_each_order() {
  std::vector<const CompositionTable*> tables;
  for (const CompositionTable& table : composition_tables) {
    if (!tables.empty() && tables.back()->order == table.order) tables.pop_back();
    tables.push_back(&table);
  }
  return tables;
}

/// Tables of Runge-Kutta methods by their order: the last table of each order from 4 on. Lower orders are
/// useful at no accuracy, and each table costs the compilation of a kernel.
std::map<int, const NamedExplicitTable*> tables_of_each_order() {
  constexpr int least = 4;
  std::map<int, const NamedExplicitTable*> tables;
  for (const NamedExplicitTable& table : explicit_tables)
    if (const int order = order_of(table.table); order >= least) tables[order] = &table;
  return tables;
}

MethodSpec method_with(const MethodEntry& method, const char* option, Value value) {
  return {.name = method.name, .solver = {}, .options = {{option, std::move(value)}}};
}

std::string in_words(const std::string& name, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (std::holds_alternative<std::vector<double>>(value)) return "own fractions";
  if (std::holds_alternative<Rows>(value)) return "own table";
  return fmt::format("{} {}", name, to_text(value));
}

class Variants {
 public:
  explicit Variants(const ResolvedRun& run) : run_(run) {}

  void add_all_of(const MethodEntry& method) {
    if (const char* problem = method.invalid_reason(run_.parameters.data()))
      return all_.unusable.push_back({method.name, problem});
    if (method.splitting_option) {
      for (const SplittingTable& table : splitting_tables)
        add(method, method_with(method, method.splitting_option, std::string(table.name)));
    } else if (method.table_option) {
      for (const auto& [order, table] : tables_of_each_order())
        add(method, method_with(method, method.table_option, std::string(table->name)));
    } else if (const auto selections = selections_of(method); selections.size() > 1) {
      for (const auto& options : selections) add(method, {.name = method.name, .solver = {}, .options = options});
    } else {
      add(method, {.name = method.name, .solver = {}, .options = {}});
      if (const Properties properties = step_of(method).properties; properties.order == 2 && properties.symmetric)
        for (const CompositionTable* table : compositions_of_each_order())
          add(method, method_with(method, composition_option().name, std::string(table->name)));
    }
    if (&method == run_.method) add_configured();
  }
  MethodVariants take() { return std::move(all_); }

 private:
  static void resolve_in_full(const MethodEntry& method, MethodSpec& spec) {
    if (spec.solver.empty()) spec.solver = method.solvers.front().name;
    resolve_options(method, spec);
  }
  void add(const MethodEntry& method, MethodSpec spec) {
    std::string label = method.name;
    for (const auto& [name, value] : spec.options) label += ", " + in_words(name, value);
    resolve_in_full(method, spec);
    const int order = step_of(method, spec.options).properties.order;
    all_.usable.push_back({std::move(label), std::move(spec), order, method.map.type});
  }
  /// Adds the run's own method as configured, unless one of the variants is the same.
  void add_configured() {
    MethodSpec own = run_.spec.method;
    const bool is_there = std::ranges::any_of(all_.usable, [&](const MethodVariant& variant) {
      return variant.method.name == own.name && variant.method.solver == own.solver &&
             variant.method.options == own.options;
    });
    if (!is_there)
      all_.usable.push_back(
          {own.name + ", as configured", std::move(own), run_.properties.order, run_.method->map.type});
  }

  const ResolvedRun& run_;
  MethodVariants all_;
};

}  // namespace

std::string in_words(const MethodEntry& method, const MethodSpec& spec) {
  std::string words = method.name;
  for (const auto& [name, value] : spec.options)
    if (value != option_of(method, {}, name)) words += ", " + in_words(name, value);
  return words;
}

MethodVariants variants_for(const ResolvedRun& run, const std::vector<std::string>& names) {
  const std::vector<const MethodEntry*> methods = methods_of(*run.system);
  std::vector<std::string> known;
  for (const MethodEntry* method : methods) known.emplace_back(method->name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("cannot use --methods ({} has no method \"{}\"{}). See polhode list methods {}.",
                                   run.system->name, name, nearest_known(name, known), run.system->name));
  Variants variants(run);
  for (const MethodEntry* method : methods)
    if (names.empty() || std::ranges::find(names, method->name) != names.end()) variants.add_all_of(*method);
  return variants.take();
}

}  // namespace polhode
