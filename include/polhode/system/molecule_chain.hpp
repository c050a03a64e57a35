// United-atom chains with fixed bonds, as models of n-alkanes (Ryckaert, Ciccotti & Berendsen 1977): n atoms, each
// bonded to the next.
//
//   Angles::springs   a harmonic term for each distance between second neighbours;                     D = n - 1
//   Angles::fixed     these distances are fixed, too, which leaves torsion as the only internal motion;   D = 2 n - 3
//
// Lennard-Jones terms act between atoms three bonds apart (the first kind) and those further apart (the second kind).
// There is no torsion term: the first kind takes its place.
//
// The defaults are those of n-alkanes: masses of CH3 and CH2, bonds of 0.154 nm, angles of 114 degrees with the
// stiffness of TraPPE-UA, 62500 K rad^-2, expressed by a second neighbour distance of 0.2583 nm; TraPPE's CH2 for atoms
// far apart (Martin & Siepmann 1998). The numbers of the first kind are our own: with them the gauche states of butane
// are 3.2 and its cis state 18 kJ/mol above trans, close to the results of torsion terms.
#pragma once

#include "polhode/system/molecule.hpp"

namespace polhode::inline POLHODE_ISA {

enum class Angles { springs, fixed };

/// Pairs (i, i + apart) of a chain of n atoms.
template <int n, int apart>
constexpr std::array<Pair, n - apart> neighbours() {
  std::array<Pair, n - apart> pairs{};
  for (int i = 0; i + apart < n; ++i) pairs[i] = {i, i + apart};
  return pairs;
}

/// Common part of the chains, with fixed angles or without.
template <int n>
struct ChainDescription : NoTerms {
  static_assert(n >= 4 && n <= 8, "a chain has 4 to 8 atoms");

  static constexpr auto masses = [] {
    std::array<double, n> m{};
    for (int i = 0; i < n; ++i) m[i] = i == 0 || i == n - 1 ? 15.035 : 14.027;
    return m;
  }();
  static constexpr auto contacts = [] {
    std::array<Term, (n - 2) * (n - 3) / 2> terms{};
    int count = 0;
    for (int apart = 3; apart < n; ++apart)
      for (int i = 0; i + apart < n; ++i) terms[count++] = {i, i + apart, apart == 3 ? 0 : 1};
    return terms;
  }();
  static constexpr auto epsilon = [] {
    std::array<double, (n > 4 ? 2 : 1)> e{0.6};
    if constexpr (n > 4) e[1] = 0.3825;
    return e;
  }();
  static constexpr auto sigma = [] {
    std::array<double, (n > 4 ? 2 : 1)> s{0.34};
    if constexpr (n > 4) s[1] = 0.395;
    return s;
  }();
  /// A slightly twisted zigzag.
  static constexpr auto shape = [] {
    std::array<std::array<double, 3>, n> q{};
    for (int i = 0; i < n; ++i) q[i] = {0.129 * i, i % 2 == 0 ? -0.042 : 0.042, 0.02 * (i % 3)};
    return q;
  }();
  static constexpr double example_step = 0.001;

  template <class Equations, class T, int N>
  POLHODE_HD static T end_to_end_squared(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>&) {
    const Vec<T, 3> d = equations.atom(q, n - 1) - equations.atom(q, 0);
    return dot(d, d);
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T gyration_squared(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>&) {
    const Vec<T, 3> centre = equations.centre(q);
    T sum(Real<T>(0));
    unroll<n>([&](int k) POLHODE_LAMBDA {
      const Vec<T, 3> d = equations.atom(q, k) - centre;
      sum = fma(equations.mass_share[k], dot(d, d), sum);
    });
    return sum;
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T cos_dihedral(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>&) {
    const auto between = [&](int a, int b) POLHODE_LAMBDA { return equations.atom(q, b) - equations.atom(q, a); };
    const Vec<T, 3> axis = between(1, 2), first = cross(between(0, 1), axis), second = cross(axis, between(2, 3));
    return dot(first, second) / sqrt(dot(first, first) * dot(second, second));
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T position_squared(const Equations&, const Vec<T, N>& q, const Vec<T, N>&) {
    return dot(q, q);
  }
  template <class Equations, class T, int N>
  POLHODE_HD static T one(const Equations&, const Vec<T, N>&, const Vec<T, N>&) {
    return T(Real<T>(1));
  }

  template <class Equations, class T, int N>
  static constexpr std::array<DescribedRow<Equations, T, N>, 3> derived{{
      {{"end_to_end_squared", "length^2", "squared distance of the first atom from the last"},
       end_to_end_squared<Equations, T, N>,
       position_squared<Equations, T, N>},
      {{"gyration_squared", "length^2", "squared radius of gyration, sum m |q - centre|^2 / sum m"},
       gyration_squared<Equations, T, N>,
       position_squared<Equations, T, N>},
      {{"cos_dihedral", "1", "cosine of the dihedral angle of the first four atoms: -1 trans, 1/2 gauche, 1 cis"},
       cos_dihedral<Equations, T, N>,
       one<Equations, T, N>},
  }};
};

template <int n, Angles angles>
struct ChainOf : ChainDescription<n> {
  static constexpr const char* names[5] = {"molecule-chain-4", "molecule-chain-5", "molecule-chain-6",
                                           "molecule-chain-7", "molecule-chain-8"};
  static constexpr const char* name = names[n - 4];
  static constexpr const char* family = "molecule-chain";
  static constexpr const char* meaning =
      n == 4 ? "chain of 4 united atoms with fixed bonds; springs 1-3, Lennard-Jones 1-4"
             : "chain of united atoms with fixed bonds; springs 1-3, Lennard-Jones 1-4 (kind 1) and further (kind 2)";
  static constexpr const char* sources[] = {"RyckaertCiccottiBerendsen1977"};
  static constexpr auto bonds = neighbours<n, 1>();
  static constexpr auto lengths = [] {
    std::array<double, n - 1> d{};
    for (double& length : d) length = 0.154;
    return d;
  }();
  static constexpr auto springs = [] {
    std::array<Term, n - 2> terms{};
    for (int i = 0; i < n - 2; ++i) terms[i] = {i, i + 2, 0};
    return terms;
  }();
  static constexpr std::array stiffness{73870.0};
  static constexpr std::array rest{0.2583};
};

template <int n>
struct ChainOf<n, Angles::fixed> : ChainDescription<n> {
  static constexpr const char* names[5] = {"molecule-rigid-angle-chain-4", "molecule-rigid-angle-chain-5",
                                           "molecule-rigid-angle-chain-6", "molecule-rigid-angle-chain-7",
                                           "molecule-rigid-angle-chain-8"};
  static constexpr const char* name = names[n - 4];
  static constexpr const char* meaning =
      n == 4 ? "chain of 4 united atoms with fixed bonds and angles; Lennard-Jones 1-4"
             : "chain of united atoms with fixed bonds and angles; Lennard-Jones 1-4 (kind 1) and further (kind 2)";
  static constexpr const char* sources[] = {"RyckaertCiccottiBerendsen1977"};
  /// Ordered by triangles: each bond is followed by the distance of its first atom to the second neighbour.
  static constexpr auto bonds = [] {
    std::array<Pair, 2 * n - 3> pairs{};
    for (int b = 0; b < 2 * n - 3; ++b) pairs[b] = b % 2 == 0 ? Pair{b / 2, b / 2 + 1} : Pair{b / 2, b / 2 + 2};
    return pairs;
  }();
  static constexpr auto lengths = [] {
    std::array<double, 2 * n - 3> d{};
    for (int b = 0; b < 2 * n - 3; ++b) d[b] = b % 2 == 0 ? 0.154 : 0.2583;
    return d;
  }();
};

template <int n>
using MoleculeChain = Molecule<ChainOf<n, Angles::springs>>;
template <int n>
using MoleculeRigidAngleChain = Molecule<ChainOf<n, Angles::fixed>>;

}  // namespace polhode::inline POLHODE_ISA
