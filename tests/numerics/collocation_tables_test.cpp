// The tables of polhode/method/gauss_tables.hpp and lobatto_tables.hpp in long double: the simplifying conditions B, C
// and D of collocation (Hairer, Lubich & Wanner 2006, sect. II.1.2), as far as they hold and no further; symmetry
// (Hairer 2003, Remark 3.3) and symplecticity (2.11).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "polhode/method/gauss_tables.hpp"
#include "polhode/method/lobatto_tables.hpp"

namespace polhode::test {
namespace {

using Number = long double;
using Table = ButcherTable<Number, max_gauss_stages>;
using Matrix = Number[max_gauss_stages][max_gauss_stages];

/// Sums of up to eight numbers below 1, each known to an ulp of 1e-19.
constexpr Number round_off = 2e-18L;

Table gauss(int s) { return gauss_table<Number>(s); }
Table lobatto(int s) { return widened<max_gauss_stages>(lobatto_table<Number>(s)); }

template <class Term>
Number sum(int s, const Term& term) {
  Number total = 0;
  for (int j = 0; j < s; ++j) total += term(j);
  return total;
}

/// EXPECT_NEAR would compare doubles.
void expect_same(Number a, Number b) { EXPECT_LT(std::abs(a - b), round_off) << a << " and " << b; }

/// Of b: sum of b_i c_i^(k-1) - 1/k.
Number defect_of_b(const Table& t, int k) {
  return sum(t.stages, [&](int i) { return t.b[i] * std::pow(t.c[i], Number(k - 1)); }) - 1 / Number(k);
}
/// Of rows of a matrix, the largest: sum over j of a_ij c_j^(k-1) - c_i^k/k.
Number defect_of_c(const Table& t, const Matrix& a, int k) {
  Number worst = 0;
  for (int i = 0; i < t.stages; ++i)
    worst = std::max(worst, std::abs(sum(t.stages, [&](int j) { return a[i][j] * std::pow(t.c[j], Number(k - 1)); }) -
                                     std::pow(t.c[i], Number(k)) / k));
  return worst;
}
/// Of columns: sum over i of b_i c_i^(k-1) a_ij - b_j (1 - c_j^k)/k.
Number defect_of_d(const Table& t, const Matrix& a, int k) {
  Number worst = 0;
  for (int j = 0; j < t.stages; ++j)
    worst = std::max(worst,
                     std::abs(sum(t.stages, [&](int i) { return t.b[i] * std::pow(t.c[i], Number(k - 1)) * a[i][j]; }) -
                              t.b[j] * (1 - std::pow(t.c[j], Number(k))) / k));
  return worst;
}

/// defect(k) vanishes up to k = most and not beyond.
template <class Defect>
void expect_up_to(int most, const Defect& defect, const std::string& what) {
  for (int k = 1; k <= most; ++k) EXPECT_LT(std::abs(defect(k)), round_off) << what << "(" << k << ")";
  // The smallest, of b for eight stages, is 3.5e-10.
  EXPECT_GT(std::abs(defect(most + 1)), 1e-10L) << what << "(" << most + 1 << ")";
}

TEST(GaussTables, AreCollocationAtTheNodesOfHighestOrder) {
  for (int s = 1; s <= 8; ++s) {
    SCOPED_TRACE(s);
    const Table t = gauss(s);
    ASSERT_EQ(t.stages, s);
    expect_up_to(
        2 * s, [&](int k) { return defect_of_b(t, k); }, "B");
    for (const Matrix* a : {&t.a, &t.a_hat}) {
      expect_up_to(
          s, [&](int k) { return defect_of_c(t, *a, k); }, "C");
      expect_up_to(
          s, [&](int k) { return defect_of_d(t, *a, k); }, "D");
    }
    // The error of the quadrature for x^(2s) is the integral of the square of Legendre's monic polynomial.
    const auto factorial = [](int n) { return std::tgamma(Number(n + 1)); };
    const Number error = std::pow(factorial(s), Number(4)) / ((2 * s + 1) * std::pow(factorial(2 * s), Number(2)));
    EXPECT_NEAR(-defect_of_b(t, 2 * s + 1) / error, 1, 2e-18L / error + 1e-15L);
  }
}

TEST(LobattoTables, AreThePairAtTheNodesWithBothEnds) {
  for (int s = 2; s <= 4; ++s) {
    SCOPED_TRACE(s);
    const Table t = lobatto(s);
    ASSERT_EQ(t.stages, s);
    EXPECT_EQ(t.c[0], 0);
    EXPECT_EQ(t.c[s - 1], 1);
    expect_up_to(
        2 * s - 2, [&](int k) { return defect_of_b(t, k); }, "B");
    expect_up_to(
        s, [&](int k) { return defect_of_c(t, t.a, k); }, "C of IIIA");
    expect_up_to(
        s - 2, [&](int k) { return defect_of_d(t, t.a, k); }, "D of IIIA");
    expect_up_to(
        s - 2, [&](int k) { return defect_of_c(t, t.a_hat, k); }, "C of IIIB");
    expect_up_to(
        s, [&](int k) { return defect_of_d(t, t.a_hat, k); }, "D of IIIB");
  }
}

/// Every table of both methods.
std::vector<std::pair<std::string, Table>> all_tables() {
  std::vector<std::pair<std::string, Table>> all;
  for (int s = 1; s <= 8; ++s) all.emplace_back("gauss " + std::to_string(s), gauss(s));
  for (int s = 2; s <= 4; ++s) all.emplace_back("lobatto " + std::to_string(s), lobatto(s));
  return all;
}

TEST(CollocationTables, AreSymmetric) {
  for (const auto& [name, t] : all_tables()) {
    SCOPED_TRACE(name);
    const int s = t.stages;
    for (int i = 0; i < s; ++i) {
      expect_same(t.c[i] + t.c[s - 1 - i], 1);
      expect_same(t.b[i], t.b[s - 1 - i]);
      for (int j = 0; j < s; ++j) {
        expect_same(t.a[i][j] + t.a[s - 1 - i][s - 1 - j], t.b[j]);
        expect_same(t.a_hat[i][j] + t.a_hat[s - 1 - i][s - 1 - j], t.b[j]);
      }
    }
  }
}

TEST(CollocationTables, AreSymplectic) {
  for (const auto& [name, t] : all_tables()) {
    SCOPED_TRACE(name);
    for (int i = 0; i < t.stages; ++i)
      for (int j = 0; j < t.stages; ++j) expect_same(t.b[i] * t.a_hat[i][j] + t.b[j] * t.a[j][i], t.b[i] * t.b[j]);
  }
  // Neither half of Lobatto's pair is symplectic by itself.
  for (int s = 2; s <= 4; ++s) {
    const Table t = lobatto(s);
    for (const Matrix* a : {&t.a, &t.a_hat}) {
      Number worst = 0;
      for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j)
          worst = std::max(worst, std::abs(t.b[i] * (*a)[i][j] + t.b[j] * (*a)[j][i] - t.b[i] * t.b[j]));
      EXPECT_GT(worst, 1e-3L) << s;
    }
  }
}

}  // namespace
}  // namespace polhode::test
