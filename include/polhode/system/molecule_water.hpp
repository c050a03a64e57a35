// Rigid water: an oxygen and two hydrogens at fixed distances (the geometry of SETTLE, Miyamoto & Kollman 1992), free.
//
// It turns like a free rigid body about its centre, which moves uniformly. Its body axes are those of the atoms: 1
// along H-H, 2 along the bisector from O to the hydrogens, 3 normal to the plane; where both bonds are equal, and both
// hydrogens, they are the principal axes.
#pragma once

#include "polhode/system/molecule.hpp"

namespace polhode::inline POLHODE_ISA {

struct WaterDescription : NoTerms {
  static constexpr const char* name = "molecule-water";
  static constexpr const char* meaning = "rigid water, free: O, H, H at fixed distances (O-H, O-H, H-H)";
  static constexpr std::array masses{16.0, 1.0, 1.0};
  static constexpr std::array bonds{Pair{0, 1}, Pair{0, 2}, Pair{1, 2}};
  static constexpr std::array lengths{0.1, 0.1, 0.163};
  static constexpr std::array<std::array<double, 3>, 3> shape{
      {{0.0, 0.0, 0.0}, {-0.05, 0.08, 0.03}, {0.09, 0.02, 0.04}}};
  static constexpr double example_step = 0.002;

  static constexpr Quantity derived[] = {
      {"spin1", "mass length^2/time", "angular momentum about the centre of mass, along H-H"},
      {"spin2", "mass length^2/time", "the same along the bisector, from O to the hydrogens"},
      {"spin3", "mass length^2/time", "the same along the normal of the molecule's plane"},
      {"bisector_z", "1", "vertical component of the bisector's direction"},
  };

  template <class Equations, class T, int N>
  POLHODE_HD static T observe(const Equations& equations, int i, const Vec<T, N>& q, const Vec<T, N>& p) {
    const Vec<T, 3> along = equations.atom(q, 2) - equations.atom(q, 1);
    const Vec<T, 3> bond = equations.atom(q, 1) - equations.atom(q, 0);
    const Vec<T, 3> normal = cross(along, bond), bisector = cross(normal, along);
    if (i == 3) return bisector[2] / sqrt(dot(bisector, bisector));
    const Vec<T, 3> spin = equations.spin(q, p);
    if (i == 0) return dot(spin, along) / sqrt(dot(along, along));
    if (i == 1) return dot(spin, bisector) / sqrt(dot(bisector, bisector));
    return dot(spin, normal) / sqrt(dot(normal, normal));
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T magnitude(const Equations&, int i, const Vec<T, N>& q, const Vec<T, N>& p) {
    return i == 3 ? T(Real<T>(1)) : sqrt(dot(q, q) * dot(p, p));
  }
};

using MoleculeWater = Molecule<WaterDescription>;

}  // namespace polhode::inline POLHODE_ISA
