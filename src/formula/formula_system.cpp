#include "formula/formula_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "error.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_coordinates = 32, most_letters = 60;

[[noreturn]] void refuse_key(const std::string& key, const std::string& why, const char* advice = "Correct it") {
  throw InputError(fmt::format("cannot use system.{} ({}). {}.", key, why, advice));
}

/// Builder of a system, which looks names up in what has been declared.
class Builder {
 public:
  explicit Builder(const FormulaTexts& texts) : texts_(texts) {
    system_.name = texts.name.empty() ? "formula" : texts.name;
    const auto is_dash = [](char c) { return c == '-'; };
    std::string letters = system_.name;
    std::ranges::replace_if(letters, is_dash, '_');
    if (!is_name(letters) || letters.size() > most_letters)
      refuse_key("name", "it is no name of a system",
                 "Give letters, digits and dashes, 60 at most, and no digit first");
    declare_columns();
    declare_parameters();
    for (const auto& [name, text] : texts.let) declare(name, "let." + name);
    for (const auto& [name, text] : texts.observables) declare(name, "observables." + name);
    for (const auto& [name, text] : texts.conserved) declare(name, "conserved." + name);
  }

  FormulaSystem build() {
    read_hamiltonian();
    for (const std::string& text : texts_.constraints) read_constraint(text);
    if (system_.D() >= system_.N)
      refuse_key("constraints", fmt::format("{} leave nothing of {} coordinates", system_.D(), system_.N));
    for (const auto& [name, text] : texts_.let)
      node_of("let." + name, text, columns_and_parameters());  // unused ones, too
    const auto read_named = [&](const char* key, const auto& texts, std::vector<NamedNode>& nodes) {
      for (const auto& [name, text] : texts)
        nodes.push_back({name, node_of(fmt::format("{}.{}", key, name), text, columns_and_parameters())});
    };
    read_named("observables", texts_.observables, system_.observables);
    read_named("conserved", texts_.conserved, system_.conserved);
    if (!texts_.domain.empty())
      system_.domain = parsed(
          "domain", [&](const FindName& find) { return parse_condition(texts_.domain, system_.tree, find, known_); });
    set_angles("angles", texts_.angles, Angle::unbounded, Angle::wrapped);
    set_angles("unbounded_angles", texts_.unbounded_angles, Angle::unbounded, Angle::unbounded);
    system_.mechanical = find_mechanical_parts(system_.tree, system_.hamiltonian, system_.N);
    return std::move(system_);
  }

 private:
  /// First and last index of variables that a formula may have, and what they are.
  struct Allowed {
    int first, last;
    const char* in_words;
  };
  Allowed columns_and_parameters() const { return {0, 2 * system_.N + system_.n_numbers, ""}; }

  void declare(const std::string& name, const std::string& key) {
    if (!is_name(name))
      refuse_key(key, fmt::format("\"{}\" is no name", name),
                 "Give letters, digits and underscores, and no digit first");
    const auto& grammar = names_of_grammar();
    if (std::ranges::find(grammar, name) != grammar.end() || name == "energy")
      refuse_key(key, fmt::format("\"{}\" has a meaning already", name), "Give it another name");
    if (std::ranges::find(known_, name) != known_.end())
      refuse_key(key, fmt::format("\"{}\" is there twice", name), "Give it another name");
    known_.push_back(name);
  }

  void declare_columns() {
    const auto& [coordinates, momenta] = std::tie(texts_.coordinates, texts_.momenta);
    if (coordinates.empty()) refuse_key("coordinates", "there are none", "Give their names, e.g. [\"x\", \"y\"]");
    if (coordinates.size() > most_coordinates)
      refuse_key("coordinates", fmt::format("there are {}, and {} at most", coordinates.size(), most_coordinates));
    if (momenta.size() != coordinates.size())
      refuse_key("momenta", fmt::format("there are {}, and {} coordinates", momenta.size(), coordinates.size()),
                 "Give one for each coordinate");
    system_.N = static_cast<int>(coordinates.size());
    for (const auto& [key, names] : {std::pair("coordinates", &coordinates), {"momenta", &momenta}})
      for (const std::string& name : *names) {
        declare(name, key);
        const int variable = static_cast<int>(system_.columns.size());
        meanings_[name] = {system_.tree.variable(variable)};
        system_.columns.push_back({name, variable});
      }
  }

  void declare_parameters() {
    for (const auto& [name, values] : texts_.parameters) {
      declare(name, "parameters." + name);
      if (values.empty()) refuse_key("parameters." + name, "it is empty", "Give a number, or a list of numbers");
      Meaning nodes;
      for (std::size_t i = 0; i < values.size(); ++i)
        nodes.push_back(system_.tree.variable(2 * system_.N + system_.n_numbers++));
      meanings_[name] = nodes;
      if (nodes.size() > 1)
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          const std::string element = fmt::format("{}{}", name, i + 1);
          declare(element, "parameters." + name);
          meanings_[element] = {nodes[i]};
        }
      system_.parameters.push_back({name, static_cast<int>(values.size())});
    }
  }

  /// Result of f(find), which parses the text of a key; a mistake in it is an InputError with the name of the key.
  template <class F>
  std::invoke_result_t<F, const FindName&> parsed(const std::string& key, F&& f) {
    try {
      return f([this](const std::string& name) { return meaning_of(name); });
    } catch (const FormulaError& error) {
      refuse_key(key, error.what());
    }
  }

  std::optional<Meaning> meaning_of(const std::string& name) {
    if (const auto known = meanings_.find(name); known != meanings_.end()) return known->second;
    for (const auto& [table, texts] : {std::pair("let", &texts_.let), {"observables", &texts_.observables}}) {
      const auto given = texts->find(name);
      if (given == texts->end()) continue;
      const std::string key = fmt::format("{}.{}", table, name);
      if (!pending_.insert(name).second) refuse_key(key, "it is made of itself");
      const Meaning nodes =
          parsed(key, [&](const FindName& find) { return parse_formula(given->second, system_.tree, find, known_); });
      pending_.erase(name);
      return meanings_[name] = nodes;
    }
    return {};
  }

  int node_of(const std::string& key, const std::string& text, const Allowed& allowed) {
    const Meaning nodes =
        parsed(key, [&](const FindName& find) { return parse_formula(text, system_.tree, find, known_); });
    if (nodes.size() > 1 && !key.starts_with("let.")) refuse_key(key, "it is a vector", "Give a number");
    for (const NamedNode& column : system_.columns)
      if ((column.node < allowed.first || column.node >= allowed.last) &&
          system_.tree.depends(nodes[0], column.node, column.node + 1))
        refuse_key(key, fmt::format("it has {} in it, and {}", column.name, allowed.in_words));
    return nodes[0];
  }
  void require_analytic(const std::string& key, int node) const {
    if (!system_.tree.is_analytic(node))
      refuse_key(key, "abs, min and max have no derivatives everywhere, and the equations of motion need them",
                 "Use them in observables alone");
  }

  void read_hamiltonian() {
    system_.hamiltonian = node_of("hamiltonian", texts_.hamiltonian, columns_and_parameters());
    require_analytic("hamiltonian", system_.hamiltonian);
    if (!system_.tree.depends(system_.hamiltonian, system_.N, 2 * system_.N))
      refuse_key("hamiltonian", "no momentum stands in it, so that nothing moves");
  }
  void read_constraint(const std::string& text) {
    const int node = node_of("constraints", text, {0, system_.N, "constraints are of coordinates"});
    require_analytic("constraints", node);
    if (!system_.tree.depends(node, 0, system_.N))
      refuse_key("constraints", fmt::format("no coordinate stands in \"{}\"", text));
    system_.constraints.push_back(node);
  }

  void set_angles(const char* key, const std::vector<std::string>& names, Angle of_coordinate, Angle of_observable) {
    for (const std::string& name : names) {
      const auto is_it = [&](const NamedNode& named) { return named.name == name; };
      const auto coordinates = std::span(system_.columns).first(static_cast<std::size_t>(system_.N));
      if (const auto column = std::ranges::find_if(coordinates, is_it); column != coordinates.end())
        column->angle = of_coordinate;
      else if (const auto found = std::ranges::find_if(system_.observables, is_it); found != system_.observables.end())
        found->angle = of_observable;
      else
        refuse_key(key, fmt::format("\"{}\" is neither a coordinate nor an observable", name));
    }
  }

  const FormulaTexts& texts_;
  FormulaSystem system_;
  std::vector<std::string> known_;  // all names, of columns, parameters and formulas
  std::map<std::string, Meaning> meanings_;
  std::set<std::string> pending_;  // names whose formulas are being parsed
};

}  // namespace

SystemForm FormulaSystem::form() const {
  if (mechanical) return D() > 0 ? SystemForm::constrained : SystemForm::mechanical;
  return D() > 0 ? SystemForm::hamiltonian : SystemForm::canonical;
}

const char* FormulaSystem::in_words() const {
  switch (form()) {
    case SystemForm::constrained: return "constrained, with a constant mass";
    case SystemForm::hamiltonian: return "constrained, with any H";
    case SystemForm::mechanical: return "mechanical, with a constant mass";
    default: return "canonical, with any H";
  }
}

FormulaSystem make_formula_system(const FormulaTexts& texts) { return Builder(texts).build(); }

}  // namespace polhode
