#include "formula/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "formula/words.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

constexpr int most_nodes = 20'000, most_depth = 200, most_power = 1024;

struct Function {
  const char* name;
  int arguments;
  Operation operation;
};
constexpr Function functions[] = {
    {"sqrt", 1, Operation::sqrt}, {"exp", 1, Operation::exp},     {"log", 1, Operation::log},
    {"sin", 1, Operation::sin},   {"cos", 1, Operation::cos},     {"tan", 1, Operation::tan},
    {"asin", 1, Operation::asin}, {"acos", 1, Operation::acos},   {"atan", 1, Operation::atan},
    {"sinh", 1, Operation::sinh}, {"cosh", 1, Operation::cosh},   {"tanh", 1, Operation::tanh},
    {"abs", 1, Operation::abs},   {"atan2", 2, Operation::atan2}, {"pow", 2, Operation::power},
    {"min", 2, Operation::min},   {"max", 2, Operation::max},
};

/// Operand of a part of a formula, and where that begins.
struct Operand {
  Meaning nodes;
  bool is_vector;
  std::size_t place;
};

class Parser : FormulaReader {
 public:
  Parser(std::string_view text, FormulaTree& tree, const FindName& find, const std::vector<std::string>& known)
      : FormulaReader(text), tree_(tree), find_(find), known_(known) {}

  Meaning formula() {
    Operand value = sum();
    expect_end();
    return std::move(value.nodes);
  }

  std::vector<NodeComparison> condition() {
    std::vector<NodeComparison> comparisons;
    do {
      comparisons.push_back(comparison());
    } while (take_name("and"));
    expect_end();
    return comparisons;
  }

 private:
  /// Level of recursion, which is bounded.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > most_depth) parser_.fail(parser_.word().place, "it is nested too deeply there");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  NodeComparison comparison() {
    const Operand left = number_of(sum());
    static constexpr std::string_view signs[] = {"<", "<=", ">", ">="};
    for (int i = 0; i < 4; ++i)
      if (take(signs[i])) {
        const Operand right = number_of(sum());
        return {left.nodes[0], FormulaRelation{i}, right.nodes[0]};
      }
    fail(word().place, fmt::format("{} where <, <=, > or >= is missing", found()));
  }

  Operand sum() {
    const Level level(*this);
    Operand value = product();
    while (is_sign("+") || is_sign("-")) {
      const FormulaWord sign = word();
      next();
      const Operand other = product();
      if (value.is_vector != other.is_vector || value.nodes.size() != other.nodes.size())
        fail(sign.place, fmt::format("{} and {} cannot be added", in_words(value), in_words(other)));
      for (std::size_t i = 0; i < value.nodes.size(); ++i)
        value.nodes[i] = apply(sign.text == "+" ? Operation::add : Operation::subtract, value.nodes[i], other.nodes[i]);
    }
    return value;
  }

  Operand product() {
    Operand value = signed_value();
    while (is_sign("*") || is_sign("/")) {
      const FormulaWord sign = word();
      next();
      const Operand other = signed_value();
      if (sign.text == "/") {
        if (other.is_vector) fail(sign.place, "a vector divides nothing");
        if (tree_.is_number(other.nodes[0], 0)) fail(sign.place, "it divides by 0");
        for (int& node : value.nodes) node = apply(Operation::divide, node, other.nodes[0]);
      } else if (value.is_vector && other.is_vector) {
        fail(sign.place, "vectors are multiplied by dot and cross");
      } else if (other.is_vector) {
        Meaning nodes;
        for (const int node : other.nodes) nodes.push_back(apply(Operation::multiply, value.nodes[0], node));
        value = {nodes, true, value.place};
      } else {
        for (int& node : value.nodes) node = apply(Operation::multiply, node, other.nodes[0]);
      }
    }
    return value;
  }

  Operand signed_value() {
    const Level level(*this);
    const std::size_t place = word().place;
    if (take("+")) return signed_value();
    if (!take("-")) return power();
    Operand value = signed_value();
    for (int& node : value.nodes) node = apply(Operation::negate, node);
    value.place = place;
    return value;
  }

  Operand power() {
    const Operand base = operand();
    const std::size_t place = word().place;
    if (!take("^") && !take("**")) return base;
    const Operand exponent = signed_value();
    if (base.is_vector || exponent.is_vector) fail(place, "a power is one of numbers");
    return {{power_of(base.nodes[0], exponent.nodes[0], place)}, false, base.place};
  }

  int power_of(int base, int exponent, std::size_t place) {
    if (!tree_.is_number(exponent)) return checked_power(base, exponent, place);
    const double value = tree_[exponent].number, twice = 2 * value;
    if (std::abs(value) > most_power || std::nearbyint(twice) != twice) return checked_power(base, exponent, place);
    const int whole = static_cast<int>(std::abs(twice)) / 2;
    if (tree_.is_number(base, 0) && value < 0) fail(place, "it divides by 0");
    int node = tree_.whole_power(base, whole);
    if (std::nearbyint(value) != value) {
      require_positive(base, place, true);
      node = apply(Operation::multiply, node, apply(Operation::sqrt, base));
    }
    return value < 0 ? apply(Operation::divide, tree_.number(1), node) : node;
  }
  int checked_power(int base, int exponent, std::size_t place) {
    require_positive(base, place, true);
    return apply(Operation::power, base, exponent);
  }
  void require_positive(int node, std::size_t place, bool may_be_zero) const {
    if (tree_.is_number(node) && (tree_[node].number < 0 || (!may_be_zero && tree_[node].number == 0)))
      fail(place, fmt::format("it is of {}, and there it is not defined", tree_[node].number));
  }

  Operand operand() {
    const Level level(*this);
    const FormulaWord token = word();
    if (token.kind == FormulaWord::Kind::number) {
      next();
      if (word().kind == FormulaWord::Kind::name && word().text != "and" && word().text != "or")
        fail(word().place,
             fmt::format("\"{}\" stands where an operator is missing: {}*{}", word().text, token.text, word().text));
      return {{tree_.number(token.number)}, false, token.place};
    }
    if (token.kind == FormulaWord::Kind::name) {
      next();
      return is_sign("(") ? call(token) : name(token);
    }
    if (take("(")) {
      Operand value = sum();
      expect(")");
      value.place = token.place;
      return value;
    }
    if (take("[")) {
      Operand vector{{}, true, token.place};
      do {
        vector.nodes.push_back(number_of(sum()).nodes[0]);
      } while (take(","));
      expect("]");
      return vector;
    }
    fail(token.place, fmt::format("{} where a number or a name is missing", found()));
  }

  Operand name(const FormulaWord& token) {
    const std::string name(token.text);
    if (auto nodes = find_(name)) return {*nodes, nodes->size() > 1, token.place};
    if (name == "pi") return {{tree_.number(std::numbers::pi)}, false, token.place};
    if (std::ranges::find(names_of_grammar(), name) != names_of_grammar().end())
      fail(token.place, name == "and" ? "\"and\" joins comparisons, and here is none"
                                      : fmt::format("{} is a function, and its argument is missing", name));
    fail(token.place, fmt::format("unknown name \"{}\"", name), nearest(name));
  }
  std::string nearest(const std::string& name) const {
    std::vector<std::string> all = known_;
    all.insert(all.end(), names_of_grammar().begin(), names_of_grammar().end());
    return nearest_known(name, all);
  }

  Operand call(const FormulaWord& token) {
    const std::string name(token.text);
    if (std::ranges::find(names_of_grammar(), name) == names_of_grammar().end() || name == "pi" || name == "and") {
      if (name == "pi" || find_(name))
        fail(word().place, fmt::format("{} is no function; write {}*( for a product", name, name));
      fail(token.place, fmt::format("unknown function \"{}\"", name), nearest(name));
    }
    expect("(");
    std::vector<Operand> arguments;
    if (!is_sign(")")) do {
        arguments.push_back(sum());
      } while (take(","));
    expect(")");
    const auto require_count = [&](int count) {
      if (static_cast<int>(arguments.size()) != count)
        fail(token.place,
             fmt::format("{} has {} argument{}, not {}", name, count, count == 1 ? "" : "s", arguments.size()));
    };
    for (const Function& function : functions)
      if (name == function.name) {
        require_count(function.arguments);
        for (const Operand& argument : arguments) number_of(argument);
        return {{function_of(function, arguments)}, false, token.place};
      }
    const bool is_norm = name == "norm";
    require_count(is_norm ? 1 : 2);
    for (const Operand& argument : arguments)
      if (!argument.is_vector || argument.nodes.size() != arguments[0].nodes.size() ||
          (name == "cross" && argument.nodes.size() != 3))
        fail(argument.place, fmt::format("{} is of {}", name,
                                         is_norm           ? "a vector"
                                         : name == "cross" ? "two vectors of three numbers"
                                                           : "two vectors of one length"));
    const Meaning &a = arguments.front().nodes, &b = arguments.back().nodes;
    if (name == "cross") return {cross(a, b), true, token.place};
    const int product = dot(a, b);
    return {{is_norm ? apply(Operation::sqrt, product) : product}, false, token.place};
  }
  int function_of(const Function& function, const std::vector<Operand>& arguments) {
    const int first = arguments[0].nodes[0];
    const std::size_t place = arguments[0].place;
    if (function.operation == Operation::power) return power_of(first, arguments[1].nodes[0], place);
    if (function.operation == Operation::sqrt) require_positive(first, place, true);
    if (function.operation == Operation::log) require_positive(first, place, false);
    if ((function.operation == Operation::asin || function.operation == Operation::acos) && tree_.is_number(first) &&
        std::abs(tree_[first].number) > 1)
      fail(place, fmt::format("it is of {}, and there it is not defined", tree_[first].number));
    return apply(function.operation, first, function.arguments == 2 ? arguments[1].nodes[0] : -1);
  }
  int dot(const Meaning& a, const Meaning& b) {
    int sum = -1;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const int product = apply(Operation::multiply, a[i], b[i]);
      sum = sum < 0 ? product : apply(Operation::add, sum, product);
    }
    return sum;
  }
  Meaning cross(const Meaning& a, const Meaning& b) {
    Meaning product;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      product.push_back(
          apply(Operation::subtract, apply(Operation::multiply, a[j], b[k]), apply(Operation::multiply, a[k], b[j])));
    }
    return product;
  }

  const Operand& number_of(const Operand& value) const {
    if (value.is_vector) fail(value.place, "a vector stands where a number is missing");
    return value;
  }
  static std::string in_words(const Operand& value) {
    return value.is_vector ? fmt::format("a vector of {}", value.nodes.size()) : "a number";
  }
  int apply(Operation operation, int first, int second = -1) {
    if (tree_.size() > most_nodes) fail(word().place, "it is too large");
    return tree_.apply(operation, first, second);
  }

  FormulaTree& tree_;
  const FindName& find_;
  const std::vector<std::string>& known_;
  int depth_ = 0;
};

}  // namespace

const std::vector<std::string>& names_of_grammar() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"pi", "and", "dot", "cross", "norm"};
    for (const Function& function : functions) all.emplace_back(function.name);
    return all;
  }();
  return names;
}

Meaning parse_formula(std::string_view text, FormulaTree& tree, const FindName& find,
                      const std::vector<std::string>& known) {
  return Parser(text, tree, find, known).formula();
}
std::vector<NodeComparison> parse_condition(std::string_view text, FormulaTree& tree, const FindName& find,
                                            const std::vector<std::string>& known) {
  return Parser(text, tree, find, known).condition();
}

}  // namespace polhode
