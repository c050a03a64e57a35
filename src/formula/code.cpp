#include "formula/code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace polhode {
namespace {

/// Name of an operation with one or two arguments, as a function of namespace polhode.
const char* function_of(Operation operation) {
  switch (operation) {
    case Operation::power: return "pow";
    case Operation::sqrt: return "sqrt";
    case Operation::exp: return "exp";
    case Operation::log: return "log";
    case Operation::sin: return "sin";
    case Operation::cos: return "cos";
    case Operation::tan: return "tan";
    case Operation::asin: return "asin";
    case Operation::acos: return "acos";
    case Operation::atan: return "atan";
    case Operation::sinh: return "sinh";
    case Operation::cosh: return "cosh";
    case Operation::tanh: return "tanh";
    case Operation::atan2: return "atan2";
    default: return nullptr;
  }
}

/// Whether the code of an operation has its operands twice.
bool has_operands_twice(Operation operation) { return operation == Operation::min || operation == Operation::max; }

std::string literal(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string FormulaCode::statements(std::span<const int> roots) const {
  constexpr std::size_t longest = 100;  // characters of an expression within another
  const std::vector<bool> used = tree_.used_by(roots);
  std::vector<int> uses(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const Node& node = tree_[static_cast<int>(i)];
    const int times = has_operands_twice(node.operation) ? 2 : 1;
    for (const int operand : {node.first, node.second})
      if (operand >= 0) uses[static_cast<std::size_t>(operand)] += times;
  }
  constexpr int more_than_once = 2;
  for (const int root : roots) uses[static_cast<std::size_t>(root)] += more_than_once;
  std::string text;
  std::vector<std::string> expressions(used.size());
  for (int i = 0; i < tree_.size(); ++i) {
    if (!used[static_cast<std::size_t>(i)]) continue;
    std::string& expression = expressions[static_cast<std::size_t>(i)];
    expression = name(i);
    if (is_leaf(i)) continue;
    const Node& node = tree_[i];
    const std::string value = operation(node, expressions[static_cast<std::size_t>(node.first)],
                                        node.second < 0 ? "" : expressions[static_cast<std::size_t>(node.second)]);
    if (uses[static_cast<std::size_t>(i)] == 1 && value.size() <= longest)
      expression = "(" + value + ")";
    else
      text += fmt::format("      const T {} = {};\n", expression, value);
  }
  return text;
}

std::string FormulaCode::body(const std::string& format, std::span<const int> roots) const {
  std::vector<std::string> names;
  for (const int root : roots) names.push_back(name(root));
  return statements(roots) +
         fmt::format("      return {};\n", fmt::format(fmt::runtime(format), fmt::join(names, ", ")));
}

std::string FormulaCode::name(int index) const {
  const Node& node = tree_[index];
  if (node.operation == Operation::number) return fmt::format("number({})", literal(node.number));
  return node.operation == Operation::variable ? name_of_variable_(node.variable) : fmt::format("v{}", index);
}

bool FormulaCode::is_leaf(int node) const {
  return tree_[node].operation == Operation::number || tree_[node].operation == Operation::variable;
}

std::string FormulaCode::operation(const Node& node, const std::string& a, const std::string& b) {
  switch (node.operation) {
    case Operation::negate: return "-" + a;
    case Operation::add: return a + " + " + b;
    case Operation::subtract: return a + " - " + b;
    case Operation::multiply: return a + " * " + b;
    case Operation::divide: return a + " / " + b;
    case Operation::abs: return fmt::format("abs({})", a);
    case Operation::min: return fmt::format("select({1} < {0}, {1}, {0})", a, b);
    case Operation::max: return fmt::format("select({0} < {1}, {1}, {0})", a, b);
    default: return fmt::format("{}({}{}{})", function_of(node.operation), a, b.empty() ? "" : ", ", b);
  }
}

std::string parameter_name(int number) { return fmt::format("a{}", number); }

std::string parameter_members(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("    T {};\n", parameter_name(i));
  return text;
}

std::string parameter_values(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("      {} = number(values[{}]);\n", parameter_name(i), i);
  return text;
}

}  // namespace polhode
