// Columns of the systems of point masses: q1x q1y q1z q2x ... p1x ...
#pragma once

#include <array>

#include "polhode/system/description.hpp"

namespace polhode {

/// Names of the columns of up to 8 bodies.
inline constexpr const char* position_names[] = {"q1x", "q1y", "q1z", "q2x", "q2y", "q2z", "q3x", "q3y",
                                                 "q3z", "q4x", "q4y", "q4z", "q5x", "q5y", "q5z", "q6x",
                                                 "q6y", "q6z", "q7x", "q7y", "q7z", "q8x", "q8y", "q8z"};
inline constexpr const char* momentum_names[] = {"p1x", "p1y", "p1z", "p2x", "p2y", "p2z", "p3x", "p3y",
                                                 "p3z", "p4x", "p4y", "p4z", "p5x", "p5y", "p5z", "p6x",
                                                 "p6y", "p6z", "p7x", "p7y", "p7z", "p8x", "p8y", "p8z"};

/// The 6 n columns of n bodies, positions first, with the meanings of each body's. The system defines what q stands
/// for.
template <int n>
constexpr std::array<Quantity, 6 * n> body_columns(const char* const* positions, const char* const* momenta) {
  std::array<Quantity, 6 * n> columns{};
  for (int i = 0; i < 3 * n; ++i) {
    columns[i] = {position_names[i], "length", positions[i / 3]};
    columns[3 * n + i] = {momentum_names[i], "mass length/time", momenta[i / 3]};
  }
  return columns;
}
/// Columns of n bodies with one meaning for all of them.
template <int n>
constexpr std::array<Quantity, 6 * n> body_columns(const char* position = "position",
                                                   const char* momentum = "conjugate momentum") {
  const char *positions[n], *momenta[n];
  for (int i = 0; i < n; ++i) {
    positions[i] = position;
    momenta[i] = momentum;
  }
  return body_columns<n>(positions, momenta);
}

}  // namespace polhode
