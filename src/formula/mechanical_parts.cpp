#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "formula/formula_system.hpp"

namespace polhode {
namespace {

/// A polynomial of degree 2 in the momenta: a coefficient for each product of momenta, given by their sorted indices.
using Polynomial = std::map<std::vector<int>, int>;

class Expansion {
 public:
  Expansion(FormulaTree& tree, int N) : tree_(tree), N_(N) {}

  /// Polynomial that a node is; none where it is no polynomial of degree 2.
  std::optional<Polynomial> of(int node) {
    if (const auto known = known_.find(node); known != known_.end()) return known->second;
    return known_[node] = expand(node);
  }

 private:
  bool is_momentum(const Node& node) const { return node.variable >= N_ && node.variable < 2 * N_; }

  std::optional<Polynomial> expand(int index) {
    if (!tree_.depends(index, N_, 2 * N_)) return Polynomial{{{}, index}};
    const Node node = tree_[index];
    if (is_momentum(node)) return Polynomial{{{node.variable - N_}, tree_.number(1)}};
    switch (node.operation) {
      case Operation::negate: return each(of(node.first), [&](int c) { return tree_.apply(Operation::negate, c); });
      case Operation::add:
      case Operation::subtract: return sum(node.operation, of(node.first), of(node.second));
      case Operation::multiply: return product(of(node.first), of(node.second));
      case Operation::divide:
        if (tree_.depends(node.second, N_, 2 * N_)) return {};
        return each(of(node.first), [&](int c) { return tree_.apply(Operation::divide, c, node.second); });
      default: return {};
    }
  }

  template <class F>
  static std::optional<Polynomial> each(std::optional<Polynomial> polynomial, F&& f) {
    if (polynomial)
      for (auto& [momenta, coefficient] : *polynomial) coefficient = f(coefficient);
    return polynomial;
  }

  std::optional<Polynomial> sum(Operation operation, std::optional<Polynomial> a, const std::optional<Polynomial>& b) {
    if (!a || !b) return {};
    for (const auto& [momenta, coefficient] : *b) {
      const auto there = a->find(momenta);
      if (there != a->end())
        there->second = tree_.apply(operation, there->second, coefficient);
      else
        (*a)[momenta] = operation == Operation::add ? coefficient : tree_.apply(Operation::negate, coefficient);
    }
    return a;
  }

  std::optional<Polynomial> product(const std::optional<Polynomial>& a, const std::optional<Polynomial>& b) {
    if (!a || !b) return {};
    Polynomial all;
    for (const auto& [first, c] : *a)
      for (const auto& [second, d] : *b) {
        std::vector<int> momenta = first;
        momenta.insert(momenta.end(), second.begin(), second.end());
        if (momenta.size() > 2) return {};
        std::sort(momenta.begin(), momenta.end());
        const int coefficient = tree_.apply(Operation::multiply, c, d);
        const auto there = all.find(momenta);
        if (there == all.end())
          all[momenta] = coefficient;
        else
          there->second = tree_.apply(Operation::add, there->second, coefficient);
      }
    return all;
  }

  FormulaTree& tree_;
  const int N_;
  std::map<int, std::optional<Polynomial>> known_;
};

}  // namespace

std::optional<MechanicalParts> find_mechanical_parts(FormulaTree& tree, int hamiltonian, int N) {
  const std::optional<Polynomial> polynomial = Expansion(tree, N).of(hamiltonian);
  if (!polynomial) return {};
  MechanicalParts parts{.inverse_mass = std::vector<int>(static_cast<std::size_t>(N * N), -1),
                        .potential = tree.number(0)};
  for (const auto& [momenta, coefficient] : *polynomial) {
    if (momenta.empty()) {
      parts.potential = coefficient;
      continue;
    }
    if (tree.is_number(coefficient, 0)) continue;
    if (momenta.size() == 1 || tree.depends(coefficient, 0, 2 * N)) return {};
    const int i = momenta[0], j = momenta[1];
    const int entry = i == j ? tree.apply(Operation::multiply, tree.number(2), coefficient) : coefficient;
    for (const int place : {i * N + j, j * N + i}) parts.inverse_mass[static_cast<std::size_t>(place)] = entry;
  }
  for (int i = 0; i < N; ++i)
    if (parts.inverse_mass[static_cast<std::size_t>(i * N + i)] < 0) return {};
  return parts;
}

}  // namespace polhode
