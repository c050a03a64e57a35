#include "ensemble/prepared_starts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "system/initial_point.hpp"

namespace polhode {
namespace {

/// Largest deviation of the unit vectors and quaternions of x from length 1.
double error_of_lengths(const SystemEntry& system, const double* x) {
  double error = 0;
  for (const Block& block : system.layout) {
    if (!block.is_unit()) continue;
    double squared = 0;
    for (int i = block.first; i < block.first + block.size; ++i) squared += x[i] * x[i];
    error = std::max(error, std::abs(std::sqrt(squared) - 1));
  }
  return error;
}

/// Corrects the lengths of the unit vectors and quaternions of x, in place. Returns the largest correction; nothing
/// where the lengths are right or far off, or something else is wrong with x.
std::optional<double> correct_lengths(const SystemEntry& system, const double* p, double* x) {
  constexpr double round_off = 1e-9;  // well above it, and below what a state is refused for
  const double error = error_of_lengths(system, x);
  if (!(error > round_off && error <= most_displacement) || !system.bring_near(p, x)) return {};
  return error;
}

}  // namespace

std::int64_t prepare_starts(const SystemEntry& system, const double* p, Momentum momentum, bool velocities,
                            std::int64_t count, double* x, Preparation* prepared) {
  const StartFunctions& functions = system.start_functions();
  const auto prepare = [&](std::int64_t first, std::int64_t n) {
    return functions.prepare(p, momentum, velocities, n, x + first * system.dim, prepared + first);
  };
  for (std::int64_t made = prepare(0, count);; made += prepare(made, count - made)) {
    if (made == count) return count;
    double* state = x + made * system.dim;
    if (const double error = error_of_lengths(system, state); error > most_displacement)
      prepared[made].moved_position = error;  // which its problem goes on with
    const std::optional<double> moved = correct_lengths(system, p, state);
    if (!moved || prepare(made, 1) == 0) return made;
    prepared[made++].moved_position = *moved;
  }
}

}  // namespace polhode
