// The grammar of formulas.
//
//   condition   comparison { "and" comparison }            comparison   sum ( < | <= | > | >= ) sum
//   sum         product { ( + | - ) product }              product      signed { ( * | / ) signed }
//   signed      ( + | - ) signed | power                   power        operand [ ( ^ | ** ) signed ]
//   operand     number | name | name ( sum { , sum } ) | ( sum ) | [ sum { , sum } ]
//
// So -x^2 is -(x^2), 2^-1 is a half, and x^y^z is x^(y^z). Sums and products are taken from left to right. A list in
// brackets is a vector: it can be added to one, multiplied and divided by a number, and given to dot, cross and norm.
//
// Powers with an integer exponent are products (x^4 is the square of x^2), those with half of one have a square root
// (x^(-3/2) is 1/(x sqrt(x))), and others are pow(x, y), of a base that is not negative.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formula/tree.hpp"
#include "formula/words.hpp"

namespace polhode {

/// Nodes that a name in a formula stands for: one for a number, several for a vector.
using Meaning = std::vector<int>;
/// Function that finds the meaning of a name; none where it is unknown. May throw FormulaError.
using FindName = std::function<std::optional<Meaning>(const std::string& name)>;

enum class FormulaRelation { less, less_equal, greater, greater_equal };
/// Comparison of two nodes.
struct NodeComparison {
  int left;
  FormulaRelation relation;
  int right;
};

/// Meaning of a formula, whose nodes go into `tree`. known: all names, for suggestions. Throws FormulaError for text
/// that is no formula, an unknown name, and a function of too many or too few arguments.
Meaning parse_formula(std::string_view text, FormulaTree& tree, const FindName& find,
                      const std::vector<std::string>& known);
/// Comparisons that a condition joins; throws as parse_formula(), and for a formula that compares nothing.
std::vector<NodeComparison> parse_condition(std::string_view text, FormulaTree& tree, const FindName& find,
                                            const std::vector<std::string>& known);

/// Names that formulas give a meaning to: functions, vectors' functions, pi and "and".
const std::vector<std::string>& names_of_grammar();

}  // namespace polhode
