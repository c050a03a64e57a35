#include "formula/added_observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "formula/code.hpp"
#include "formula/evaluate.hpp"
#include "formula/names.hpp"

namespace polhode {
namespace {

FormulaRelation turned(FormulaRelation relation) {
  switch (relation) {
    case FormulaRelation::less: return FormulaRelation::greater;
    case FormulaRelation::less_equal: return FormulaRelation::greater_equal;
    case FormulaRelation::greater: return FormulaRelation::less;
    case FormulaRelation::greater_equal: return FormulaRelation::less_equal;
  }
  return relation;
}

/// Builder of the observables that texts add to a system.
class ObservablesBuilder {
 public:
  ObservablesBuilder(const ObservableTexts& texts, View<Quantity> own, View<Parameter> parameters)
      : texts_(texts), own_(own) {
    added_.n_own = static_cast<int>(own.size());
    for (int k = 0; k < added_.n_own; ++k) names_.declare_known(own[k].name, {added_.tree.variable(k)});
    for (const Parameter& parameter : parameters) {
      Meaning numbers;
      for (int i = 0; i < parameter.size; ++i)
        numbers.push_back(added_.tree.variable(added_.n_own + added_.n_numbers++));
      names_.declare_known(parameter.name, numbers);
      if (parameter.size > 1)
        for (int i = 0; i < parameter.size; ++i)
          names_.declare_known(fmt::format("{}{}", parameter.name, i + 1), {numbers[static_cast<std::size_t>(i)]});
    }
    for (const auto& [name, text] : texts.observables) names_.declare_formula(name, "system.observables." + name, text);
  }

  ObservablesOfTexts build() {
    // Observables of kernels are parsed first, so that their code does not depend on the others.
    const auto is_needed = [&](const std::string& name) {
      return std::ranges::find(texts_.needed, name) != texts_.needed.end();
    };
    for (const auto& [name, text] : texts_.observables)
      if (is_needed(name)) added_.all.push_back(observable_of(name, text));
    std::vector<ObservableComparison> where;
    if (!texts_.where.empty())
      for (const NodeComparison& comparison : names_.parse_comparisons("section.where", texts_.where))
        where.push_back(comparison_of(comparison));
    added_.n_in_kernels = static_cast<int>(added_.all.size());
    for (const auto& [name, text] : texts_.observables) {
      if (is_needed(name)) continue;
      AddedObservables::One one = observable_of(name, text);
      const auto found = std::ranges::find(added_.all, one.node, &AddedObservables::One::node);
      if (found != added_.all.end() && found->name.empty())
        *found = std::move(one);  // the condition has it, too
      else
        added_.all.push_back(std::move(one));
    }
    for (AddedObservables::One& one : added_.all)
      if (one.name.empty()) one.name = "section.where";
    return {std::move(added_), std::move(where)};
  }

 private:
  AddedObservables::One observable_of(const std::string& name, const std::string& text) {
    AddedObservables::One one{names_.number(name), name, text};
    const Node& node = added_.tree[one.node];
    if (node.operation == Operation::atan2) one.angle = Angle::wrapped;
    if (node.operation == Operation::variable && node.variable < added_.n_own) {  // another name of one of the system's
      one.angle = own_[node.variable].angle;
      one.unit = own_[node.variable].unit;
    }
    return one;
  }

  bool is_constant(int node) const { return !added_.tree.depends(node, 0, added_.n_own + added_.n_numbers); }

  /// Comparison with a number of the observable that is a node, or that is added for it, without a name.
  ObservableComparison comparison_of(const NodeComparison& given) {
    FormulaTree& tree = added_.tree;
    auto [left, relation, right] = given;
    if (is_constant(left)) {
      std::swap(left, right);
      relation = turned(relation);
    }
    if (is_constant(left)) refuse_formula("section.where", "it compares numbers alone");
    double value = 0;
    if (is_constant(right))
      value = FormulaValues<double>(tree, tree.used_by({&right, 1}), {})[right];
    else
      left = tree.apply(Operation::subtract, left, right);
    if (!std::isfinite(value)) refuse_formula("section.where", "it compares with what is no finite number");
    if (const Node& node = tree[left]; node.operation == Operation::variable && node.variable < added_.n_own)
      return {node.variable, relation, value};
    auto found = std::ranges::find(added_.all, left, &AddedObservables::One::node);
    if (found == added_.all.end()) found = added_.all.insert(found, {left, "", texts_.where, "", Angle::no});
    return {added_.n_own + static_cast<int>(found - added_.all.begin()), relation, value};
  }

  const ObservableTexts& texts_;
  const View<Quantity> own_;
  AddedObservables added_;
  FormulaNames names_{added_.tree};
};

}  // namespace

std::string AddedObservables::code(int count) const {
  static constexpr const char* angles[] = {"", ", Angle::wrapped", ", Angle::unbounded"};
  const FormulaCode code(tree, [this](int variable) {
    return variable < n_own ? fmt::format("o{}", variable) : parameter_name(variable - n_own);
  });
  std::string quantities, cases;
  for (int i = 0; i < count; ++i) {
    const One& one = all[static_cast<std::size_t>(i)];
    quantities +=
        fmt::format("      {{\"{}\", \"1\", \"formula\"{}}},\n", one.name, angles[static_cast<int>(one.angle)]);
    std::string observed;
    const std::vector<bool> used = tree.used_by({&one.node, 1});
    for (int node = 0; node < tree.size(); ++node)
      if (used[static_cast<std::size_t>(node)] && tree[node].operation == Operation::variable &&
          tree[node].variable < n_own)
        observed += fmt::format("      const T o{0} = observe({0});\n", tree[node].variable);
    cases += fmt::format("    if (index == {}) {{\n{}{}    }}\n", i, observed, code.body("{}", {&one.node, 1}));
  }
  return fmt::format(R"(
namespace polhode::inline POLHODE_ISA {{

template <class T>
struct ObservableFormulas {{
  static constexpr std::array<Quantity, {count}> quantities{{{{
{quantities}  }}}};

  POLHODE_HD explicit ObservableFormulas([[maybe_unused]] const double* values) {{
{parameter_values}  }}
  template <class Observe>
  POLHODE_HD T value(int index, const Observe& observe) const {{
{cases}    return observe(0);
  }}

 private:
  POLHODE_HD static T number(double x) {{ return T(static_cast<Real<T>>(x)); }}

{parameter_members}}};

}}  // namespace polhode::inline POLHODE_ISA
)",
                     fmt::arg("count", count), fmt::arg("quantities", quantities),
                     fmt::arg("parameter_values", parameter_values(n_numbers)),
                     fmt::arg("parameter_members", parameter_members(n_numbers)), fmt::arg("cases", cases));
}

ObservablesOfTexts make_added_observables(const ObservableTexts& texts, View<Quantity> own,
                                          View<Parameter> parameters) {
  return ObservablesBuilder(texts, own, parameters).build();
}

}  // namespace polhode
