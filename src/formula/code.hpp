// C++ code for formulas.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "formula/tree.hpp"

namespace polhode {

/// Writer of code for the nodes of a tree, of which each is one operation: constants of type T called v0, v1, ... in a
/// function that has the numbers' type T and number(x), a double in that type.
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
  std::string operation(const Node& node) const;

  const FormulaTree& tree_;
  std::function<std::string(int variable)> name_of_variable_;
};

}  // namespace polhode
