// Orbits of which an angle about the vertical jumps: in a plane through the axis, or close to one.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "catalog/catalog.hpp"

namespace polhode::test {

/// Whether a state is vectors of space, positions first.
inline bool has_vectors(const SystemEntry& system) {
  return system.has_positions() && system.kind != Kind::reduced && system.n_positions() % 3 == 0 &&
         std::string(system.observables[0].name).ends_with("x");
}

/// Random states in the vertical plane at an angle about the axis, but for momenta of `off` across it. Those of a
/// pendulum or a chain have hanging rods, and pass the axis again and again; of a satellite the plane is that of the
/// equator, and its angle does not matter.
inline Batch planar_orbits(const MethodEntry& method, const std::vector<double>& parameters, std::int64_t n,
                           double angle, double off, std::uint64_t seed) {
  const SystemEntry& system = *find_system(method.system);
  const int vectors = system.n_positions() / 3;
  const double c = std::cos(angle), s = std::sin(angle);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Batch batch(n, system.dim, 0);
  std::vector<double> x(system.dim);
  for (std::int64_t k = 0; k < n; ++k) {
    system.example_state(parameters.data(), x.data());
    if (!has_vectors(system) || system.n_constraints == 0) {
      for (int i = 0; i < system.dim; ++i) {
        const std::string name = system.observables[i].name;
        if (name.ends_with("z"))
          x[i] = name.starts_with("p") ? off * x[0] * (1 + uniform(random)) : 0;
        else if (i > 0)
          x[i] *= 1 + 0.05 * uniform(random);
      }
    } else {
      for (int i = 0; i < vectors; ++i) {
        const double length = std::hypot(x[3 * i], x[3 * i + 1], x[3 * i + 2]), from_vertical = 0.9 * uniform(random);
        const double across = length * std::sin(from_vertical), p = uniform(random), q = off * (1 + p * p);
        const double position[] = {across * c, across * s, -length * std::cos(from_vertical)};
        const double momentum[] = {p * c - q * s, p * s + q * c, 0};
        for (int j = 0; j < 3; ++j) {
          x[3 * i + j] = position[j];
          x[3 * (vectors + i) + j] = momentum[j];
        }
      }
    }
    if (const char* problem = system.prepare(parameters.data(), method.momentum, x.data()).problem)
      throw std::logic_error(std::string("planar orbit of ") + system.name + ": " + problem);
    for (int i = 0; i < system.dim; ++i) batch.state[i * n + k] = x[i];
  }
  return batch;
}

}  // namespace polhode::test
