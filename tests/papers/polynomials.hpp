// Polynomials of several variables up to a degree, and their algebra.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <map>
#include <vector>

namespace polhode::test {

/// Polynomials of some variables, cut at a degree. One is the vector of its coefficients of all monomials, which are
/// ordered by degree and then by the exponents, larger first: 1, x, y, x^2, xy, y^2, ...
class Polynomials {
 public:
  using Polynomial = Eigen::VectorXd;

  Polynomials(int variables, int degree) {
    Exponents none(static_cast<std::size_t>(variables), 0);
    for (int k = 0; k <= degree; ++k) {
      append(none, 0, k);
      counts_.push_back(size());
    }
    product_.setConstant(size(), size(), -1);
    for (int a = 0; a < size(); ++a)
      for (int b = 0; b < size(); ++b) product_(a, b) = index_of(sum(monomials_[a], monomials_[b]));
  }

  int size() const { return static_cast<int>(monomials_.size()); }
  /// Number of monomials of at most this degree.
  int count(int degree) const { return degree < 0 ? 0 : counts_[degree]; }
  /// Exponent of a variable in a monomial.
  int exponent(int monomial, int variable) const { return monomials_[monomial][variable]; }

  /// Monomial over a variable that is in it.
  int quotient(int monomial, int variable) const {
    Exponents lower = monomials_[monomial];
    --lower[variable];
    return index_of(lower);
  }

  Polynomial monomial(int k) const { return Polynomial::Unit(size(), k); }
  Polynomial product(const Polynomial& f, const Polynomial& g) const {
    Polynomial h = Polynomial::Zero(size());
    for (int a = 0; a < size(); ++a) {
      if (f[a] == 0) continue;
      for (int b = 0; b < size(); ++b)
        if (product_(a, b) >= 0) h[product_(a, b)] += f[a] * g[b];
    }
    return h;
  }
  Polynomial derivative(const Polynomial& f, int variable) const {
    Polynomial h = Polynomial::Zero(size());
    for (int a = 0; a < size(); ++a)
      if (exponent(a, variable) > 0) h[quotient(a, variable)] = f[a] * exponent(a, variable);
    return h;
  }
  /// Terms of at most this degree.
  Polynomial cut(const Polynomial& f, int degree) const {
    Polynomial h = f;
    h.tail(size() - count(degree)).setZero();
    return h;
  }

 private:
  using Exponents = std::vector<int>;

  void append(Exponents& exponents, std::size_t variable, int degree) {
    if (variable + 1 == exponents.size()) {
      exponents[variable] = degree;
      places_[exponents] = size();
      monomials_.push_back(exponents);
      return;
    }
    for (int k = degree; k >= 0; --k) {
      exponents[variable] = k;
      append(exponents, variable + 1, degree - k);
    }
  }
  static Exponents sum(Exponents a, const Exponents& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
  }
  int index_of(const Exponents& exponents) const {
    const auto place = places_.find(exponents);
    return place == places_.end() ? -1 : place->second;
  }

  std::vector<Exponents> monomials_;
  std::map<Exponents, int> places_;
  std::vector<int> counts_;
  Eigen::MatrixXi product_;
};

}  // namespace polhode::test
