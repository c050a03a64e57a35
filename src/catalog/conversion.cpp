#include "catalog/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {

std::vector<Conversion::Step> Conversion::steps_from(const SystemEntry& system) {
  std::vector<Step> steps;
  for (const SystemEntry& other : systems()) {
    for (const Transition& transition : system.transitions)
      if (std::string_view(transition.other) == other.name) steps.push_back({&transition, false, &other});
    for (const Transition& transition : other.transitions)
      if (std::string_view(transition.other) == system.name) steps.push_back({&transition, true, &other});
  }
  return steps;
}

bool Conversion::find(const SystemEntry& from, const SystemEntry& to, std::vector<Step>& path) {
  if (std::string_view(from.name) == to.name) return true;
  for (const Step& step : steps_from(from)) {
    // No way leads over one transition twice.
    if (std::ranges::find(path, step.transition, &Step::transition) != path.end()) continue;
    path.push_back(step);
    if (find(*step.to, to, path)) return true;
    path.pop_back();
  }
  return false;
}

std::optional<Conversion> Conversion::between(const SystemEntry& from, const SystemEntry& to) {
  Conversion conversion(from);
  if (!find(from, to, conversion.steps_)) return {};
  return conversion;
}

std::string Conversion::operator()(const double* p, const double* x, double* y) const {
  constexpr double tolerance = 1e-9;  // digits that people write, and that a report counts as moved
  std::vector<double> here(x, x + from_->dim);
  for (const Step& step : steps_) {
    if (step.reduces()) {
      const double given = p[step.to->example_parameters.size() - 1];
      const auto [own, most] = step.transition->momentum(p, here.data());
      if (!(std::abs(own - given) <= tolerance * most))
        return fmt::format("its momentum is {:.12g}, not {} = {:.12g}", own, step.to->parameters.back().name, given);
    }
    std::vector<double> there(step.to->dim);
    if (const char* problem = step.take(p, here.data(), there.data())) return problem;
    here = std::move(there);
  }
  std::ranges::copy(here, y);
  return {};
}

std::optional<double> Conversion::momentum(const double* p, const double* x) const {
  std::vector<double> here(x, x + from_->dim);
  for (const Step& step : steps_) {
    if (step.reduces()) return step.transition->momentum(p, here.data()).value;
    std::vector<double> there(step.to->dim);
    if (step.take(p, here.data(), there.data())) return {};
    here = std::move(there);
  }
  return {};
}

std::vector<const SystemEntry*> descriptions_of(const SystemEntry& system) {
  std::vector<const SystemEntry*> found;
  for (const SystemEntry& other : systems())
    if (std::string_view(other.name) != system.name && Conversion::between(system, other)) found.push_back(&other);
  return found;
}

}  // namespace polhode
