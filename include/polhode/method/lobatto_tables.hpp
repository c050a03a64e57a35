// Tables of the Lobatto IIIA-IIIB pairs with 2 to 4 stages: a is IIIA, collocation at the zeros of a derivative of
// (x^2 - x)^(s - 1) for positions, a_hat is IIIB, for momenta (Hairer, Lubich & Wanner 2006, sects. II.1.4 and II.2.2).
// Host only.
#pragma once

#include "polhode/method/butcher_table.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr long double root_of_five = 2.23606797749978969640917366873127623544L;

/// stages: 2, 3 or 4.
template <class R>
ButcherTable<R, 4> lobatto_table(int stages) {
  constexpr long double root = root_of_five;
  /// Numerators over a common denominator.
  struct Numerators {
    int denominator;
    long double a[4][4], a_hat[4][4], b[4], c[4];
  };
  static constexpr Numerators two{2, {{0, 0}, {1, 1}}, {{1, 0}, {1, 0}}, {1, 1}, {0, 2}};
  static constexpr Numerators three{
      24, {{0, 0, 0}, {5, 8, -1}, {4, 16, 4}}, {{4, -4, 0}, {4, 8, 0}, {4, 20, 0}}, {4, 16, 4}, {0, 12, 24}};
  static constexpr Numerators four{120,
                                   {{0, 0, 0, 0},
                                    {11 + root, 25 - root, 25 - 13 * root, -1 + root},
                                    {11 - root, 25 + 13 * root, 25 + root, -1 - root},
                                    {10, 50, 50, 10}},
                                   {{10, -5 - 5 * root, -5 + 5 * root, 0},
                                    {10, 25 + root, 25 - 13 * root, 0},
                                    {10, 25 + 13 * root, 25 - root, 0},
                                    {10, 55 - 5 * root, 55 + 5 * root, 0}},
                                   {10, 50, 50, 10},
                                   {0, 60 - 12 * root, 60 + 12 * root, 120}};
  const Numerators& of = stages == 2 ? two : stages == 3 ? three : four;
  ButcherTable<R, 4> table;
  table.stages = stages;
  const auto value = [&](long double numerator) { return static_cast<R>(numerator / of.denominator); };
  for (int i = 0; i < stages; ++i) {
    table.b[i] = value(of.b[i]);
    table.c[i] = value(of.c[i]);
    for (int j = 0; j < stages; ++j) {
      table.a[i][j] = value(of.a[i][j]);
      table.a_hat[i][j] = value(of.a_hat[i][j]);
    }
  }
  return table;
}

}  // namespace polhode::inline POLHODE_ISA
