// A rigid body in space, as 3x3 matrices: the interface between embeddings of systems and steps of the reference.
#pragma once

#include <Eigen/Dense>

namespace polhode {

template <class Real>
using Matrix3 = Eigen::Matrix<Real, 3, 3>;
template <class Real>
using Vector3 = Eigen::Vector<Real, 3>;

template <class Real>
struct BodyPose {
  Matrix3<Real> Q;    ///< rotation, body to space
  Vector3<Real> pi;   ///< body angular momentum
  Real vertical = 1;  ///< r: the vertical is r e3, seen from the body r Q^T e3
};

/// Matrix with hat(v) w = v x w for every w.
template <class Real>
Matrix3<Real> hat(const Vector3<Real>& v) {
  Matrix3<Real> m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// Vector v with hat(v) = m, for an antisymmetric m.
template <class Derived>
Vector3<typename Derived::Scalar> axial(const Eigen::MatrixBase<Derived>& m) {
  return {m(2, 1), m(0, 2), m(1, 0)};
}

/// alpha[3] of the principal moments inertia[3]: I1 = alpha2 + alpha3 and cyclic.
template <class Real>
Vector3<Real> alpha_of(const double* inertia) {
  const Vector3<Real> I(inertia[0], inertia[1], inertia[2]);
  return Vector3<Real>::Constant(I.sum() / 2) - I;
}

/// g(Q): upper triangle of (Q^T Q - 1)/2, column by column; q is Q, column by column.
template <class S>
Eigen::Vector<S, 6> orthogonality(const Eigen::Vector<S, 9>& q) {
  const Eigen::Map<const Matrix3<S>> Q(q.data());
  const Matrix3<S> excess = S(0.5) * (Q.transpose() * Q - Matrix3<S>::Identity());
  return {excess(0, 0), excess(0, 1), excess(1, 1), excess(0, 2), excess(1, 2), excess(2, 2)};
}

}  // namespace polhode
