// Values of added observables, for the program and for the references.
#include <vector>

#include "formula/added_observables.hpp"
#include "formula/evaluate.hpp"

namespace polhode {

double AddedObservables::value(int which, const double* p, const std::function<double(int k)>& observe) const {
  const int root = all[static_cast<std::size_t>(which)].node;
  const std::vector<bool> used = tree.used_by({&root, 1});
  std::vector<double> variables(static_cast<std::size_t>(n_own + n_numbers));
  for (int i = 0; i < tree.size(); ++i)
    if (const Node& node = tree[i]; used[static_cast<std::size_t>(i)] && node.operation == Operation::variable)
      variables[static_cast<std::size_t>(node.variable)] =
          node.variable < n_own ? observe(node.variable) : p[node.variable - n_own];
  return FormulaValues<double>(tree, used, variables)[root];
}

}  // namespace polhode
