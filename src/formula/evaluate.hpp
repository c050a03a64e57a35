// Values of formulas, straight from their trees.
#pragma once

#include <complex>
#include <type_traits>
#include <vector>

#include "contract.hpp"
#include "formula/tree.hpp"
#include "polhode/scalar/elementary.hpp"

namespace polhode {

inline double real_part(double x) { return x; }
inline double real_part(const std::complex<double>& x) { return x.real(); }
template <class T, int N>
double real_part(const Dual<T, N>& x) {
  return real_part(x.value);
}

/// Value of an operation on the values of its operands: numbers, complex numbers, or dual numbers of these; operations
/// that are not analytic look at the real part. b: the second operand, or the first one where there is no second.
template <class T>
T value_of(const Node& node, const T& a, const T& b) {
  switch (node.operation) {
    case Operation::negate: return -a;
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::power:
      if constexpr (std::is_same_v<T, double>)
        return pow(a, b);
      else
        return exp(b * log(a));
    case Operation::sqrt: return sqrt(a);
    case Operation::exp: return exp(a);
    case Operation::log: return log(a);
    case Operation::sin: return sin(a);
    case Operation::cos: return cos(a);
    case Operation::tan: return tan(a);
    case Operation::asin: return asin(a);
    case Operation::acos: return acos(a);
    case Operation::atan: return atan(a);
    case Operation::sinh: return sinh(a);
    case Operation::cosh: return cosh(a);
    case Operation::tanh: return tanh(a);
    case Operation::atan2: return atan2(a, b);
    case Operation::abs: return real_part(a) < 0 ? -a : a;
    case Operation::min: return real_part(b) < real_part(a) ? b : a;
    case Operation::max: return real_part(a) < real_part(b) ? b : a;
    case Operation::number:
    case Operation::variable: break;
  }
  POLHODE_EXPECT(false, "a node of a formula is an operation");
  return a;
}

/// Values of the nodes that some roots are made of, at given values of the variables.
template <class T>
class FormulaValues {
 public:
  /// used: the nodes that the roots are made of (FormulaTree::used_by()).
  FormulaValues(const FormulaTree& tree, const std::vector<bool>& used, const std::vector<T>& variables)
      : values_(static_cast<std::size_t>(tree.size())) {
    for (int i = 0; i < tree.size(); ++i) {
      if (!used[static_cast<std::size_t>(i)]) continue;
      const Node& node = tree[i];
      T& value = values_[static_cast<std::size_t>(i)];
      if (node.operation == Operation::number)
        value = T(Real<T>(node.number));
      else if (node.operation == Operation::variable)
        value = variables[static_cast<std::size_t>(node.variable)];
      else
        value = value_of(node, (*this)[node.first], (*this)[node.second < 0 ? node.first : node.second]);
    }
  }
  const T& operator[](int node) const { return values_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<T> values_;
};

}  // namespace polhode
