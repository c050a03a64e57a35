// Vectors and matrices of packs, which are GCC's vector types: doubles of several trajectories. Knows nothing of
// polhode.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace polhode::bench {
namespace {

template <int lanes>
struct PackOf {
  typedef double Type __attribute__((vector_size(lanes * sizeof(double))));
};

template <class T>
using Vector = std::array<T, 3>;
template <class T>
using Matrix = std::array<Vector<T>, 3>;  // rows

template <class T, class S>
T dot(const Vector<T>& a, const Vector<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T, class S>
Vector<T> cross(const Vector<T>& a, const Vector<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T, class S>
Vector<T> scaled(const Vector<T>& a, const Vector<S>& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}
template <class T>
Matrix<T> hat(const Vector<T>& v) {
  return {{{T{}, -v[2], v[1]}, {v[2], T{}, -v[0]}, {-v[1], v[0], T{}}}};
}
template <class T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}
template <class T>
Matrix<T> one_plus(Matrix<T> a) {
  for (int i = 0; i < 3; ++i) a[i][i] += 1;
  return a;
}
/// R^T v: w v.
template <class T>
Vector<T> turned(const Matrix<T>& r, const Vector<T>& v) {
  Vector<T> w;
  for (int i = 0; i < 3; ++i) w[i] = r[0][i] * v[0] + r[1][i] * v[1] + r[2][i] * v[2];
  return w;
}
/// Solution of a x = b with the columns a, by Cramer's rule.
template <class T>
Vector<T> solved(const std::array<Vector<T>, 3>& a, const Vector<T>& b) {
  const Vector<T> c = cross(a[1], a[2]);
  const T inverse = 1 / dot(a[0], c);
  return {inverse * dot(b, c), inverse * dot(a[0], cross(b, a[2])), inverse * dot(a[0], cross(a[1], b))};
}
template <class T>
double largest(const T& pack) {
  double value = pack[0];
  for (std::size_t lane = 1; lane < sizeof(T) / sizeof(double); ++lane) value = std::max(value, pack[lane]);
  return value;
}

}  // namespace
}  // namespace polhode::bench
