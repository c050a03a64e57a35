// Effect of a rotation in space on the states of bodies and molecules.
#pragma once

#include <algorithm>

#include "polhode/system/heavy_top.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/molecule.hpp"
#include "polhode/system/rigid_body.hpp"
#include "polhode/system/rigid_body_matrix.hpp"
#include "system/random_attitude.hpp"

namespace polhode::inline POLHODE_ISA {

/// Rotation of a heavy top, whose state has the vertical Gamma and no attitude: turn() gives Gamma the direction of the
/// vertical of a body with the attitude u, and keeps its length. For a uniform u this is uniform, like the vertical of
/// any attitude after the rotation u.
template <>
class Attitudes<HeavyTop> {
 public:
  static void turn(const Vec<double, 4>& u, double* x) {
    const Vec<double, 3> gamma{x[3], x[4], x[5]};
    const Vec<double, 3> turned = std::sqrt(dot(gamma, gamma)) * space_axis(u, 2);
    std::copy_n(turned.v, 3, x + 3);
  }
};

template <>
class Attitudes<RigidBody> {
 public:
  static void turn(const Vec<double, 4>& u, double* x) {
    const Vec<double, 4> turned = quaternion_product(u, Vec<double, 4>{x[3], x[4], x[5], x[6]});
    std::copy_n(turned.v, 4, x + 3);
  }
};

/// Rotation of bodies whose states are 3 x 3 matrices Q and P, row after row: the columns of both are vectors in space,
/// with entries three apart.
class MatrixAttitudes {
 public:
  static void turn(const Vec<double, 4>& u, double* x) {
    for (const int first : {0, 1, 2, 9, 10, 11}) turn_vector(u, x + first, 3);
  }

  /// Rotates a vector in space, in place. v points to its first component; the next ones are `stride` apart.
  static void turn_vector(const Vec<double, 4>& u, double* v, int stride) {
    const Vec<double, 3> before{v[0], v[stride], v[2 * stride]};
    for (int i = 0; i < 3; ++i) v[i * stride] = dot(space_axis(u, i), before);
  }
};
template <>
class Attitudes<HeavyTopMatrix> : public MatrixAttitudes {};
template <>
class Attitudes<RigidBodyMatrix> : public MatrixAttitudes {};

/// Rotation of a molecule: of all its positions and momenta, about the origin.
template <class Description>
class Attitudes<Molecule<Description>> {
 public:
  static void turn(const Vec<double, 4>& u, double* x) {
    for (int i = 0; i < Molecule<Description>::dim; i += 3) MatrixAttitudes::turn_vector(u, x + i, 1);
  }
};

}  // namespace polhode::inline POLHODE_ISA
