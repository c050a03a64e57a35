// Systems that are given by formulas.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formula/parser.hpp"
#include "formula/tree.hpp"
#include "polhode/system/description.hpp"
#include "polhode/system/form.hpp"

namespace polhode {

/// Texts that a system is made of, as the keys of [system] that have these names.
struct FormulaTexts {
  std::string name, hamiltonian;
  std::vector<std::string> coordinates, momenta;
  std::map<std::string, std::vector<double>> parameters;
  std::vector<std::string> constraints;
  std::map<std::string, std::string> let, observables, conserved;
  std::string domain;
  std::vector<std::string> angles, unbounded_angles;
};

/// A Hamiltonian that is 1/2 p^T W p + V(q) with a W that does not depend on the state.
struct MechanicalParts {
  std::vector<int> inverse_mass;  ///< [N][N] nodes of W; -1 where it is 0
  int potential;
};

struct NamedNode {
  std::string name;
  int node;
  Angle angle = Angle::no;
};

struct FormulaParameter {
  std::string name;
  int size;
};

/// A system as formulas define it. Variables of the tree are the N coordinates, the N momenta
/// and the numbers of the parameters.
struct FormulaSystem {
  std::string name;
  FormulaTree tree;
  int N = 0;
  std::vector<NamedNode> columns;  ///< coordinates, then momenta
  std::vector<FormulaParameter> parameters;
  int n_numbers = 0;  ///< numbers of all parameters
  int hamiltonian = -1;
  std::optional<MechanicalParts> mechanical;
  std::vector<int> constraints;
  std::vector<NodeComparison> domain;             ///< of coordinates and momenta; none: it has no edge
  std::vector<NamedNode> observables, conserved;  ///< in alphabetical order

  int D() const { return static_cast<int>(constraints.size()); }
  SystemForm form() const;
  /// Form in words, e.g. "mechanical, with a constant mass".
  const char* in_words() const;
};

/// The system of some formulas. Throws InputError for what is missing, and for a formula that is wrong, with the place.
FormulaSystem make_formula_system(const FormulaTexts& texts);

/// Parts of a Hamiltonian, if it is mechanical: as polynomial of the momenta it has terms of degrees 0 and 2 alone,
/// those of degree 2 do not depend on the coordinates, and each momentum has its square. New nodes go into the tree.
std::optional<MechanicalParts> find_mechanical_parts(FormulaTree& tree, int hamiltonian, int N);

/// C++ header that defines the system as `SystemOfHeader`, made of the tree alone. It is the same for texts that differ
/// in white space.
std::string header_text(const FormulaSystem& system);

}  // namespace polhode
