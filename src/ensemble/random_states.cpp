#include "ensemble/random_states.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::vector<double> draw_states(const RunSpec& spec) {
  const RandomSpec& random = spec.ensemble.random;
  const bool is_cloud = random.distribution == RandomSpec::Distribution::cloud;
  if (!is_cloud) {
    if (!spec.system->draw)
      throw InputError(
          fmt::format("{} has no ensemble in equilibrium (tops, free bodies and pendula have one; a "
                      "free molecule may be anywhere). Use distribution = \"cloud\".",
                      spec.system->name));
    if (const char* problem = spec.system->problem_with_equilibrium(spec.parameters.data(), random.equilibrium))
      throw InputError(
          fmt::format("cannot draw such states of {} ({}). Change [ensemble].", spec.system->name, problem));
  }
  const int dim = spec.system->dim;
  std::vector<double> states(random.count * dim);
  for (std::int64_t k = 0; k < random.count; ++k) {
    RandomStream stream(random.seed, k);
    (is_cloud ? draw_from_cloud : draw_from_equilibrium)(spec, stream, states.data() + k * dim);
  }
  return states;
}

}  // namespace polhode
