#include "ensemble/random_states.hpp"

#include <fmt/format.h>

#include "error.hpp"

namespace polhode {
namespace {

using Distribution = std::variant<Equilibrium, Cloud, RandomAttitudes>;

Equilibrium in_equilibrium(const ResolvedRun& run, const Equilibrium& equilibrium) {
  const SystemEntry& system = *run.system;
  if (!system.invalid_equilibrium_reason)
    throw InputError(
        fmt::format("{} has no ensemble in equilibrium (tops, free bodies and pendula have one; a "
                    "free molecule may be anywhere). Use distribution = \"cloud\".",
                    system.name));
  char text[problem_size];
  if (const char* const problem = system.invalid_equilibrium_reason(run.parameters.data(), equilibrium, text))
    throw InputError(fmt::format("cannot draw such states of {} ({}). Change [ensemble].", system.name, problem));
  return equilibrium;
}

Distribution distribution_of(const ResolvedRun& run, const Microcanonical& states) {
  return in_equilibrium(
      run, {.energy = states.energy, .momentum = states.momentum, .angular_momentum = states.angular_momentum});
}
Distribution distribution_of(const ResolvedRun& run, const Canonical& states) {
  return in_equilibrium(run, {.temperature = states.temperature});
}
Distribution distribution_of(const ResolvedRun&, const Cloud& cloud) { return cloud; }
Distribution distribution_of(const ResolvedRun& run, const RandomAttitudes& attitudes) {
  if (!run.system->start_functions().draw_attitudes)
    throw InputError(fmt::format("{} has no attitude (tops, bodies and molecules have one). Use another distribution.",
                                 run.system->name));
  return attitudes;
}

[[noreturn]] void throw_none_found(const Equilibrium&) {
  throw InputError(
      "no random states were found (ten million configurations had too high an energy or too small a weight). Use "
      "a higher energy or temperature, or a smaller momentum.");
}
[[noreturn]] void throw_none_found(const Cloud&) {
  throw InputError(
      "a state of the cloud has no projection to the constraints (it is too far from them). Use a smaller width.");
}
void throw_none_found(const RandomAttitudes&) {}  // there are always some

}  // namespace

RandomStates::RandomStates(const ResolvedRun& run, const RandomStarts& starts)
    : functions_(&run.system->start_functions()),
      parameters_(run.parameters),
      seed_(static_cast<std::uint64_t>(starts.seed)),
      at_rest_(starts.at_rest ? run.system : nullptr),
      distribution_(std::visit([&](const auto& distribution) { return distribution_of(run, distribution); },
                               starts.distribution)) {}

void RandomStates::draw(std::int64_t first, std::int64_t count, double* x) const {
  const DrawnBlock block{seed_, first, count};
  std::visit(
      [&](const auto& distribution) {
        if (draw_from(distribution, block, x) < count) throw_none_found(distribution);
      },
      distribution_);
  for (std::int64_t k = 0; at_rest_ && k < count; ++k)
    at_rest_->bring_to_rest(parameters_.data(), false, x + k * at_rest_->dim);
}

std::int64_t RandomStates::draw_from(const Equilibrium& equilibrium, const DrawnBlock& block, double* x) const {
  return functions_->draw(parameters_.data(), equilibrium, block, x);
}
std::int64_t RandomStates::draw_from(const Cloud& cloud, const DrawnBlock& block, double* x) const {
  return functions_->draw_cloud(parameters_.data(), cloud.state.data(), cloud.width.data(), block, x);
}
std::int64_t RandomStates::draw_from(const RandomAttitudes& attitudes, const DrawnBlock& block, double* x) const {
  functions_->draw_attitudes(attitudes.state.data(), block, x);
  return block.count;
}

}  // namespace polhode
