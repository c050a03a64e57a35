// Power series in several variables, truncated at a total degree: values with all their derivatives up to it, exact but
// for round-off. In place of differences of small steps, which lose half of the digits with each derivative.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polhode::test {

/// Numbers of the variables in a monomial.
template <int variables>
using Exponents = std::array<std::uint8_t, variables>;

/// Monomials up to a total degree, in the order of their degrees, and how they multiply.
template <int variables, int degree>
class Monomials {
 public:
  std::vector<Exponents<variables>> all;
  /// products[a][b]: index of the product of two, for all b that have one.
  std::vector<std::vector<short>> products;

  static const Monomials& instance() {
    static const Monomials monomials;
    return monomials;
  }
  static constexpr int size() {
    std::int64_t binomial = 1;
    for (int k = 1; k <= degree; ++k) binomial = binomial * (variables + k) / k;
    return static_cast<int>(binomial);
  }
  static int total(const Exponents<variables>& exponents) {
    int sum = 0;
    for (const int exponent : exponents) sum += exponent;
    return sum;
  }
  /// Index of a monomial, -1 where its degree is too high.
  int find(const Exponents<variables>& exponents) const {
    if (total(exponents) > degree) return -1;
    return index_[key(exponents)];
  }

 private:
  Monomials() {
    int keys = 1;
    for (int k = 0; k < variables; ++k) keys *= degree + 1;
    index_.assign(keys, -1);
    for (int of_degree = 0; of_degree <= degree; ++of_degree) append({}, 0, of_degree);
    products.resize(size());
    for (int a = 0; a < size(); ++a)
      for (int b = 0; b < size() && total(all[a]) + total(all[b]) <= degree; ++b) {
        Exponents<variables> sum = all[a];
        for (int k = 0; k < variables; ++k) sum[k] += all[b][k];
        products[a].push_back(static_cast<short>(find(sum)));
      }
  }
  void append(Exponents<variables> exponents, int variable, int left) {
    if (variable == variables - 1) {
      exponents[variable] = left;
      index_[key(exponents)] = static_cast<int>(all.size());
      all.push_back(exponents);
      return;
    }
    for (int exponent = left; exponent >= 0; --exponent) {
      exponents[variable] = exponent;
      append(exponents, variable + 1, left - exponent);
    }
  }
  static int key(const Exponents<variables>& exponents) {
    int key = 0;
    for (const int exponent : exponents) key = key * (degree + 1) + exponent;
    return key;
  }

  std::vector<int> index_;
};

template <int variables, int degree>
class PowerSeries {
  using Table = Monomials<variables, degree>;

 public:
  PowerSeries() = default;
  PowerSeries(double constant) { c_[0] = constant; }
  /// The k-th variable, counted from a value.
  static PowerSeries variable(double value, int k) {
    PowerSeries x(value);
    x.c_[1 + k] = 1;
    return x;
  }

  double value() const { return c_[0]; }
  double coefficient(const Exponents<variables>& exponents) const { return c_[Table::instance().find(exponents)]; }
  /// The derivative along the k-th variable at the point; it is that of this series, too.
  double slope(int k) const { return c_[1 + k]; }

  /// The derivative along the k-th variable; one degree is lost.
  PowerSeries derivative(int k) const {
    const Table& table = Table::instance();
    PowerSeries d;
    for (int i = 1; i < Table::size(); ++i) {
      Exponents<variables> lower = table.all[i];
      if (lower[k] == 0) continue;
      const double factor = lower[k]--;
      d.c_[table.find(lower)] = factor * c_[i];
    }
    return d;
  }
  /// Coefficient of a power of the k-th variable, a series in the others.
  PowerSeries part(int k, int power) const {
    const Table& table = Table::instance();
    PowerSeries of_others;
    for (int i = 0; i < Table::size(); ++i) {
      Exponents<variables> others = table.all[i];
      if (others[k] != power) continue;
      others[k] = 0;
      of_others.c_[table.find(others)] = c_[i];
    }
    return of_others;
  }
  /// Cofactor of the k-th variable; one degree is lost. Terms without it are left out.
  PowerSeries divided_by(int k) const {
    const Table& table = Table::instance();
    PowerSeries quotient;
    for (int i = 0; i < Table::size(); ++i) {
      Exponents<variables> lower = table.all[i];
      if (lower[k]-- > 0) quotient.c_[table.find(lower)] = c_[i];
    }
    return quotient;
  }

  PowerSeries& operator+=(const PowerSeries& b) {
    for (int i = 0; i < Table::size(); ++i) c_[i] += b.c_[i];
    return *this;
  }
  PowerSeries& operator-=(const PowerSeries& b) {
    for (int i = 0; i < Table::size(); ++i) c_[i] -= b.c_[i];
    return *this;
  }
  PowerSeries& operator*=(double factor) {
    for (double& c : c_) c *= factor;
    return *this;
  }
  friend PowerSeries operator+(PowerSeries a, const PowerSeries& b) { return a += b; }
  friend PowerSeries operator-(PowerSeries a, const PowerSeries& b) { return a -= b; }
  friend PowerSeries operator-(PowerSeries a) { return a *= -1; }
  friend PowerSeries operator*(PowerSeries a, double factor) { return a *= factor; }
  friend PowerSeries operator*(double factor, PowerSeries a) { return a *= factor; }
  friend PowerSeries operator*(const PowerSeries& a, const PowerSeries& b) {
    PowerSeries c;
    for (int i = 0; i < Table::size(); ++i) {
      if (a.c_[i] == 0) continue;  // most are, in variables and in series of low degree
      const auto& products = Table::instance().products[i];
      for (std::size_t j = 0; j < products.size(); ++j) c.c_[products[j]] += a.c_[i] * b.c_[j];
    }
    return c;
  }
  friend PowerSeries operator/(const PowerSeries& a, const PowerSeries& b) {
    PowerSeries inverse(1 / b.value());
    for (int exact = 1; exact <= degree; exact *= 2) inverse = inverse * (2 - b * inverse);
    return a * inverse;
  }

 private:
  std::array<double, Table::size()> c_{};
};

}  // namespace polhode::test
