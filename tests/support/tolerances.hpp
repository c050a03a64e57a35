// What the suites that run over the whole catalog allow each method and each system, and why. A new method needs a row;
// a system one where it is not as the others.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>

#include "catalog/catalog.hpp"

namespace polhode::test {

/// Of a method. Steps are those of the system's example, made shorter or longer by a factor.
struct Tolerances {
  const char* method;
  /// Order: by this much shorter steps are in the asymptotic range; and there the next term of the error moves the
  /// slope from the order by no more than that. Below 1: steps longer by that much are where to begin to look for it.
  double order_refinement;
  double order_slope;
  /// The same for the largest error of the energy.
  double energy_refinement;
  double energy_slope;
  /// Where a step -h does not undo h: the least that must be seen of it, and how far its power of h may be from the one
  /// expected.
  double way_back_least, way_back_slope;
  /// What is not declared to be kept changes by this much at least, of its terms: in 1000 steps, the control's in 200.
  double least_drift;
  /// Whether the momentum of a step is known to round-off over h alone: nothing takes the error of the multipliers
  /// away.
  bool momentum_over_h;
};

/// What declares to keep everything has no drift to be seen: no comparison with this holds, so that a declaration that
/// is missing fails.
inline constexpr double never = std::numeric_limits<double>::quiet_NaN();

inline constexpr Tolerances tolerances[] = {
    // Order 2: the next term is h^2 smaller; 0.03 was measured for six pendula, 0.001 for one.
    {"rattle", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"rattle-tn", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // Positions are known to round-off, and multipliers to that over h^2, which act over h.
    {"shake", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, true},
    // Of bodies alone: 0.004.
    {"moser-veselov", 1, 0.01, 1, 0.1, 1e-7, 0.3, never, false},
    // Modified moments: 0.02 was measured.
    {"moser-veselov 4", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // Explicit rotations; a body with an axis of symmetry, and one that hardly has one.
    {"mclachlan-reich", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"touma-wisdom", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"splitting", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"splitting 4", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"implicit-midpoint", 1, 0.05, 1, 0.1, 1e-7, 0.3, 1e-5, false},
    {"generating-function 1 2", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"generating-function 1 4", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"generating-function poincare 2", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"generating-function poincare 4", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // The functions of the second kind have terms of all orders: the next one is smaller by h alone.
    {"generating-function", 8, 0.05, 8, 0.1, 1e-7, 0.3, never, false},
    {"generating-function 4", 8, 0.05, 8, 0.1, 1e-7, 0.3, never, false},
    {"stoermer-verlet", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"symplectic-euler symplectic-euler-adjoint", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"symplectic-euler-adjoint symplectic-euler", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"constraint-euler constraint-euler-adjoint", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"constraint-euler-adjoint constraint-euler", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // Generating functions on the group: 0.005 was measured, of the energy 0.007. They keep the Casimir alone;
    // Manakov's other integral changes by 2e-4, 2.6e-5 and 2e-6 for the orders 1 to 3.
    {"channell-scovel", 8, 0.01, 8, 0.02, 1e-7, 0.3, 1e-5, false},
    {"channell-scovel 3", 8, 0.01, 8, 0.02, 1e-7, 0.3, 1e-6, false},
    // Order 1: the next term is smaller by h alone.
    {"ge-marsden", 16, 0.01, 16, 0.03, 1e-7, 0.3, 1e-4, false},
    // Lobatto pairs: two stages are RATTLE.
    {"lobatto 2", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"lobatto", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // The discrete Routh equations of two discrete Lagrangians.
    {"discrete-routh", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    {"discrete-routh own 2", 1, 0.05, 1, 0.1, 1e-7, 0.3, never, false},
    // Gauss collocation of two stages and of one. Pendula leave the constraints; of a body with its attitude the
    // momentum, which is cubic, changes by 6e-10.
    {"gauss", 1, 0.1, 1, 0.3, 1e-10, 0.4, 1e-10, false},
    {"gauss 1", 1, 0.05, 1, 0.1, 1e-7, 0.3, 1e-5, false},
    {"symplectic-euler", 64, 0.05, 16, 0.1, 1e-7, 0.3, never, false},
    {"symplectic-euler-adjoint", 64, 0.05, 16, 0.1, 1e-7, 0.3, never, false},
    {"constraint-euler", 64, 0.05, 16, 0.1, 1e-7, 0.3, never, false},
    {"constraint-euler-adjoint", 64, 0.05, 16, 0.1, 1e-7, 0.3, never, false},
    // Order 4: 0.09 was measured for two pendula; for one the errors then come near round-off. The next term of the
    // energy is not far below: 0.35. Too little is left of the way back at the example's step, 10^3 times round-off in
    // longer ones.
    {"rk4", 5, 0.1, 2, 0.4, 1e-10, 0.4, 1e-8, false},
    {"rk4-projected", 5, 0.1, 2, 0.3, 1e-10, 0.4, 1e-8, false},
    // By its default table, which is that of rk4, with steps a quarter longer, so that those of two pendula in a chart
    // are farther from round-off: 0.06 was measured.
    {"runge-kutta", 4, 0.1, 2, 0.4, 1e-10, 0.4, 1e-8, false},
    // Errors of molecules are near round-off where those of six pendula are not yet in the asymptotic range.
    {"variational", 0.25, 0.1, 0.5, 0.3, 1e-10, 0.4, never, false},
    {"runge-kutta-projected", 5, 0.1, 2, 0.3, 1e-10, 0.4, 1e-8, false},
    // The negative control, whose errors are large: 0.04 for six pendula. An energy that is quadratic it may miss by
    // its next order alone.
    {"heun", 16, 0.1, 16, 1.2, 1e-7, 0.5, 1e-7, false},
    {"explicit-midpoint", 16, 0.1, 16, 1.2, 1e-7, 0.5, 1e-7, false},
    {"explicit midpoint", 16, 0.1, 16, 1.2, 1e-7, 0.5, 1e-7, false},
};

inline const Tolerances& tolerances_of(const std::string& method) {
  for (const Tolerances& row : tolerances)
    if (method == row.method) return row;
  throw std::logic_error("tests/support/tolerances.hpp has no row for " + method);
}

/// Of a system or a family of them, relative.
struct RoundOff {
  const char* system;
  double step;       ///< two computations of one or two steps
  double reference;  ///< a step of the independent reference, of other equations
  double kept;       ///< change of an integral over 10^4 steps, over the size of its terms
  double single;     ///< 40 steps in single against double precision
};

inline constexpr RoundOff round_offs[] = {
    // A step is known to some units in the last place, 5e-16 was measured, and in another formulation to some more,
    // 4e-16 to 1.4e-15 for tops. Integrals go as a random walk, a hundredfold: 7e-14.
    {"", 4e-15, 1e-14, 5e-13, 1e-5},
    // Their motion is chaotic, and 40 steps are a time in which errors grow.
    {"pendulum-chain", 4e-15, 1e-14, 5e-13, 4e-5},
    // With one factorisation a sweep contracts by a third only for the fastest states, and what is left of the change
    // with which it has settled, 32 roundings, shows in the reference.
    {"pendulum-chain-6", 4e-15, 1.2e-14, 5e-13, 4e-5},
    // In a fast passage of the centre errors of position grow to errors of time: 2e-5.
    {"kepler", 4e-15, 1e-14, 5e-13, 4e-5},
    // Reduced momenta are small beside the positions: 2e-5.
    {"j2-satellite-reduced", 4e-15, 1e-14, 5e-13, 4e-5},
    // It moves away, and the terms of its angular momentum about the origin grow to some hundred times what they were:
    // 7e-12.
    {"underwater-vehicle", 4e-15, 1e-14, 5e-11, 1e-5},
    // Stiff forces: 2e-15. A free body of three atoms has momenta that are small beside the terms of which they are
    // made, which vary: 1.4e-12.
    {"molecule-water", 1e-14, 1e-14, 5e-12, 1e-5},
    {"molecule-chain", 1e-14, 1e-14, 5e-13, 2e-4},
};

/// The row of its name or else of its family.
inline const RoundOff& round_off_of(const SystemEntry& system) {
  for (const char* name : {system.name, system.family})
    for (const RoundOff& row : round_offs)
      if (row.system == std::string(name)) return row;
  return round_offs[0];
}

}  // namespace polhode::test
