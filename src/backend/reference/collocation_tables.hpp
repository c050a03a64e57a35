// Tables of collocation methods, from their definition: a_ij is the integral of Lagrange's polynomial l_j from 0 to
// c_i, and b_j that to 1, at the zeros c of a Legendre polynomial (Gauss), or at 0, 1 and the zeros of the derivative
// of one (Lobatto IIIA). Lobatto IIIB is what makes the pair symplectic, b_i a^_ij + b_j a_ji = b_i b_j.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "polhode/method/coefficients.hpp"

namespace polhode {

struct CollocationTable {
  Eigen::MatrixXd a, a_hat;  ///< of positions, of momenta
  Eigen::VectorXd b, c;
};

/// P_n and its first two derivatives inside (-1, 1).
struct Legendre {
  double value, slope, curvature;

  Legendre(int n, double x) {
    double before = 0;
    value = 1;
    for (int k = 0; k < n; ++k) {
      const double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
      before = value;
      value = next;
    }
    slope = n * (before - x * value) / (1 - x * x);
    curvature = (2 * x * slope - n * (n + 1) * value) / (1 - x * x);
  }
};

/// The zeros of P_n on (0, 1), in order, and their weights.
inline void gauss_quadrature(int n, Eigen::VectorXd& nodes, Eigen::VectorXd& weights) {
  nodes.resize(n);
  weights.resize(n);
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    for (int k = 0; k < 10; ++k) x -= Legendre(n, x).value / Legendre(n, x).slope;
    const double slope = Legendre(n, x).slope;
    nodes[i] = (1 + x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/// 0, the zeros of P_(n-1)' on (0, 1), and 1.
inline Eigen::VectorXd lobatto_nodes(int n) {
  Eigen::VectorXd nodes(n);
  nodes[0] = 0;
  nodes[n - 1] = 1;
  for (int i = 1; i + 1 < n; ++i) {
    double x = -std::cos(std::numbers::pi * i / (n - 1));
    for (int k = 0; k < 10; ++k) x -= Legendre(n - 1, x).slope / Legendre(n - 1, x).curvature;
    nodes[i] = (1 + x) / 2;
  }
  return nodes;
}

inline CollocationTable collocation_table(const Coefficients& method) {
  const int n = method.stages;
  Eigen::VectorXd nodes, weights;
  gauss_quadrature(n, nodes, weights);
  CollocationTable table{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n), Eigen::VectorXd(n), nodes};
  if (method.rule == Rule::lobatto)
    table.c = lobatto_nodes(n);
  else if (method.rule != Rule::gauss)
    throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
  // Gauss's quadrature is exact for polynomials of that degree.
  const auto integral = [&](int j, double end) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      double lagrange = 1;
      for (int m = 0; m < n; ++m)
        if (m != j) lagrange *= (end * nodes[k] - table.c[m]) / (table.c[j] - table.c[m]);
      sum += weights[k] * lagrange;
    }
    return end * sum;
  };
  for (int j = 0; j < n; ++j) {
    table.b[j] = integral(j, 1);
    for (int i = 0; i < n; ++i) table.a(i, j) = integral(j, table.c[i]);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) table.a_hat(i, j) = table.b[j] * (1 - table.a(j, i) / table.b[i]);
  return table;
}

}  // namespace polhode
