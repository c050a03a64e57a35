// Explicit Runge-Kutta methods by name. tests/numerics/explicit_tables_test.cpp checks the conditions of order.
//
// A stage that serves the estimate of an error alone is left out: the seventh of Dormand and Prince's order 5, and the
// one of Verner's eight on which the solution of order 6 does not depend, whose weight and later a_ij are 0. Of
// Dormand and Prince's order 8 there are the twelve stages and weights of the solution of order 8.
#pragma once

#include <string_view>

#include "polhode/method/explicit_table.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode {

struct NamedExplicitTable {
  const char* name;
  const char* source;  ///< key of its publication
  ExplicitTable table;
};

namespace explicit_methods {

inline constexpr ExplicitTable euler{.stages = 1, .b = {1}};
inline constexpr ExplicitTable heun{.stages = 2, .a = {{}, {1}}, .b = {0.5, 0.5}};
inline constexpr ExplicitTable midpoint{.stages = 2, .a = {{}, {0.5}}, .b = {0, 1}};
inline constexpr ExplicitTable kutta3{.stages = 3, .a = {{}, {0.5}, {-1, 2}}, .b = {1. / 6, 2. / 3, 1. / 6}};
inline constexpr ExplicitTable rk4{
    .stages = 4, .a = {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6}};
// Dormand & Prince 1980, RK5(4)7M; Hairer, Norsett & Wanner 1993, Table II.5.2.
inline constexpr ExplicitTable dopri5{.stages = 6,
                                      .a = {{},
                                            {1. / 5},
                                            {3. / 40, 9. / 40},
                                            {44. / 45, -56. / 15, 32. / 9},
                                            {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                            {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}},
                                      .b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
// Verner 1978, the pair of orders 6 and 5 of the code DVERK, without its sixth stage.
inline constexpr ExplicitTable verner6{
    .stages = 7,
    .a = {{},
          {1. / 6},
          {4. / 75, 16. / 75},
          {5. / 6, -8. / 3, 5. / 2},
          {-165. / 64, 55. / 6, -425. / 64, 85. / 96},
          {-8263. / 15000, 124. / 75, -643. / 680, -81. / 250, 2484. / 10625},
          {3501. / 1720, -300. / 43, 297275. / 52632, -319. / 2322, 24068. / 84065, 3850. / 26703}},
    .b = {3. / 40, 0, 875. / 2244, 23. / 72, 264. / 1955, 125. / 11592, 43. / 616}};
// Hairer, Norsett & Wanner 1993, sect. II.5 and the code DOP853.
inline constexpr ExplicitTable dop853{
    .stages = 12,
    .a = {{},
          {5.26001519587677318785587544488e-2},
          {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
          {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
          {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
           9.24834003261792003115737966543e-1},
          {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1,
           1.25467687566822425016691814123e-1},
          {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -1.7578125e-2},
          {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
           1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3},
          {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
           -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1,
           -4.34898841810699588477366255144e1},
          {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
           -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1,
           -3.32882109689848629194453265587e1, -2.03312017085086261358222928593e-2},
          {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
           -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
           2.49360555267965238987089396762, -3.0467644718982195003823669022},
          {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
           -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
           -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1}},
    .b = {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
          1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
          -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2}};

}  // namespace explicit_methods

inline constexpr NamedExplicitTable explicit_tables[] = {
    {"euler", "HairerLubichWanner2006", explicit_methods::euler},
    {"heun", "HairerLubichWanner2006", explicit_methods::heun},
    {"midpoint", "HairerLubichWanner2006", explicit_methods::midpoint},
    {"kutta3", "Kutta1901", explicit_methods::kutta3},
    {"rk4", "Kutta1901", explicit_methods::rk4},
    {"dopri5", "DormandPrince1980", explicit_methods::dopri5},
    {"verner6", "Verner1978", explicit_methods::verner6},
    {"dop853", "HairerNorsettWanner1993", explicit_methods::dop853},
};
inline constexpr int default_explicit_table = 4;
static_assert(std::string_view(explicit_tables[default_explicit_table].name) == "rk4");

inline namespace POLHODE_ISA {

/// Table as a type, which a step map takes.
template <int index>
struct NamedTable {
  static constexpr ExplicitTable value = explicit_tables[index].table;
};
using DefaultTable = NamedTable<default_explicit_table>;

/// Whether steps of a method of that order are so long that a section may be crossed twice in one.
constexpr bool has_long_explicit_steps(int order) { return order >= 5; }
/// Whether those of a table may be: no method of order 5 has fewer stages than 6.
constexpr bool may_have_long_explicit_steps(const ExplicitTable& table) { return table.stages >= 6; }

}  // namespace POLHODE_ISA
}  // namespace polhode
