// Properties that a method declares for a system. The numerics tests verify every declared property and check that an
// undeclared one is measurably absent.
#pragma once

namespace polhode {

struct Properties {
  int order;
  bool symmetric = false;    ///< step(-h) inverts step(h)
  bool poisson = false;      ///< the Jacobian preserves the Poisson structure (symplectic on the leaves)
  bool casimirs = false;     ///< Casimirs conserved to round-off
  bool momentum = false;     ///< momenta of symmetries conserved to round-off
  bool constraints = false;  ///< g = 0 to round-off, where there are constraints
  bool energy = false;       ///< energy conserved to round-off
  bool long_steps = false;   ///< steps may be so long that an observable crosses its section twice in one
};

}  // namespace polhode
