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

template <class T>
const T& value_as(const ReferenceMethod& method, std::string_view option) {
  if (const T* const value = std::get_if<T>(&value_of(method, option))) return *value;
  throw std::invalid_argument(method.name + " has another kind of value of " + std::string(option));
}

}  // namespace

bool ReferenceMethod::is_one_of(std::initializer_list<std::string_view> names) const {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}
int ReferenceMethod::integer(std::string_view option) const { return static_cast<int>(real(option)); }
double ReferenceMethod::real(std::string_view option) const { return value_as<double>(*this, option); }
const std::string& ReferenceMethod::choice(std::string_view option) const {
  return value_as<std::string>(*this, option);
}

Momentum momentum_of(const ReferenceMethod& method) {
  if (method.name == "rattle-tn") return Momentum::tangent;
  return method.name == "shake" ? Momentum::unprojected : Momentum::hidden_constraint;
}

void refuse_method() {
  throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
}

void require_one_of(const ReferenceMethod& method, std::initializer_list<std::string_view> names) {
  if (!method.is_one_of(names)) refuse_method();
}

}  // namespace polhode
