// Rigid water: an oxygen and two hydrogens at fixed distances (the geometry of SETTLE, Miyamoto & Kollman 1992), free.
//
// It rotates like a free rigid body about its centre, which moves uniformly. Its body axes are those of the atoms: 1
// along H-H, 2 along the bisector from O to the hydrogens, 3 normal to the plane. They are the principal axes if both
// O-H bonds are equal, and both hydrogen masses.
#pragma once

#include "polhode/system/molecule.hpp"

namespace polhode::inline POLHODE_ISA {

struct WaterDescription : NoTerms {
  static constexpr bool spills_on_gpu = true;  ///< a step has more values than a GPU thread has registers
  static constexpr const char* name = "molecule-water";
  static constexpr const char* meaning = "rigid water, free: O, H, H at fixed distances (O-H, O-H, H-H)";
  static constexpr const char* sources[] = {"MiyamotoKollman1992"};
  static constexpr std::array masses{16.0, 1.0, 1.0};
  static constexpr std::array bonds{Pair{0, 1}, Pair{0, 2}, Pair{1, 2}};
  static constexpr std::array lengths{0.1, 0.1, 0.163};
  static constexpr std::array<std::array<double, 3>, 3> shape{
      {{0.0, 0.0, 0.0}, {-0.05, 0.08, 0.03}, {0.09, 0.02, 0.04}}};
  static constexpr double example_step = 0.002;

  /// Body axis 1, 2 or 3 of a molecule, not normalised.
  template <int axis, class Equations, class T, int N>
  POLHODE_HD static Vec<T, 3> body_axis(const Equations& equations, const Vec<T, N>& q) {
    const Vec<T, 3> along = equations.atom(q, 2) - equations.atom(q, 1);
    if constexpr (axis == 1) return along;
    const Vec<T, 3> bond = equations.atom(q, 1) - equations.atom(q, 0);
    const Vec<T, 3> normal = cross(along, bond);
    if constexpr (axis == 3) return normal;
    return cross(normal, along);
  }
  template <int axis, class Equations, class T, int N>
  POLHODE_HD static T spin_along(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>& p) {
    const Vec<T, 3> direction = body_axis<axis>(equations, q);
    return dot(equations.spin(q, p), direction) / sqrt(dot(direction, direction));
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T spin_size(const Equations&, const Vec<T, N>& q, const Vec<T, N>& p) {
    return sqrt(dot(q, q) * dot(p, p));
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T bisector_z(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>&) {
    const Vec<T, 3> bisector = body_axis<2>(equations, q);
    return bisector[2] / sqrt(dot(bisector, bisector));
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T one(const Equations&, const Vec<T, N>&, const Vec<T, N>&) {
    return T(Real<T>(1));
  }

  template <class Equations, class T, int N>
  static constexpr std::array<DescribedRow<Equations, T, N>, 4> derived{{
      {{"spin1", "mass length^2/time", "angular momentum about the centre of mass, along H-H"},
       spin_along<1, Equations, T, N>,
       spin_size<Equations, T, N>},
      {{"spin2", "mass length^2/time", "the same along the bisector, from O to the hydrogens"},
       spin_along<2, Equations, T, N>,
       spin_size<Equations, T, N>},
      {{"spin3", "mass length^2/time", "the same along the normal of the molecule's plane"},
       spin_along<3, Equations, T, N>,
       spin_size<Equations, T, N>},
      {{"bisector_z", "1", "vertical component of the bisector's direction"},
       bisector_z<Equations, T, N>,
       one<Equations, T, N>},
  }};
};

using MoleculeWater = Molecule<WaterDescription>;

}  // namespace polhode::inline POLHODE_ISA
