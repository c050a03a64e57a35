#include "ensemble/random_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "ensemble/in_blocks.hpp"
#include "ensemble/random_stream.hpp"
#include "error.hpp"

namespace polhode {
namespace {

/// Writes a state x[dim].
using Draw = std::function<void(RandomSource& random, double* x)>;

Draw from_equilibrium(const ResolvedRun& run, const Equilibrium& which) {
  const SystemEntry& system = *run.system;
  const double* const p = run.parameters.data();
  if (!system.draw)
    throw InputError(
        fmt::format("{} has no ensemble in equilibrium (tops, free bodies and pendula have one; a "
                    "free molecule may be anywhere). Use distribution = \"cloud\".",
                    system.name));
  if (const std::string problem = system.problem_with_equilibrium(p, which); !problem.empty())
    throw InputError(fmt::format("cannot draw such states of {} ({}). Change [ensemble].", system.name, problem));
  return [&system, p, which](RandomSource& random, double* x) {
    if (!system.draw(p, which, random, x))
      throw InputError(
          "no random states were found (ten million configurations had too high an energy or too small a weight). Use "
          "a higher energy or temperature, or a smaller momentum.");
  };
}

Draw draw_of(const ResolvedRun& run, const Microcanonical& states) {
  return from_equilibrium(
      run, {.energy = states.energy, .momentum = states.momentum, .angular_momentum = states.angular_momentum});
}
Draw draw_of(const ResolvedRun& run, const Canonical& states) {
  return from_equilibrium(run, {.temperature = states.temperature});
}
Draw draw_of(const ResolvedRun& run, const Cloud& cloud) {
  return [&run, &cloud](RandomSource& random, double* x) {
    for (int i = 0; i < run.system->dim; ++i) x[i] = cloud.state[i] + cloud.width[i] * random.normal();
    if (!run.system->bring_near(run.parameters.data(), x))
      throw InputError(
          "a state of the cloud has no projection to the constraints (it is too far from them). Use a smaller width.");
  };
}
Draw draw_of(const ResolvedRun& run, const RandomAttitudes& attitudes) {
  if (!run.system->draw_attitude)
    throw InputError(fmt::format("{} has no attitude (tops, bodies and molecules have one). Use another distribution.",
                                 run.system->name));
  return [&run, &attitudes](RandomSource& random, double* x) {
    std::ranges::copy(attitudes.state, x);
    run.system->draw_attitude(random, x);
  };
}

}  // namespace

std::vector<double> draw_states(const ResolvedRun& run, const RandomStarts& starts, const StartsProgress& progress) {
  const Draw draw_one =
      std::visit([&](const auto& distribution) { return draw_of(run, distribution); }, starts.distribution);
  // Each state has a stream of its own, so that it does not matter which thread draws it.
  const std::int64_t dim = run.system->dim;
  std::vector<double> states(starts.count * dim);
  in_blocks(starts.count, run.spec.integration.threads, progress, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      RandomStream stream(static_cast<std::uint64_t>(starts.seed), k);
      draw_one(stream, states.data() + k * dim);
    }
  });
  return states;
}

}  // namespace polhode
