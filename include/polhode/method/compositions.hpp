// Compositions of a step map over fractions of the step, of higher order than the map.
//
// For a symmetric map Phi of order 2 a step is Phi(gamma_s h) ... Phi(gamma_1 h). For a map of order 1 a fraction gamma
// is the map over gamma / 2 followed by its adjoint over gamma / 2, which is symmetric; a table with fractions for map
// and adjoint in turn takes precedence. All sequences are palindromic, and only a half is stored: gamma_1, ..., gamma_m
// of 2 m - 1, including the middle, or the first half of the alternating fractions, which begin with the map.
// tests/numerics/composition_tables_test.cpp checks the order conditions.
#pragma once

#include <span>

namespace polhode {

/// Largest number of fractions that a user may give.
inline constexpr int max_fractions = 64;

struct CompositionTable {
  const char* name;
  const char* source;  ///< key of its publication
  int order;
  std::span<const long double> fractions;    ///< for a symmetric map
  std::span<const long double> alternating;  ///< for a map and its adjoint in turn; may be empty
};

namespace compositions {

// 1 / (2 - 2^(1/3)).
inline constexpr long double yoshida4[] = {1.35120719195965763404768780897146L, -1.70241438391931526809537561794292L};
// 1 / (4 - 4^(1/3)).
inline constexpr long double suzuki4[] = {0.414490771794375737142354062860761L, 0.414490771794375737142354062860761L,
                                          -0.657963087177502948569416251443043L};
// gamma_1 = 0.28; gamma_2 to more digits than printed, from the sum of cubes.
inline constexpr long double mclachlan4[] = {0.28L, 0.625466428467670045012338905492649L,
                                             -0.810932856935340090024677810985298L};
// (14 - r) / 108, (146 + 5 r) / 540, (-23 - 20 r) / 270, (-2 + 10 r) / 135, 1 / 5 with r = sqrt(19).
inline constexpr long double mclachlan4_alternating[] = {
    0.0892694542264752448866946112606L, 0.310730545773524755113305388739L, -0.408066588410420263128665332138L,
    0.308066588410420263128665332138L, 0.2L};
inline constexpr long double kahan_li6[] = {0.39216144400731413927925056L, 0.33259913678935943859974864L,
                                            -0.70624617255763935980996482L, 0.08221359629355080023149045L,
                                            0.79854399093482996339895035L};
inline constexpr long double kahan_li8[] = {
    0.13020248308889008087881763L, 0.56116298177510838456196441L,  -0.38947496264484728640807860L,
    0.15884190655515560089621075L, -0.39590389413323757733623154L, 0.18453964097831570709183254L,
    0.25837438768632204729397911L, 0.29501172360931029887096624L,  -0.60550853383003451169892108L};
inline constexpr long double sofroniou_spaletta10[] = {
    0.07879572252168641926390768L,  0.31309610341510852776481247L,  0.02791838323507806610952027L,
    -0.22959284159390709415121340L, 0.13096206107716486317465686L,  -0.26973340565451071434460973L,
    0.07497334315589143566613711L,  0.11199342399981020488957508L,  0.36613344954622675119314812L,
    -0.39910563013603589787862981L, 0.10308739852747107731580277L,  0.41143087395589023782070412L,
    -0.00486636058313526176219566L, -0.39203335370863990644808194L, 0.05194250296244964703718290L,
    0.05066509075992449633587434L,  0.04967437063972987905456880L,  0.04931773575959453791768001L};

}  // namespace compositions

inline constexpr CompositionTable composition_tables[] = {
    {"yoshida4", "Yoshida1990", 4, compositions::yoshida4, {}},
    {"suzuki4", "Suzuki1990", 4, compositions::suzuki4, {}},
    {"mclachlan4", "McLachlan1995", 4, compositions::mclachlan4, compositions::mclachlan4_alternating},
    {"kahan-li6", "KahanLi1997", 6, compositions::kahan_li6, {}},
    {"kahan-li8", "KahanLi1997", 8, compositions::kahan_li8, {}},
    {"sofroniou-spaletta10", "SofroniouSpaletta2005", 10, compositions::sofroniou_spaletta10, {}},
};

}  // namespace polhode
