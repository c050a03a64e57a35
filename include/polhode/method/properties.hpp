// What a method declares of itself for a system. The numerics tests hold every declared property and check that an
// undeclared one is measurably absent.
#pragma once

namespace polhode {

struct Properties {
  int order;
  bool symmetric = false;    ///< step(-h) inverts step(h)
  bool poisson = false;      ///< the Jacobian preserves the Poisson structure (symplectic on the leaves)
  bool casimirs = false;     ///< Casimirs kept to round-off
  bool momentum = false;     ///< momenta of symmetries kept to round-off
  bool constraints = false;  ///< g = 0 kept to round-off, where there are constraints
  bool energy = false;       ///< energy kept to round-off
};

}  // namespace polhode
