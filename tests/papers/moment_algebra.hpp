// The moment algebras g_n and their groups G_n (McLachlan & Scovel 1995, sect. 4, Example 1). Elements of g_n are
// Hamiltonians h of degrees 2 to n on R^2d with the bracket P_n {f, h}, {f, h} = grad f . J grad h, or their fields
// X_h = J grad h. G_n lies in the space M of the polynomial maps of R^2d of degrees 1 to n - 1:
//
//     phi(A) = P_{n-2}(dA J dA^T - J) = 0,   which has the entries P_{n-2}({A_i, A_j} - J_ij), i < j
//
// P_k drops all terms of degrees above k. The product of A and B is P_{n-1}(A o B).
#pragma once

#include "numerics/dense.hpp"
#include "papers/polynomials.hpp"

namespace polhode::test {

inline double largest_entry(const Eigen::MatrixXd& a) { return a.cwiseAbs().maxCoeff(); }

/// A map is the vector [N] of its coefficients, component by component, each of x, y, x^2, xy, ...
class MomentAlgebra {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  using Polynomial = Polynomials::Polynomial;

  MomentAlgebra(int degrees_of_freedom, int degree)
      : d(degrees_of_freedom),
        n(degree),
        space(2 * d, n),
        terms(space.count(n - 1) - 1),
        maps(2 * d * terms),
        dimension(space.size() - space.count(1)),
        constraints(d * (2 * d - 1) * space.count(n - 2)) {}

  const int d, n;
  const Polynomials space;
  const int terms;        ///< of a component of a map
  const int maps;         ///< dimension N of M
  const int dimension;    ///< of g_n
  const int constraints;  ///< number of entries of phi

  Polynomial hamiltonian(int k) const { return space.monomial(space.count(1) + k); }
  Polynomial bracket(const Polynomial& f, const Polynomial& h) const {
    Polynomial sum = Polynomial::Zero(space.size());
    for (int i = 0; i < d; ++i)
      sum += space.product(space.derivative(f, i), space.derivative(h, i + d)) -
             space.product(space.derivative(f, i + d), space.derivative(h, i));
    return sum;
  }

  Polynomial component(const Vector& a, int i) const {
    Polynomial f = Polynomial::Zero(space.size());
    f.segment(1, terms) = a.segment(i * terms, terms);
    return f;
  }
  /// X_h.
  Vector field(const Polynomial& h) const {
    Vector x(maps);
    for (int i = 0; i < d; ++i) {
      x.segment(i * terms, terms) = space.derivative(h, i + d).segment(1, terms);
      x.segment((i + d) * terms, terms) = -space.derivative(h, i).segment(1, terms);
    }
    return x;
  }
  /// Fields of the monomials, in columns.
  Matrix fields() const {
    Matrix b(maps, dimension);
    for (int k = 0; k < dimension; ++k) b.col(k) = field(hamiltonian(k));
    return b;
  }
  Vector identity() const {
    Vector one = Vector::Zero(maps);
    for (int i = 0; i < 2 * d; ++i) one[i * terms + i] = 1;
    return one;
  }

  /// The linear map X -> P_{n-1}(X o A).
  Matrix right_translation(const Vector& a) const {
    const Matrix powers = powers_of(a);
    Matrix t = Matrix::Zero(maps, maps);
    for (int i = 0; i < 2 * d; ++i)
      t.block(i * terms, i * terms, terms, terms) = powers.block(1, 1, terms, terms).transpose();
    return t;
  }
  Vector composed(const Vector& x, const Vector& a) const { return product(right_translation(a), x); }
  /// P_{n-2}(f o A) of a function f of degree n - 2 or less.
  Polynomial composed_function(const Polynomial& f, const Vector& a) const {
    return space.cut(product(powers_of(a).transpose(), f), n - 2);
  }
  /// The linear map U -> P_{n-1}(dX(A) U), derivative of X o A by A.
  Matrix derivative_of_composed(const Vector& x, const Vector& a) const {
    const Matrix powers = powers_of(a);
    Matrix m(maps, maps);
    for (int i = 0; i < 2 * d; ++i)
      for (int k = 0; k < 2 * d; ++k) {
        const Polynomial at_a = product(powers.transpose(), space.derivative(component(x, i), k));
        for (int b = 0; b < terms; ++b)
          m.col(k * terms + b).segment(i * terms, terms) = space.product(space.monomial(1 + b), at_a).segment(1, terms);
      }
    return m;
  }

  /// phi(A).
  Vector constraint(const Vector& a) const { return pairing(a, a) - pairing(identity(), identity()); }
  /// dphi(A).
  Matrix constraint_jacobian(const Vector& a) const {
    Matrix g(constraints, maps);
    for (int k = 0; k < maps; ++k) {
      const Vector along = Vector::Unit(maps, k);
      g.col(k) = pairing(along, a) + pairing(a, along);
    }
    return g;
  }
  /// P_{n-2}(phi o A) of values phi of the constraint, which are functions.
  Vector constraint_composed(const Vector& phi, const Vector& a) const {
    const int size = space.count(n - 2);
    Vector values(constraints);
    for (int k = 0; k < constraints; k += size) {
      Polynomial f = Polynomial::Zero(space.size());
      f.head(size) = phi.segment(k, size);
      values.segment(k, size) = composed_function(f, a).head(size);
    }
    return values;
  }

  /// A group element: q -> q + grad f(p) after p -> p - grad g(q), for the terms of f in p alone and of g in q alone of
  /// a Hamiltonian.
  Vector shears(const Polynomial& h) const {
    Polynomial of_q = Polynomial::Zero(space.size()), of_p = of_q;
    for (int k = space.count(1); k < space.size(); ++k) {
      int in_q = 0, in_p = 0;
      for (int i = 0; i < d; ++i) in_q += space.exponent(k, i), in_p += space.exponent(k, i + d);
      if (in_p == 0) of_q[k] = h[k];
      if (in_q == 0) of_p[k] = h[k];
    }
    return composed(identity() + field(of_p), identity() + field(of_q));
  }

 private:
  /// Coefficients of P_{n-1}(A^alpha), one row for each monomial alpha of at most that degree, 1 too; other rows are 0.
  Matrix powers_of(const Vector& a) const {
    Matrix rows = Matrix::Zero(space.size(), space.size());
    rows(0, 0) = 1;
    for (int k = 1; k <= terms; ++k) {
      int variable = 0;
      while (space.exponent(k, variable) == 0) ++variable;
      const Polynomial rest = rows.row(space.quotient(k, variable)).transpose();
      rows.row(k) = space.cut(space.product(component(a, variable), rest), n - 1).transpose();
    }
    return rows;
  }
  /// P_{n-2} {A_i, B_j}, i < j.
  Vector pairing(const Vector& a, const Vector& b) const {
    const int size = space.count(n - 2);
    Vector values(constraints);
    int row = 0;
    for (int i = 0; i < 2 * d; ++i)
      for (int j = i + 1; j < 2 * d; ++j, row += size)
        values.segment(row, size) = bracket(component(a, i), component(b, j)).head(size);
    return values;
  }
};

}  // namespace polhode::test
