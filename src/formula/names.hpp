// Names that formulas of a configuration may have in them, and what they stand for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formula/parser.hpp"
#include "formula/tree.hpp"

namespace polhode {

/// Throws InputError about a key of a configuration, e.g. "system.hamiltonian".
[[noreturn]] void refuse_formula(const std::string& key, const std::string& why,
                                 const std::string& advice = "Correct it");

/// Names of columns, parameters and formulas. What is parsed goes into a tree. A mistake in a text is an InputError
/// that names its key, e.g. "system.hamiltonian", and the place.
class FormulaNames {
 public:
  explicit FormulaNames(FormulaTree& tree) : tree_(tree) {}
  FormulaNames(const FormulaNames&) = delete;
  FormulaNames& operator=(const FormulaNames&) = delete;

  /// Declares a name that a configuration gives. Throws InputError where it is no name, or has a meaning already.
  void declare(const std::string& name, const std::string& key);
  /// Declares a name with a meaning.
  void declare(const std::string& name, const std::string& key, Meaning meaning);
  /// Declares a name that a system has; it is left out where it has been declared, or cannot stand in a formula.
  void declare_known(const std::string& name, Meaning meaning);
  /// Declares the name of a formula, which is parsed when it is asked for; the formulas may be in any order.
  void declare_formula(const std::string& name, const std::string& key, const std::string& text);

  /// Meaning of the text of a key: of a number one node, of a vector several.
  Meaning parse(const std::string& key, const std::string& text);
  /// Comparisons of the text of a key.
  std::vector<NodeComparison> parse_comparisons(const std::string& key, const std::string& text);
  /// Node of a formula that has been declared, which must be a number.
  int number(const std::string& name);

 private:
  struct Formula {
    std::string key, text;
  };

  template <class F>
  auto parsed(const std::string& key, F&& parse_text);
  std::optional<Meaning> find(const std::string& name);

  FormulaTree& tree_;
  std::vector<std::string> known_;  ///< all names
  std::map<std::string, Meaning> meanings_;
  std::map<std::string, Formula> formulas_;
  std::set<std::string> pending_;  ///< names whose formulas are being parsed
};

}  // namespace polhode
