#include "modules/target.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

#include "backend/cpu/isa.hpp"

namespace polhode {
namespace {

constexpr std::string_view prefix = "sm_";
constexpr int likely_capabilities[] = {75, 80, 86, 89, 90, 100, 120};

}  // namespace

Target Target::gpu(int capability) {
  Target target(Isa::scalar);
  target.capability_ = capability;
  return target;
}

std::string Target::name() const {
  return is_gpu() ? std::string(prefix) + std::to_string(capability_) : isa_names[static_cast<int>(isa_)];
}

std::optional<Target> find_target(std::string_view name) {
  if (const auto* const isa = std::ranges::find(isa_names, name); isa != std::end(isa_names))
    return Target(Isa{static_cast<int>(isa - std::begin(isa_names))});
  if (!name.starts_with(prefix)) return {};
  const std::string_view digits = name.substr(prefix.size());
  int capability = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), capability);
  const bool is_capability = error == std::errc() && end == digits.data() + digits.size() && capability >= 10 &&
                             capability < 1000 && digits.front() != '0';
  return is_capability ? std::optional(Target::gpu(capability)) : std::nullopt;
}

std::vector<std::string> target_names() {
  std::vector<std::string> names(std::begin(isa_names), std::end(isa_names));
  for (const int capability : likely_capabilities) names.push_back(Target::gpu(capability).name());
  return names;
}

}  // namespace polhode
