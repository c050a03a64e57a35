#include "spec/order_conditions.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace polhode {
namespace {

/// A number for each stage, with more digits than coefficients have.
using PerStage = std::array<long double, max_explicit_stages>;

/// A rooted tree with its elementary weights. Its root has no parent; `children` are places among smaller trees.
struct RootedTree {
  int nodes;
  long double density;  ///< gamma: the product of the numbers of nodes of all subtrees
  std::vector<std::size_t> children;
  PerStage weights;  ///< Phi: the product of the children's sums
  PerStage sums;     ///< A Phi
};

/// Trees of more and more nodes, and their conditions: sum over i of b_i Phi_i = 1 / gamma.
class OrderConditions {
 public:
  explicit OrderConditions(const ExplicitTable& table) : table_(table) {}

  /// Whether the conditions of all trees with one node more than before hold.
  bool next_hold() {
    ++nodes_;
    const std::size_t first = trees_.size();
    PerStage ones;
    ones.fill(1);
    std::vector<std::size_t> children;
    grow(nodes_ - 1, 0, first, ones, static_cast<long double>(nodes_), children);
    for (std::size_t k = first; k < trees_.size(); ++k)
      if (!holds(trees_[k])) return false;
    return true;
  }

 private:
  /// Appends the trees that have these children and others, of so many nodes, among those from `least` on.
  void grow(int nodes_left, std::size_t least, std::size_t count, const PerStage& weights, long double density,
            std::vector<std::size_t>& children) {
    if (nodes_left == 0) {
      RootedTree& tree = trees_.emplace_back(RootedTree{nodes_, density, children, weights, {}});
      for (int i = 0; i < table_.stages; ++i)
        for (int j = 0; j < i; ++j) tree.sums[i] += static_cast<long double>(table_.a[i][j]) * weights[j];
      return;
    }
    for (std::size_t k = least; k < count; ++k) {
      if (trees_[k].nodes > nodes_left) break;
      PerStage product = weights;
      for (int i = 0; i < table_.stages; ++i) product[i] *= trees_[k].sums[i];
      children.push_back(k);
      grow(nodes_left - trees_[k].nodes, k, count, product, density * trees_[k].density, children);
      children.pop_back();
    }
  }

  bool holds(const RootedTree& tree) const {
    // Coefficients are rounded, and perhaps have two digits less than a double.
    constexpr long double round_off = 16 * std::numeric_limits<double>::epsilon(), hidden = 1e-8L;
    long double value = 0;
    for (int i = 0; i < table_.stages; ++i) value += static_cast<long double>(table_.b[i]) * tree.weights[i];
    const long double exact = 1 / tree.density, tolerance = round_off * sensitivity(tree);
    return tolerance <= hidden * exact && std::abs(value - exact) <= tolerance;
  }

  /// Sum of what each coefficient, changed by itself as a whole, would change in the condition to first order.
  long double sensitivity(const RootedTree& tree) const {
    Slopes slopes{};
    PerStage adjoint{};
    long double sum = 0;
    for (int i = 0; i < table_.stages; ++i) {
      adjoint[i] = table_.b[i];
      sum += std::abs(adjoint[i] * tree.weights[i]);
    }
    go_back(tree, adjoint, slopes);
    for (int i = 0; i < table_.stages; ++i)
      for (int j = 0; j < i; ++j) sum += std::abs(static_cast<long double>(table_.a[i][j]) * slopes[i][j]);
    return sum;
  }

  using Slopes = std::array<PerStage, max_explicit_stages>;  ///< derivatives by a_ij

  /// Adds to the slopes what a condition whose derivatives by the weights of a subtree are `adjoint` has of it.
  void go_back(const RootedTree& tree, const PerStage& adjoint, Slopes& slopes) const {
    for (std::size_t k = 0; k < tree.children.size(); ++k) {
      const RootedTree& child = trees_[tree.children[k]];
      PerStage of_sums = adjoint, of_weights{};
      for (std::size_t l = 0; l < tree.children.size(); ++l)
        if (l != k)
          for (int i = 0; i < table_.stages; ++i) of_sums[i] *= trees_[tree.children[l]].sums[i];
      for (int i = 0; i < table_.stages; ++i)
        for (int j = 0; j < i; ++j) {
          slopes[i][j] += of_sums[i] * child.weights[j];
          of_weights[j] += of_sums[i] * static_cast<long double>(table_.a[i][j]);
        }
      go_back(child, of_weights, slopes);
    }
  }

  const ExplicitTable& table_;
  int nodes_ = 0;
  std::vector<RootedTree> trees_;
};

}  // namespace

int order_of(const ExplicitTable& table) {
  OrderConditions conditions(table);
  int order = 0;
  while (order < max_explicit_order && conditions.next_hold()) ++order;
  return order;
}

}  // namespace polhode
