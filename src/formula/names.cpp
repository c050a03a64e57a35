#include "formula/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "error.hpp"

namespace polhode {

void refuse_formula(const std::string& key, const std::string& why, const std::string& advice) {
  throw InputError(fmt::format("cannot use {} ({}). {}.", key, why, advice));
}

void FormulaNames::declare(const std::string& name, const std::string& key) {
  if (!is_name(name))
    refuse_formula(key, fmt::format("\"{}\" is no name", name),
                   "Give letters, digits and underscores, and no digit first");
  const auto& grammar = names_of_grammar();
  if (std::ranges::find(grammar, name) != grammar.end() || name == "energy")
    refuse_formula(key, fmt::format("\"{}\" has a meaning already", name), "Give it another name");
  if (std::ranges::find(known_, name) != known_.end())
    refuse_formula(key, fmt::format("\"{}\" is there twice", name), "Give it another name");
  known_.push_back(name);
}

void FormulaNames::declare(const std::string& name, const std::string& key, Meaning meaning) {
  declare(name, key);
  meanings_[name] = std::move(meaning);
}

void FormulaNames::declare_known(const std::string& name, Meaning meaning) {
  if (name == "and" || meanings_.contains(name)) return;
  known_.push_back(name);
  meanings_[name] = std::move(meaning);
}

void FormulaNames::declare_formula(const std::string& name, const std::string& key, const std::string& text) {
  declare(name, key);
  formulas_[name] = {key, text};
}

template <class F>
auto FormulaNames::parsed(const std::string& key, F&& parse_text) {
  try {
    return parse_text([this](const std::string& name) { return find(name); });
  } catch (const FormulaError& error) {
    refuse_formula(key, error.what());
  }
}

std::optional<Meaning> FormulaNames::find(const std::string& name) {
  if (const auto known = meanings_.find(name); known != meanings_.end()) return known->second;
  const auto given = formulas_.find(name);
  if (given == formulas_.end()) return {};
  if (!pending_.insert(name).second) refuse_formula(given->second.key, "it is made of itself");
  const Meaning nodes = parse(given->second.key, given->second.text);
  pending_.erase(name);
  return meanings_[name] = nodes;
}

Meaning FormulaNames::parse(const std::string& key, const std::string& text) {
  return parsed(key, [&](const FindName& find_name) { return parse_formula(text, tree_, find_name, known_); });
}

std::vector<NodeComparison> FormulaNames::parse_comparisons(const std::string& key, const std::string& text) {
  return parsed(key, [&](const FindName& find_name) { return parse_condition(text, tree_, find_name, known_); });
}

int FormulaNames::number(const std::string& name) {
  const Meaning nodes = *find(name);
  if (nodes.size() > 1) refuse_formula(formulas_.at(name).key, "it is a vector", "Give a number");
  return nodes[0];
}

}  // namespace polhode
