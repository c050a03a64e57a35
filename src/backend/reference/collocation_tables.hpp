// Tables of collocation methods, from their definition: a_ij is the integral of Lagrange's polynomial l_j from 0 to
// c_i, and b_j that from 0 to 1. The nodes c are the zeros of a Legendre polynomial (Gauss), or 0, 1 and the zeros of
// the derivative of one (Lobatto IIIA). a^ makes the pair symplectic, b_i a^_ij + b_j a_ji = b_i b_j: it is Lobatto
// IIIB for Lobatto IIIA, and a itself for Gauss. In long double, so that the tables are right to a unit in the last
// place of a double.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "backend/reference/reference_method.hpp"

namespace polhode {

struct CollocationTable {
  Eigen::MatrixXd a, a_hat;  ///< coefficients of the stages: of positions, and of momenta (a^ of the head comment)
  Eigen::VectorXd b, c;      ///< weights, nodes
};

/// Value of the Legendre polynomial P_n and of its first two derivatives at an x inside (-1, 1).
struct Legendre {
  long double value, slope, curvature;

  Legendre(int n, long double x) {
    long double before = 0;
    value = 1;
    for (int k = 0; k < n; ++k) {
      const long double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
      before = value;
      value = next;
    }
    slope = n * (before - x * value) / (1 - x * x);
    curvature = (2 * x * slope - n * (n + 1) * value) / (1 - x * x);
  }
};

/// Computes the n nodes and weights of Gauss's quadrature on (0, 1): the nodes are the zeros of P_n, shifted to (0, 1),
/// in increasing order.
inline void gauss_quadrature(int n, Eigen::VectorX<long double>& nodes, Eigen::VectorX<long double>& weights) {
  nodes.resize(n);
  weights.resize(n);
  for (int i = 0; i < n; ++i) {
    long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
    for (int k = 0; k < 10; ++k) x -= Legendre(n, x).value / Legendre(n, x).slope;
    const long double slope = Legendre(n, x).slope;
    nodes[i] = (1 + x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/// Nodes of Lobatto's quadrature: 0, the zeros of P_(n-1)', shifted to (0, 1), and 1.
inline Eigen::VectorX<long double> lobatto_nodes(int n) {
  Eigen::VectorX<long double> nodes(n);
  nodes[0] = 0;
  nodes[n - 1] = 1;
  for (int i = 1; i + 1 < n; ++i) {
    long double x = -std::cos(std::numbers::pi_v<long double> * i / (n - 1));
    for (int k = 0; k < 10; ++k) x -= Legendre(n - 1, x).slope / Legendre(n - 1, x).curvature;
    nodes[i] = (1 + x) / 2;
  }
  return nodes;
}

inline bool is_collocation(const ReferenceMethod& method) { return method.is_one_of({"gauss", "lobatto"}); }

/// Table of a method of collocation; throws std::invalid_argument for any other.
inline CollocationTable collocation_table(const ReferenceMethod& method) {
  if (!is_collocation(method)) refuse_method();
  const int n = method.integer("stages");
  Eigen::VectorX<long double> nodes, weights, b(n);
  gauss_quadrature(n, nodes, weights);
  const Eigen::VectorX<long double> c = method.name == "gauss" ? nodes : lobatto_nodes(n);
  // Gauss's quadrature is exact for polynomials of that degree.
  const auto integral = [&](int j, long double end) {
    long double sum = 0;
    for (int k = 0; k < n; ++k) {
      long double lagrange = 1;
      for (int m = 0; m < n; ++m)
        if (m != j) lagrange *= (end * nodes[k] - c[m]) / (c[j] - c[m]);
      sum += weights[k] * lagrange;
    }
    return end * sum;
  };
  Eigen::MatrixX<long double> a(n, n), a_hat(n, n);
  for (int j = 0; j < n; ++j) {
    b[j] = integral(j, 1);
    for (int i = 0; i < n; ++i) a(i, j) = integral(j, c[i]);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a_hat(i, j) = b[j] * (1 - a(j, i) / b[i]);
  return {a.cast<double>(), a_hat.cast<double>(), b.cast<double>(), c.cast<double>()};
}

}  // namespace polhode
