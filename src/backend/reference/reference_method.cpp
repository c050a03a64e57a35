#include "backend/reference/reference_method.hpp"

#include <algorithm>
#include <stdexcept>

namespace polhode {
namespace {

const std::variant<double, std::string>& value_of(const ReferenceMethod& method, std::string_view option) {
  const auto found = std::ranges::find(method.options, option, &ReferenceOption::name);
  if (found == method.options.end()) throw std::invalid_argument(method.name + " has no option " + std::string(option));
  return found->value;
}

}  // namespace

bool ReferenceMethod::is_one_of(std::initializer_list<std::string_view> names) const {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}
int ReferenceMethod::integer(std::string_view option) const { return static_cast<int>(real(option)); }
double ReferenceMethod::real(std::string_view option) const { return std::get<double>(value_of(*this, option)); }
const std::string& ReferenceMethod::choice(std::string_view option) const {
  return std::get<std::string>(value_of(*this, option));
}

bool has_kicks(const ReferenceMethod& method) {
  return method.is_one_of({"rattle", "rattle-tn", "shake", "constraint-euler", "constraint-euler-adjoint",
                           "stoermer-verlet", "symplectic-euler", "symplectic-euler-adjoint", "splitting",
                           "moser-veselov", "mclachlan-reich", "touma-wisdom"});
}

Momentum momentum_of(const ReferenceMethod& method) {
  if (method.name == "rattle-tn") return Momentum::tangent;
  return method.name == "shake" ? Momentum::unprojected : Momentum::hidden_constraint;
}

void refuse_method() {
  throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
}

void require_kicks_only(const ReferenceMethod& method) {
  if (!has_kicks(method) || momentum_of(method) != Momentum::hidden_constraint) refuse_method();
}

}  // namespace polhode
