#include "spec/order_conditions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace polhode {
namespace {

/// A number for each stage, with more digits than coefficients have.
using PerStage = std::array<long double, max_explicit_stages>;

/// A rooted tree with its elementary weights. children: the subtrees at its root, as indices into the list of trees.
struct RootedTree {
  int nodes;
  long double density;  ///< gamma: the product of the numbers of nodes of all subtrees, the whole tree among them
  std::vector<std::size_t> children;
  PerStage weights;  ///< Phi: the product of the children's sums
  PerStage sums;     ///< A Phi, with the coefficients A = (a_ij)
};

/// Trees of more and more nodes, and their conditions: sum over i of b_i Phi_i = 1 / gamma.
class OrderConditions {
 public:
  explicit OrderConditions(const ExplicitTable& table) : table_(table) {}

  /// Whether the conditions hold for all trees with one node more than in the call before, of this function or of
  /// next_missed(); the first call is about the tree of one node.
  bool next_hold() {
    return std::ranges::all_of(next_trees(), [&](const RootedTree& tree) { return holds(tree); });
  }

  /// Largest defects of the conditions of some trees.
  struct Missed {
    long double most = 0, relative = 0;  ///< the largest defect, and the largest as a part of the exact value
    bool is_seen = false;                ///< whether a defect is larger than tolerance_of() its tree
  };
  /// Defects of the conditions of all trees with one node more than in the call before, of this function or of
  /// next_hold(); the first call is about the tree of one node.
  Missed next_missed() {
    Missed missed;
    for (const RootedTree& tree : next_trees()) {
      const long double defect = defect_of(tree);
      missed.most = std::max(missed.most, defect);
      missed.relative = std::max(missed.relative, defect * tree.density);
      missed.is_seen = missed.is_seen || defect > tolerance_of(tree);
    }
    return missed;
  }

 private:
  std::span<const RootedTree> next_trees() {
    ++nodes_;
    const std::size_t first = trees_.size();
    PerStage ones;
    ones.fill(1);
    std::vector<std::size_t> children;
    grow(nodes_ - 1, 0, first, ones, static_cast<long double>(nodes_), children);
    return std::span(trees_).subspan(first);
  }

  /// Appends to the trees those of nodes_ nodes whose root has `children`, and further ones with `nodes_left` nodes
  /// together, of the trees `least`, ..., count - 1. weights: product of the sums of `children`; density: product of
  /// their densities and nodes_.
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
    constexpr long double small_part = 1e-8L;
    const long double tolerance = tolerance_of(tree);
    return tolerance <= small_part / tree.density && defect_of(tree) <= tolerance;
  }

  /// Largest defect that the rounding of the coefficients can make; they may have a digit less than a double.
  long double tolerance_of(const RootedTree& tree) const {
    return 16 * std::numeric_limits<double>::epsilon() * sensitivity(tree);
  }

  long double defect_of(const RootedTree& tree) const {
    long double value = 0;
    for (int i = 0; i < table_.stages; ++i) value += static_cast<long double>(table_.b[i]) * tree.weights[i];
    return std::abs(value - 1 / tree.density);
  }

  /// Sum over all coefficients a_ij and b_i of |coefficient times derivative of the tree's condition by it|.
  long double sensitivity(const RootedTree& tree) const {
    Slopes slopes{};
    PerStage by_weights{};
    long double sum = 0;
    for (int i = 0; i < table_.stages; ++i) {
      by_weights[i] = table_.b[i];
      sum += std::abs(by_weights[i] * tree.weights[i]);
    }
    go_back(tree, by_weights, slopes);
    for (int i = 0; i < table_.stages; ++i)
      for (int j = 0; j < i; ++j) sum += std::abs(static_cast<long double>(table_.a[i][j]) * slopes[i][j]);
    return sum;
  }

  using Slopes = std::array<PerStage, max_explicit_stages>;  ///< derivatives of a condition by a_ij

  /// Adds to slopes[i][j] the part of the derivative of a condition by a_ij that comes through the weights of `tree`.
  /// by_weights: derivatives of the condition by these weights.
  void go_back(const RootedTree& tree, const PerStage& by_weights, Slopes& slopes) const {
    for (std::size_t k = 0; k < tree.children.size(); ++k) {
      const RootedTree& child = trees_[tree.children[k]];
      PerStage by_sums_of_child = by_weights, by_weights_of_child{};
      for (std::size_t l = 0; l < tree.children.size(); ++l)
        if (l != k)
          for (int i = 0; i < table_.stages; ++i) by_sums_of_child[i] *= trees_[tree.children[l]].sums[i];
      for (int i = 0; i < table_.stages; ++i)
        for (int j = 0; j < i; ++j) {
          slopes[i][j] += by_sums_of_child[i] * child.weights[j];
          by_weights_of_child[j] += by_sums_of_child[i] * static_cast<long double>(table_.a[i][j]);
        }
      go_back(child, by_weights_of_child, slopes);
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

std::optional<NearOrder> near_order_of(const ExplicitTable& table) {
  constexpr long double little = 1e-5L;  // of the exact values: what five digits of coefficients make of them
  OrderConditions conditions(table);
  std::optional<NearOrder> missed;
  long double most = 0;
  for (int order = 1; order <= max_explicit_order; ++order) {
    const auto next = conditions.next_missed();
    if (next.relative > little) break;
    if (!missed && !next.is_seen) continue;
    most = std::max(most, next.most);
    missed = {order, static_cast<double>(most)};
  }
  return missed;
}

}  // namespace polhode
