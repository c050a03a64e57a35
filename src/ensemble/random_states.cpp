#include "ensemble/random_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "ensemble/random_stream.hpp"
#include "error.hpp"

namespace polhode {
namespace {

void draw_from_equilibrium(const RunSpec& spec, RandomSource& random, double* x) {
  if (!spec.system->draw(spec.parameters.data(), spec.ensemble.random.equilibrium, random, x))
    throw InputError(
        "no random states were found (ten million configurations had too high an energy or too small a weight). Use a "
        "higher energy or temperature, or a smaller momentum.");
}

void draw_from_cloud(const RunSpec& spec, RandomSource& random, double* x) {
  const RandomSpec& cloud = spec.ensemble.random;
  for (int i = 0; i < spec.system->dim; ++i) x[i] = cloud.centre[i] + cloud.width[i] * random.normal();
  if (!spec.system->bring_near(spec.parameters.data(), x))
    throw InputError(
        "a state of the cloud has no projection to the constraints (it is too far from them). Use a smaller width.");
}

void draw_attitude(const RunSpec& spec, RandomSource& random, double* x) {
  std::ranges::copy(spec.ensemble.random.centre, x);
  spec.system->draw_attitude(random, x);
}

/// What draws a state of the distribution, which the system must have.
auto choose(const RunSpec& spec) {
  using Distribution = RandomSpec::Distribution;
  const RandomSpec& random = spec.ensemble.random;
  const SystemEntry& system = *spec.system;
  if (random.distribution == Distribution::cloud) return draw_from_cloud;
  if (random.distribution == Distribution::attitudes) {
    if (!system.draw_attitude)
      throw InputError(fmt::format(
          "{} has no attitude (tops, bodies and molecules have one). Use another distribution.", system.name));
    return draw_attitude;
  }
  if (!system.draw)
    throw InputError(
        fmt::format("{} has no ensemble in equilibrium (tops, free bodies and pendula have one; a "
                    "free molecule may be anywhere). Use distribution = \"cloud\".",
                    system.name));
  if (const std::string problem = system.problem_with_equilibrium(spec.parameters.data(), random.equilibrium);
      !problem.empty())
    throw InputError(fmt::format("cannot draw such states of {} ({}). Change [ensemble].", system.name, problem));
  return draw_from_equilibrium;
}

}  // namespace

std::vector<double> draw_states(const RunSpec& spec) {
  const RandomSpec& random = spec.ensemble.random;
  const auto draw_one = choose(spec);
  // Each state has a stream of its own, so that it does not matter which thread draws it.
  const std::int64_t dim = spec.system->dim, block = 4096;
  std::vector<double> states(random.count * dim);
  std::atomic<std::int64_t> next{0};
  const auto draw = [&] {
    try {
      for (std::int64_t first; (first = next.fetch_add(block)) < random.count;)
        for (std::int64_t k = first; k < std::min(first + block, random.count); ++k) {
          RandomStream stream(random.seed, k);
          draw_one(spec, stream, states.data() + k * dim);
        }
    } catch (...) {
      next = random.count;  // the others need not go on
      throw;
    }
  };
  const auto threads =
      std::min<std::int64_t>(spec.threads > 0 ? spec.threads : std::max(1u, std::thread::hardware_concurrency()),
                             (random.count + block - 1) / block);
  std::vector<std::future<void>> helpers;
  for (std::int64_t t = 1; t < threads; ++t) helpers.push_back(std::async(std::launch::async, draw));
  draw();
  for (std::future<void>& helper : helpers) helper.get();
  return states;
}

}  // namespace polhode
