// Observables that formulas add to a system.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formula/parser.hpp"
#include "formula/tree.hpp"
#include "polhode/system/description.hpp"
#include "polhode/system/view.hpp"

namespace polhode {

/// Observables that formulas add to a system, after its own. Variables of the tree are the n_own observables of the
/// system, the columns of a state first, then the numbers of its parameters.
struct AddedObservables {
  struct One {
    int node;
    std::string name, text;  ///< its name, and its formula; of a part of a condition the key and the condition
    std::string unit{};      ///< empty: unknown
    Angle angle = Angle::no;
  };

  FormulaTree tree;
  int n_own = 0, n_numbers = 0;
  std::vector<One> all;
  int n_in_kernels = 0;  ///< so many of them, the first ones, are in kernels: those of sections, densities, conditions

  /// Whether one of them depends on observables first, ..., last - 1 of the system.
  bool depends(int which, int first, int last) const {
    return tree.depends(all[static_cast<std::size_t>(which)].node, first, last);
  }
  /// Value of one of them for the parameters p. observe(k): observable k of the system.
  double value(int which, const double* p, const std::function<double(int k)>& observe) const;
  /// C++ code of a type for ObservedSystem (polhode/system/observed_system.hpp), called ObservableFormulas, with the
  /// first `count` of them.
  std::string code(int count) const;
};

/// Comparison of an observable with a number.
struct ObservableComparison {
  int observable;  ///< index of one of the system's, or n_own and the index of an added one
  FormulaRelation relation;
  double value;
};

/// Formulas of observables that are added to a system, and its condition on section points.
struct ObservableTexts {
  std::map<std::string, std::string> observables{};  ///< of system.observables
  std::string where{};                               ///< of section.where; empty: none
  std::vector<std::string> needed{};                 ///< names of observables of sections and densities
};

struct ObservablesOfTexts {
  AddedObservables added;  ///< without observables where the system has all that are needed
  std::vector<ObservableComparison> where;
};

/// Observables and conditions of texts, for a system with these observables and parameters. Throws InputError for a
/// text that is wrong, with its key and the place.
ObservablesOfTexts make_added_observables(const ObservableTexts& texts, View<Quantity> own, View<Parameter> parameters);

}  // namespace polhode
