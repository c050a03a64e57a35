// C++ code for formulas.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "formula/tree.hpp"

namespace polhode {

/// Writer of code for the nodes of a tree, in a function that has the numbers' type T and number(x), a double in that
/// type. Roots of formulas, nodes that are used more than once, and those with long code are constants v0, v1, ... of
/// type T; the others stand in the expressions of those that use them: compilers do better with these than with a
/// constant for each.
class FormulaCode {
 public:
  /// name_of_variable: the code for a variable of the tree. The tree must outlive this.
  FormulaCode(const FormulaTree& tree, std::function<std::string(int variable)> name_of_variable)
      : tree_(tree), name_of_variable_(std::move(name_of_variable)) {}

  /// Statements that define the names of the roots.
  std::string statements(std::span<const int> roots) const;
  /// Body of a function that returns `format` with the roots' names in it.
  std::string body(const std::string& format, std::span<const int> roots) const;
  /// Name of a node in the code; of a number the number.
  std::string name(int node) const;

 private:
  bool is_leaf(int node) const;
  /// Code of an operation on a and b.
  static std::string operation(const Node& node, const std::string& a, const std::string& b);

  const FormulaTree& tree_;
  std::function<std::string(int variable)> name_of_variable_;
};

/// Name of a number of the parameters in the code: a member of a class. Compilers do worse with an array of them.
std::string parameter_name(int number);
/// Members of a class with the first `count` numbers, and statements that set them to values[0], values[1], ...
std::string parameter_members(int count);
std::string parameter_values(int count);

}  // namespace polhode
