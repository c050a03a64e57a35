// Method as the reference is given it: its name in configurations, and the values of its options. Which equations they
// stand for is known to no code of the fast path, but to make_motion() and ReferenceOf::motion() for each kind of
// system (constrained_motions.hpp, of_body.hpp, of_rigid_body_n.hpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "polhode/system/description.hpp"

namespace polhode {

/// Option of a method with its value: a number, or the name of a choice.
struct ReferenceOption {
  std::string name;
  std::variant<double, std::string> value;
};

struct ReferenceMethod {
  std::string name;
  std::vector<ReferenceOption> options = {};
  /// Rows of a_ij, then the weights, of an explicit Runge-Kutta method given by a table; none for other methods.
  std::vector<std::vector<double>> table = {};

  bool is_one_of(std::initializer_list<std::string_view> names) const;
  // Values of options. Throw std::invalid_argument where there is no such option, or one of another kind.
  int integer(std::string_view option) const;
  double real(std::string_view option) const;
  const std::string& choice(std::string_view option) const;
};

/// Set to which the momenta of a method belong.
Momentum momentum_of(const ReferenceMethod& method);

/// Throws std::invalid_argument: the reference has no such method on a system.
[[noreturn]] void refuse_method();
/// Throws std::invalid_argument unless the method has one of these names.
void require_one_of(const ReferenceMethod& method, std::initializer_list<std::string_view> names);

}  // namespace polhode
