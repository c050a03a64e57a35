// A method as the reference is told of it: by its name in configurations, with the values of its options. No code of
// the fast path says which equations that means: make_motion() does (constrained_motions.hpp, of_body.hpp,
// of_rigid_body_n.hpp), for each kind of system.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "polhode/system/description.hpp"

namespace polhode {

/// Value of an option: a number, or the name of a choice.
struct ReferenceOption {
  std::string name;
  std::variant<double, std::string> value;
};

struct ReferenceMethod {
  std::string name;
  std::vector<ReferenceOption> options = {};

  bool is_one_of(std::initializer_list<std::string_view> names) const;
  // Throw std::invalid_argument where there is no such option.
  int integer(std::string_view option) const;
  double real(std::string_view option) const;
  const std::string& choice(std::string_view option) const;
};

/// Set to which the momenta of a method belong.
Momentum momentum_of(const ReferenceMethod& method);

/// Throws std::invalid_argument: the reference has no such method on a system.
[[noreturn]] void refuse_method();
/// Refuses methods with other names.
void require_one_of(const ReferenceMethod& method, std::initializer_list<std::string_view> names);

}  // namespace polhode
