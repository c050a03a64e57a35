// Publications that systems, methods and compositions are taken from, as `polhode cite` prints them. A system or a
// method may have one of its own beside it.
#pragma once

#include <span>

namespace polhode {

struct Publication {
  const char* key;
  const char* bibtex;  ///< the entry, with this key
};

/// Constants with static storage, e.g. static constexpr const Publication* sources[] = {&publications::...}.
using Sources = std::span<const Publication* const>;

namespace publications {

inline constexpr Publication andersen_1983{"Andersen1983", R"(@article{Andersen1983,
  author  = {Andersen, Hans C.},
  title   = {Rattle: A ``velocity'' version of the {Shake} algorithm for molecular dynamics calculations},
  journal = {Journal of Computational Physics},
  volume  = {52},
  pages   = {24--34},
  year    = {1983},
  doi     = {10.1016/0021-9991(83)90014-1}
})"};

inline constexpr Publication blanes_casas_escorihuela_2022{"BlanesCasasEscorihuela2022",
                                                           R"(@misc{BlanesCasasEscorihuela2022,
  author = {Blanes, Sergio and Casas, Fernando and Escorihuela-Tom{\`a}s, Alejandro},
  title  = {{Runge-Kutta-Nystr{\"o}m} symplectic splitting methods of order 8},
  year   = {2022},
  note   = {arXiv:2202.01541}
})"};

inline constexpr Publication blanes_casas_murua_2024{"BlanesCasasMurua2024", R"(@article{BlanesCasasMurua2024,
  author  = {Blanes, Sergio and Casas, Fernando and Murua, Ander},
  title   = {Splitting methods for differential equations},
  journal = {Acta Numerica},
  volume  = {33},
  pages   = {1--161},
  year    = {2024},
  doi     = {10.1017/S0962492923000077}
})"};

inline constexpr Publication blanes_moan_2002{"BlanesMoan2002", R"(@article{BlanesMoan2002,
  author  = {Blanes, Sergio and Moan, Per Christian},
  title   = {Practical symplectic partitioned {Runge-Kutta} and {Runge-Kutta-Nystr{\"o}m} methods},
  journal = {Journal of Computational and Applied Mathematics},
  volume  = {142},
  pages   = {313--330},
  year    = {2002},
  doi     = {10.1016/S0377-0427(01)00492-7}
})"};

inline constexpr Publication channell_scovel_1991{"ChannellScovel1991", R"(@article{ChannellScovel1991,
  author  = {Channell, P. J. and Scovel, J. C.},
  title   = {Integrators for {Lie-Poisson} dynamical systems},
  journal = {Physica D},
  volume  = {50},
  pages   = {80--88},
  year    = {1991},
  doi     = {10.1016/0167-2789(91)90081-J}
})"};

inline constexpr Publication ge_marsden_1988{"GeMarsden1988", R"(@article{GeMarsden1988,
  author  = {Ge, Zhong and Marsden, Jerrold E.},
  title   = {{Lie-Poisson Hamilton-Jacobi} theory and {Lie-Poisson} integrators},
  journal = {Physics Letters A},
  volume  = {133},
  pages   = {134--139},
  year    = {1988},
  doi     = {10.1016/0375-9601(88)90773-6}
})"};

inline constexpr Publication feng_1986{"Feng1986", R"(@article{Feng1986,
  author  = {Feng, Kang},
  title   = {Difference schemes for {Hamiltonian} formalism and symplectic geometry},
  journal = {Journal of Computational Mathematics},
  volume  = {4},
  pages   = {279--289},
  year    = {1986}
})"};

inline constexpr Publication hairer_2003{"Hairer2003", R"(@article{Hairer2003,
  author  = {Hairer, Ernst},
  title   = {Global modified {Hamiltonian} for constrained symplectic integrators},
  journal = {Numerische Mathematik},
  volume  = {95},
  pages   = {325--336},
  year    = {2003},
  doi     = {10.1007/s00211-002-0428-7}
})"};

inline constexpr Publication hairer_lubich_wanner_2006{"HairerLubichWanner2006", R"(@book{HairerLubichWanner2006,
  author    = {Hairer, Ernst and Lubich, Christian and Wanner, Gerhard},
  title     = {Geometric Numerical Integration: Structure-Preserving Algorithms for Ordinary Differential Equations},
  edition   = {2},
  publisher = {Springer},
  year      = {2006},
  doi       = {10.1007/3-540-30666-8}
})"};

inline constexpr Publication jalnapurkar_2006{"JalnapurkarLeokMarsdenWest2006",
                                              R"(@article{JalnapurkarLeokMarsdenWest2006,
  author  = {Jalnapurkar, Sameer M. and Leok, Melvin and Marsden, Jerrold E. and West, Matthew},
  title   = {Discrete {Routh} reduction},
  journal = {Journal of Physics A: Mathematical and General},
  volume  = {39},
  pages   = {5521--5544},
  year    = {2006},
  doi     = {10.1088/0305-4470/39/19/S12}
})"};

inline constexpr Publication kahan_li_1997{"KahanLi1997", R"(@article{KahanLi1997,
  author  = {Kahan, William and Li, Ren-Cang},
  title   = {Composition constants for raising the orders of unconventional schemes for ordinary differential equations},
  journal = {Mathematics of Computation},
  volume  = {66},
  pages   = {1089--1099},
  year    = {1997},
  doi     = {10.1090/S0025-5718-97-00873-9}
})"};

inline constexpr Publication mclachlan_1993{"McLachlan1993", R"(@article{McLachlan1993,
  author  = {McLachlan, Robert I.},
  title   = {Explicit {Lie-Poisson} integration and the {Euler} equations},
  journal = {Physical Review Letters},
  volume  = {71},
  pages   = {3043--3046},
  year    = {1993},
  doi     = {10.1103/PhysRevLett.71.3043}
})"};

inline constexpr Publication mclachlan_1995{"McLachlan1995", R"(@article{McLachlan1995,
  author  = {McLachlan, Robert I.},
  title   = {On the numerical integration of ordinary differential equations by symmetric composition methods},
  journal = {SIAM Journal on Scientific Computing},
  volume  = {16},
  pages   = {151--168},
  year    = {1995},
  doi     = {10.1137/0916010}
})"};

inline constexpr Publication mclachlan_scovel_1995{"McLachlanScovel1995", R"(@article{McLachlanScovel1995,
  author  = {McLachlan, Robert I. and Scovel, Clint},
  title   = {Equivariant constrained symplectic integration},
  journal = {Journal of Nonlinear Science},
  volume  = {5},
  pages   = {233--256},
  year    = {1995},
  doi     = {10.1007/BF01212956}
})"};

inline constexpr Publication miyamoto_kollman_1992{"MiyamotoKollman1992", R"(@article{MiyamotoKollman1992,
  author  = {Miyamoto, Shuichi and Kollman, Peter A.},
  title   = {{SETTLE}: An analytical version of the {SHAKE} and {RATTLE} algorithm for rigid water models},
  journal = {Journal of Computational Chemistry},
  volume  = {13},
  pages   = {952--962},
  year    = {1992},
  doi     = {10.1002/jcc.540130805}
})"};

inline constexpr Publication moser_veselov_1991{"MoserVeselov1991", R"(@article{MoserVeselov1991,
  author  = {Moser, J{\"u}rgen and Veselov, Alexander P.},
  title   = {Discrete versions of some classical integrable systems and factorization of matrix polynomials},
  journal = {Communications in Mathematical Physics},
  volume  = {139},
  pages   = {217--243},
  year    = {1991},
  doi     = {10.1007/BF02352494}
})"};

inline constexpr Publication reich_1994{"Reich1994", R"(@article{Reich1994,
  author  = {Reich, Sebastian},
  title   = {Momentum conserving symplectic integrators},
  journal = {Physica D},
  volume  = {76},
  pages   = {375--383},
  year    = {1994},
  doi     = {10.1016/0167-2789(94)90046-9}
})"};

inline constexpr Publication ryckaert_1977{"RyckaertCiccottiBerendsen1977", R"(@article{RyckaertCiccottiBerendsen1977,
  author  = {Ryckaert, Jean-Paul and Ciccotti, Giovanni and Berendsen, Herman J. C.},
  title   = {Numerical integration of the {Cartesian} equations of motion of a system with constraints: Molecular dynamics of n-alkanes},
  journal = {Journal of Computational Physics},
  volume  = {23},
  pages   = {327--341},
  year    = {1977},
  doi     = {10.1016/0021-9991(77)90098-5}
})"};

inline constexpr Publication sofroniou_spaletta_2005{"SofroniouSpaletta2005", R"(@article{SofroniouSpaletta2005,
  author  = {Sofroniou, Mark and Spaletta, Giulia},
  title   = {Derivation of symmetric composition constants for symmetric integrators},
  journal = {Optimization Methods and Software},
  volume  = {20},
  pages   = {597--613},
  year    = {2005},
  doi     = {10.1080/10556780500140664}
})"};

inline constexpr Publication strang_1968{"Strang1968", R"(@article{Strang1968,
  author  = {Strang, Gilbert},
  title   = {On the construction and comparison of difference schemes},
  journal = {SIAM Journal on Numerical Analysis},
  volume  = {5},
  pages   = {506--517},
  year    = {1968},
  doi     = {10.1137/0705041}
})"};

inline constexpr Publication suzuki_1990{"Suzuki1990", R"(@article{Suzuki1990,
  author  = {Suzuki, Masuo},
  title   = {Fractal decomposition of exponential operators with applications to many-body theories and {Monte Carlo} simulations},
  journal = {Physics Letters A},
  volume  = {146},
  pages   = {319--323},
  year    = {1990},
  doi     = {10.1016/0375-9601(90)90962-N}
})"};

inline constexpr Publication touma_wisdom_1994{"ToumaWisdom1994", R"(@article{ToumaWisdom1994,
  author  = {Touma, Jihad and Wisdom, Jack},
  title   = {{Lie-Poisson} integrators for rigid body dynamics in the solar system},
  journal = {The Astronomical Journal},
  volume  = {107},
  pages   = {1189--1202},
  year    = {1994},
  doi     = {10.1086/116931}
})"};

inline constexpr Publication verlet_1967{"Verlet1967", R"(@article{Verlet1967,
  author  = {Verlet, Loup},
  title   = {Computer ``experiments'' on classical fluids. {I}. Thermodynamical properties of {Lennard-Jones} molecules},
  journal = {Physical Review},
  volume  = {159},
  pages   = {98--103},
  year    = {1967},
  doi     = {10.1103/PhysRev.159.98}
})"};

inline constexpr Publication hairer_vilmart_2006{"HairerVilmart2006", R"(@article{HairerVilmart2006,
  author  = {Hairer, Ernst and Vilmart, Gilles},
  title   = {Preprocessed discrete {Moser-Veselov} algorithm for the full dynamics of the rigid body},
  journal = {Journal of Physics A: Mathematical and General},
  volume  = {39},
  pages   = {13225--13235},
  year    = {2006}
})"};

inline constexpr Publication yoshida_1990{"Yoshida1990", R"(@article{Yoshida1990,
  author  = {Yoshida, Haruo},
  title   = {Construction of higher order symplectic integrators},
  journal = {Physics Letters A},
  volume  = {150},
  pages   = {262--268},
  year    = {1990},
  doi     = {10.1016/0375-9601(90)90092-3}
})"};

}  // namespace publications
}  // namespace polhode
