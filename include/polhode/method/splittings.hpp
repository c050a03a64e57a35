// Splittings of the flow of H = T + V into kicks by the potential V and drifts, the free motion by T, over fractions of
// the step in turn. All are symmetric; of the kicks and of the drifts a half is stored, including the middle one where
// there is one.
//
// Those for Runge-Kutta-Nystroem problems (srkn) have their order where T is quadratic in the momenta, because
// [V, [V, [V, T]]] = 0 then: in canonical systems of constant mass, and for bodies with the free rotation as the drift.
// tests/numerics/splitting_tables_test.cpp checks the order conditions.
#pragma once

#include <span>

#include "polhode/method/compositions.hpp"

namespace polhode {

struct SplittingTable {
  const char* name;
  const char* source;  ///< key of its publication
  int order;
  bool kick_first;  ///< begins and ends with a kick, or with a drift
  std::span<const long double> kicks, drifts;

  /// Numbers of kicks and drifts of a step: they take turns.
  constexpr int n_drifts() const { return static_cast<int>(kicks.size() + drifts.size()) - (kick_first ? 1 : 0); }
  constexpr int n_kicks() const { return kick_first ? n_drifts() + 1 : n_drifts() - 1; }
};

namespace splittings {

inline constexpr long double strang_kicks[] = {0.5L}, strang_drifts[] = {1};

// The composition of that name, of a kick and a drift with a drift and a kick.
inline constexpr auto& pairs = compositions::mclachlan4_alternating;
inline constexpr long double mclachlan4_kicks[] = {pairs[0], pairs[1] + pairs[2], pairs[3] + pairs[4]},
                             mclachlan4_drifts[] = {pairs[0] + pairs[1], pairs[2] + pairs[3], 2 * pairs[4]};

// Blanes & Moan print 15 digits; these meet the order conditions to 34, with the free coefficients as printed: the
// others move by less than 6e-15.
inline constexpr long double srkn4_kicks[] = {0.0829844064174052L, 0.396309801498368428902117751113069960L,
                                              -0.0390563049223486L, 0.119524194013149942195764497773860079L},
                             srkn4_drifts[] = {0.245298957184271368580497378636833366L, 0.604872665711080L,
                                               -0.350171622895351368580497378636833366L};
inline constexpr long double srkn6_11b_kicks[] = {0.0414649985182624L,
                                                  0.198128671918064870346657575342399127L,
                                                  -0.0400061921041533L,
                                                  0.075253984301580778126299661560236988L,
                                                  -0.011511387420687639473268878417543928L,
                                                  0.236669924786932891000311641514907813L},
                             srkn6_11b_drifts[] = {
                                 0.123229775946269916069609790651780220L,  0.290553797799558L,
                                 -0.127049212625416291007258090332867141L, -0.246331761062075L,
                                 0.357208872795926472585118470141615005L,  0.204777054291473804705059659078943832L};
inline constexpr long double srkn6_14a_drifts[] = {0.03785931984061157L,
                                                   0.102635633102434783549285061987918628L,
                                                   -0.02586788826655869L,
                                                   0.314241403071445830521806054986148884L,
                                                   -0.130144459517409527646282225726905232L,
                                                   0.106417700369536897818489330662184648L,
                                                   -0.008794243128510581L,
                                                   0.207305069056899433513403556181306143L},
                             srkn6_14a_kicks[] = {0.09171915262446165L,
                                                  0.183983170005006L,
                                                  -0.05653436583288827L,
                                                  0.004914688774712854L,
                                                  0.143761127168361540456570225674374460L,
                                                  0.328567693746803699422013433055061560L,
                                                  -0.196411466486457473878583658729436020L};
// Table 4, of 19 stages, to the 30 digits printed.
inline constexpr long double srkn8_19a_drifts[] = {0.0505805L,
                                                   0.149999L,
                                                   -0.055179551077161557351102695036131488L,
                                                   0.423755898835337951482264998050611178L,
                                                   -0.213495353584659048059672194632562351L,
                                                   -0.068076977457403261911163073627363750L,
                                                   0.227917056974013435948887201670676398L,
                                                   -0.235373619381058906524740047731515869L,
                                                   0.387413869179878047816794031058051050L,
                                                   -0.167540823488946661401268219751765169L},
                             srkn8_19a_kicks[] = {
                                 0.129478606560536730662493794394516674L,  0.222257260092671143423043559580594010L,
                                 -0.057751489332514720475702324632021857L, -0.057831226210392491022134503276321496L,
                                 0.103087297437175356747933252265477977L,  -0.140819612554090768205554103886795475L,
                                 0.023446260349282627669971371862644288L,  0.134854517356684096617882205067902309L,
                                 0.028797382107377930634517216021121136L,  0.228962008386540187895099065205764868L};

}  // namespace splittings

inline constexpr SplittingTable splitting_tables[] = {
    {"srkn6-14a", "BlanesMoan2002", 6, false, splittings::srkn6_14a_kicks, splittings::srkn6_14a_drifts},
    {"srkn6-11b", "BlanesMoan2002", 6, true, splittings::srkn6_11b_kicks, splittings::srkn6_11b_drifts},
    {"srkn8-19a", "BlanesCasasEscorihuela2022", 8, false, splittings::srkn8_19a_kicks, splittings::srkn8_19a_drifts},
    {"srkn4", "BlanesMoan2002", 4, true, splittings::srkn4_kicks, splittings::srkn4_drifts},
    {"mclachlan4", "McLachlan1995", 4, true, splittings::mclachlan4_kicks, splittings::mclachlan4_drifts},
    {"strang", "Strang1968", 2, true, splittings::strang_kicks, splittings::strang_drifts},
};

}  // namespace polhode
