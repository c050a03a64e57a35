// Formulas as trees of operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace polhode {

enum class Operation : std::uint8_t {
  number,
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,  ///< of a base that is not negative
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  atan2,
  // Operations that are not analytic:
  abs,
  min,
  max,
};

/// A number, a variable, or an operation on other nodes.
struct Node {
  Operation operation;
  int first = -1, second = -1;  ///< operands; -1 where there is none
  int variable = -1;            ///< index of a variable
  double number = 0;            ///< a number

  auto operator<=>(const Node&) const = default;
};

/// Nodes of formulas that share what they have in common. A node stands after its operands, and no two are equal, so
/// that what is written twice is computed once.
class FormulaTree {
 public:
  const Node& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  int number(double value);
  int variable(int index);
  /// Node of an operation; a number where it is one of numbers whose result is exact, and the first operand where it
  /// is multiplied or divided by 1.
  int apply(Operation operation, int first, int second = -1);
  /// Node of a power with an exponent of 0 or more, by products: x^(2k) is the square of x^k, and x^(2k+1) is x^(2k) x.
  int whole_power(int base, int exponent);

  bool is_number(int node) const { return (*this)[node].operation == Operation::number; }
  bool is_number(int node, double value) const { return is_number(node) && (*this)[node].number == value; }

  /// Marks of the nodes that the `roots` are made of, themselves included.
  std::vector<bool> used_by(std::span<const int> roots) const;
  /// Whether a node is made of a variable with an index in [first, last).
  bool depends(int node, int first, int last) const;
  /// Whether all operations of a node are analytic.
  bool is_analytic(int node) const;

 private:
  int add(const Node& node);

  std::vector<Node> nodes_;
  std::map<Node, int> known_;
};

}  // namespace polhode
