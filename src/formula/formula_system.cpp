#include "formula/formula_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "formula/names.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_coordinates = 32, most_letters = 60;

/// Builder of a system, which looks names up in what has been declared.
class Builder {
 public:
  explicit Builder(const FormulaTexts& texts) : texts_(texts) {
    system_.name = texts.name.empty() ? "formula" : texts.name;
    const auto is_dash = [](char c) { return c == '-'; };
    std::string letters = system_.name;
    std::ranges::replace_if(letters, is_dash, '_');
    if (!is_name(letters) || letters.size() > most_letters)
      refuse_formula("system.name", "it is no name of a system",
                     "Give letters, digits and dashes, 60 at most, and no digit first");
    declare_columns();
    declare_parameters();
    for (const auto& [name, text] : texts.let) names_.declare_formula(name, "system.let." + name, text);
    for (const auto& [name, text] : texts.observables) names_.declare_formula(name, "system.observables." + name, text);
    for (const auto& [name, text] : texts.conserved) names_.declare(name, "system.conserved." + name);
  }

  FormulaSystem build() {
    read_hamiltonian();
    for (const std::string& text : texts_.constraints) read_constraint(text);
    if (system_.D() >= system_.N)
      refuse_formula("system.constraints", fmt::format("{} leave nothing of {} coordinates", system_.D(), system_.N));
    for (const auto& [name, text] : texts_.let)
      node_of("system.let." + name, text, columns_and_parameters());  // unused ones, too
    const auto read_named = [&](const char* key, const auto& texts, std::vector<NamedNode>& nodes) {
      for (const auto& [name, text] : texts)
        nodes.push_back({name, node_of(fmt::format("system.{}.{}", key, name), text, columns_and_parameters())});
    };
    read_named("observables", texts_.observables, system_.observables);
    read_named("conserved", texts_.conserved, system_.conserved);
    if (!texts_.domain.empty()) system_.domain = names_.parse_comparisons("system.domain", texts_.domain);
    set_angles("system.angles", texts_.angles, Angle::unbounded, Angle::wrapped);
    set_angles("system.unbounded_angles", texts_.unbounded_angles, Angle::unbounded, Angle::unbounded);
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

  void declare_columns() {
    const auto& [coordinates, momenta] = std::tie(texts_.coordinates, texts_.momenta);
    if (coordinates.empty())
      refuse_formula("system.coordinates", "there are none", "Give their names, e.g. [\"x\", \"y\"]");
    if (coordinates.size() > most_coordinates)
      refuse_formula("system.coordinates",
                     fmt::format("there are {}, and {} at most", coordinates.size(), most_coordinates));
    if (momenta.size() != coordinates.size())
      refuse_formula("system.momenta",
                     fmt::format("there are {}, and {} coordinates", momenta.size(), coordinates.size()),
                     "Give one for each coordinate");
    system_.N = static_cast<int>(coordinates.size());
    for (const auto& [key, names] : {std::pair("system.coordinates", &coordinates), {"system.momenta", &momenta}})
      for (const std::string& name : *names) {
        const int variable = static_cast<int>(system_.columns.size());
        names_.declare(name, key, {system_.tree.variable(variable)});
        system_.columns.push_back({name, variable});
      }
  }

  void declare_parameters() {
    for (const auto& [name, values] : texts_.parameters) {
      const std::string key = "system.parameters." + name;
      if (values.empty()) refuse_formula(key, "it is empty", "Give a number, or a list of numbers");
      Meaning nodes;
      for (std::size_t i = 0; i < values.size(); ++i)
        nodes.push_back(system_.tree.variable(2 * system_.N + system_.n_numbers++));
      names_.declare(name, key, nodes);
      if (nodes.size() > 1)
        for (std::size_t i = 0; i < nodes.size(); ++i)
          names_.declare(fmt::format("{}{}", name, i + 1), key, {nodes[i]});
      system_.parameters.push_back({name, static_cast<int>(values.size())});
    }
  }

  int node_of(const std::string& key, const std::string& text, const Allowed& allowed) {
    const Meaning nodes = names_.parse(key, text);
    if (nodes.size() > 1 && !key.starts_with("system.let.")) refuse_formula(key, "it is a vector", "Give a number");
    for (const NamedNode& column : system_.columns)
      if ((column.node < allowed.first || column.node >= allowed.last) &&
          system_.tree.depends(nodes[0], column.node, column.node + 1))
        refuse_formula(key, fmt::format("it has {} in it, and {}", column.name, allowed.in_words));
    return nodes[0];
  }
  void require_analytic(const std::string& key, int node) const {
    if (!system_.tree.is_analytic(node))
      refuse_formula(key, "abs, min and max have no derivatives everywhere, and the equations of motion need them",
                     "Use them in observables alone");
  }

  void read_hamiltonian() {
    system_.hamiltonian = node_of("system.hamiltonian", texts_.hamiltonian, columns_and_parameters());
    require_analytic("system.hamiltonian", system_.hamiltonian);
    if (!system_.tree.depends(system_.hamiltonian, system_.N, 2 * system_.N))
      refuse_formula("system.hamiltonian", "no momentum stands in it, so that nothing moves");
  }
  void read_constraint(const std::string& text) {
    const int node = node_of("system.constraints", text, {0, system_.N, "constraints are of coordinates"});
    require_analytic("system.constraints", node);
    if (!system_.tree.depends(node, 0, system_.N))
      refuse_formula("system.constraints", fmt::format("no coordinate stands in \"{}\"", text));
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
        refuse_formula(key, fmt::format("\"{}\" is neither a coordinate nor an observable", name));
    }
  }

  const FormulaTexts& texts_;
  FormulaSystem system_;
  FormulaNames names_{system_.tree};
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
