// Tables of explicit Runge-Kutta methods: the order conditions of all rooted trees.
#include "papers/variational_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace polhode::test {
namespace {

/// A rooted tree by the numbers of its subtrees in a list, which are before it there, in descending order.
struct RootedTree {
  std::vector<int> subtrees;
  int order = 1;
  double density = 1;
};

/// All rooted trees up to some order, those of lower order first.
std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> trees{{}};
  // Trees of one order more than `partial`: it and a further subtree whose number is no higher.
  const auto grow = [&](const auto& again, const RootedTree& partial, int missing, int highest) -> void {
    if (missing == 0) {
      trees.push_back(partial);
      for (const int subtree : partial.subtrees) trees.back().density *= trees[subtree].density;
      trees.back().density *= partial.order;
      return;
    }
    for (int k = highest; k >= 0; --k) {
      if (trees[k].order > missing) continue;
      RootedTree more = partial;
      more.subtrees.push_back(k), more.order += trees[k].order;
      again(again, more, missing - trees[k].order, k);
    }
  };
  for (int n = 2; n <= order; ++n) grow(grow, {}, n - 1, static_cast<int>(trees.size()) - 1);
  return trees;
}

/// The largest defect of the conditions of one order, b . u - 1 / density where u_i is the product of (A u_subtree)_i.
double order_defect(const LayerTable& table, const std::vector<RootedTree>& trees, int order) {
  const std::size_t stages = table.b.size();
  std::vector<std::vector<double>> moved;  // A u of every tree
  double most = 0;
  for (const RootedTree& tree : trees) {
    std::vector<double> u(stages, 1), Au(stages, 0);
    double weight = 0;
    for (std::size_t i = 0; i < stages; ++i) {
      for (const int subtree : tree.subtrees) u[i] *= moved[subtree][i];
      weight += table.b[i] * u[i];
    }
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < stages; ++j) Au[i] += table.a[i][j] * u[j];
    moved.push_back(Au);
    if (tree.order == order) most = std::max(most, std::abs(weight - 1 / tree.density));
  }
  return most;
}

TEST(VariationalTables, MeetTheOrderConditionsOfTheirOrderAndNoMore) {
  const std::vector<RootedTree> trees = rooted_trees(9);
  int count = 0;
  for (const RootedTree& tree : trees) count += tree.order <= 8 ? 1 : 0;
  EXPECT_EQ(count, 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115);
  for (const LayerTable& table : layer_tables()) {
    // Rounded products of elements of up to 43 in the table of order 8.
    for (int order = 1; order <= table.order; ++order)
      EXPECT_LT(order_defect(table, trees, order), 1e-14) << table.name;
    EXPECT_GT(order_defect(table, trees, table.order + 1), 1e-5) << table.name;
  }
}

TEST(VariationalTables, AreExplicit) {
  for (const LayerTable& table : layer_tables())
    for (std::size_t i = 0; i < table.a.size(); ++i) {
      ASSERT_EQ(table.a.size(), table.b.size());
      for (std::size_t j = i; j < table.b.size(); ++j) EXPECT_EQ(table.a[i][j], 0) << table.name;
    }
  EXPECT_EQ(layer_table("verner6").b.size(), 7);
  EXPECT_EQ(layer_table("dop853").b.size(), 12);
}

}  // namespace
}  // namespace polhode::test
