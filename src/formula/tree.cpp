#include "formula/tree.hpp"

#include <cmath>
#include <optional>

namespace polhode {
namespace {

/// Result of an operation on two numbers, if it is exact.
std::optional<double> exact(Operation operation, double a, double b) {
  double value = 0, error = 0;
  switch (operation) {
    case Operation::negate: return -a;
    case Operation::add:
    case Operation::subtract: {
      if (operation == Operation::subtract) b = -b;
      value = a + b;
      const double from_b = value - a;
      error = (a - (value - from_b)) + (b - from_b);
      break;
    }
    case Operation::multiply:
      value = a * b;
      error = std::fma(a, b, -value);
      break;
    case Operation::divide:
      value = a / b;
      error = std::fma(value, b, -a);
      break;
    default: return {};
  }
  const bool is_normal = std::isnormal(value) || (value == 0 && !std::signbit(value));
  return is_normal && error == 0 && std::abs(value) < 1e300 && (value == 0 || std::abs(value) > 1e-290)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace

int FormulaTree::add(const Node& node) {
  const auto [known, is_new] = known_.try_emplace(node, size());
  if (is_new) nodes_.push_back(node);
  return known->second;
}

int FormulaTree::number(double value) { return add({.operation = Operation::number, .number = value}); }
int FormulaTree::variable(int index) { return add({.operation = Operation::variable, .variable = index}); }

int FormulaTree::apply(Operation operation, int first, int second) {
  if (is_number(first) && (second < 0 || is_number(second)))
    if (const auto value = exact(operation, (*this)[first].number, second < 0 ? 0 : (*this)[second].number))
      return number(*value);
  if (operation == Operation::multiply && is_number(first, 1)) return second;
  if ((operation == Operation::multiply || operation == Operation::divide) && is_number(second, 1)) return first;
  return add({.operation = operation, .first = first, .second = second});
}

int FormulaTree::whole_power(int base, int exponent) {
  if (exponent == 0) return number(1);
  if (exponent == 1) return base;
  const int root = whole_power(base, exponent / 2), square = apply(Operation::multiply, root, root);
  return exponent % 2 == 0 ? square : apply(Operation::multiply, square, base);
}

std::vector<bool> FormulaTree::used_by(std::span<const int> roots) const {
  std::vector<bool> used(nodes_.size());
  for (const int root : roots) used[static_cast<std::size_t>(root)] = true;
  for (int node = size() - 1; node >= 0; --node)
    if (used[static_cast<std::size_t>(node)])
      for (const int operand : {(*this)[node].first, (*this)[node].second})
        if (operand >= 0) used[static_cast<std::size_t>(operand)] = true;
  return used;
}

bool FormulaTree::depends(int node, int first, int last) const {
  const std::vector<bool> used = used_by({&node, 1});
  for (int i = 0; i < size(); ++i)
    if (used[static_cast<std::size_t>(i)] && (*this)[i].variable >= first && (*this)[i].variable < last) return true;
  return false;
}

bool FormulaTree::is_analytic(int node) const {
  const std::vector<bool> used = used_by({&node, 1});
  for (int i = 0; i < size(); ++i)
    if (used[static_cast<std::size_t>(i)] && (*this)[i].operation >= Operation::abs) return false;
  return true;
}

}  // namespace polhode
