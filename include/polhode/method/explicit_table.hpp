// Table of an explicit Runge-Kutta method for x' = f(x): plain data, which a step map is compiled with
// (method/explicit_stages.hpp).
//
//     k_i = f(x + h sum over j < i of a_ij k_j),   y = x + h sum over i of b_i k_i
#pragma once

namespace polhode {

/// Largest number of stages: order 10 has been reached with 17.
inline constexpr int max_explicit_stages = 17;

struct ExplicitTable {
  int stages = 0;
  double a[max_explicit_stages][max_explicit_stages] = {};  ///< a[i][j], 0 for j >= i
  double b[max_explicit_stages] = {};                       ///< the weights

  /// Coefficient of k_j in the argument of stage i, or for i = stages in the end of the step.
  constexpr double coefficient(int i, int j) const { return i == stages ? b[j] : a[i][j]; }
  /// Whether the end of the step depends on k_j; what it does not depend on is not computed.
  constexpr bool uses(int j) const {
    bool used[max_explicit_stages] = {};
    for (int k = stages - 1; k >= j; --k) {
      used[k] = b[k] != 0;
      for (int i = k + 1; i < stages; ++i) used[k] = used[k] || (used[i] && a[i][k] != 0);
    }
    return used[j];
  }
  /// First stage on which row i depends; i where there is none.
  constexpr int first_of(int i) const {
    for (int j = 0; j < i; ++j)
      if (coefficient(i, j) != 0) return j;
    return i;
  }
  /// Largest number of the k_j that are needed at once.
  constexpr int most_rates() const {
    int most = 0;
    for (int i = 1; i <= stages; ++i) {
      int needed = 0;
      for (int j = 0; j < i; ++j) {
        bool is_needed = false;
        for (int later = i; later <= stages; ++later)
          is_needed = is_needed || (coefficient(later, j) != 0 && (later == stages || uses(later)));
        needed += is_needed ? 1 : 0;
      }
      if (needed > most) most = needed;
    }
    return most;
  }
  bool operator==(const ExplicitTable&) const = default;
};

}  // namespace polhode
