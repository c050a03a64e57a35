// Molecules with fixed bonds: point masses, some distances between them fixed, springs and Lennard-Jones pairs.
//
//   state   q_i, p_i        position and momentum of atom i
//   H       sum_i |p_i|^2 / (2 m_i) + sum_springs k/2 (|q_i - q_j| - r)^2 + sum_contacts 4 e ((s/r_ij)^12 - (s/r_ij)^6)
//   g_b     (|q_i - q_j|^2 - d_b^2) / 2 for each bond b
//
// the distance constraints of SHAKE and RATTLE (Ryckaert, Ciccotti & Berendsen 1977; Andersen 1983). Total momentum and
// total angular momentum are conserved. Any consistent units will do; with nm, ps and u energies are in kJ/mol.
//
// A Description defines a molecule. Its connectivity is fixed at compile time, so that a state stays in registers and
// only those entries of G W G^T are computed whose bonds share an atom; its numbers are defaults of parameters:
//
//   name, meaning          of the system; the name is molecule- and the usual name, so that the molecules are adjacent
//                          in lists
//   masses                 std::array<double, atoms>
//   bonds, lengths         std::array<Pair, D>, std::array<double, D>
//   springs, stiffness, rest      std::array<Term, ...>, and k and r for each kind of spring
//   contacts, epsilon, sigma      std::array<Term, ...>, and e and s for each kind of pair; both may come from NoTerms
//   shape                  std::array<std::array<double, 3>, atoms>, positions close to equilibrium
//   example_step           one that resolves the motion
//   derived<Equations, T, N>      (optional) std::array of rows (rows.hpp), whose functions take the equations first
//
// Molecule<Description> is the system.
#pragma once

#include <array>

#include "polhode/system/bodies.hpp"
#include "polhode/system/constrained_system.hpp"

namespace polhode::inline POLHODE_ISA {

/// Two atoms, counted from 0.
struct Pair {
  int i, j;
};

/// Two atoms and their kind, the index of their numbers: terms of one kind share them.
struct Term {
  int i, j, kind;
};

/// Base of a Description without springs and contacts.
struct NoTerms {
  static constexpr std::array<Term, 0> springs{}, contacts{};
  static constexpr std::array<double, 0> stiffness{}, rest{}, epsilon{}, sigma{};
};

/// Row of a derived observable of a Description, for its Equations in a scalar type T.
template <class Equations, class T, int N>
using DescribedRow = ObservableRow<T (*)(const Equations& equations, const Vec<T, N>& q, const Vec<T, N>& p)>;

template <class Description, class Equations, class T, int N>
constexpr auto derived_of() {
  if constexpr (requires { Description::template derived<Equations, T, N>; })
    return Description::template derived<Equations, T, N>;
  else
    return std::array<DescribedRow<Equations, T, N>, 0>{};
}

template <class Description>
struct MoleculePhysics : Description {
  static constexpr int atoms = std::size(Description::masses), N = 3 * atoms, D = std::size(Description::bonds);

 private:
  static constexpr int n_springs = std::size(Description::springs), spring_kinds = std::size(Description::stiffness);
  static constexpr int n_contacts = std::size(Description::contacts), contact_kinds = std::size(Description::epsilon);

  static constexpr bool are_different_atoms(int i, int j) {
    return i >= 0 && i < atoms && j >= 0 && j < atoms && i != j;
  }
  template <std::size_t n>
  static constexpr bool are_terms(const std::array<Term, n>& terms, int kinds) {
    for (const Term& term : terms)
      if (!are_different_atoms(term.i, term.j) || term.kind < 0 || term.kind >= kinds) return false;
    return true;
  }
  static_assert(std::size(Description::lengths) == std::size_t(D), "a length for each bond");
  static_assert(are_terms(Description::springs, spring_kinds) && are_terms(Description::contacts, contact_kinds));
  static_assert(
      [] {
        for (const Pair& bond : Description::bonds)
          if (!are_different_atoms(bond.i, bond.j)) return false;
        return true;
      }(),
      "a bond is between two different atoms");

  // Through a copy, because device code cannot refer to a table of the host.
  POLHODE_HD static constexpr Pair bond(int b) {
    constexpr auto list = Description::bonds;
    return list[b];
  }
  POLHODE_HD static constexpr Term spring(int s) {
    constexpr auto list = Description::springs;
    return list[s];
  }
  POLHODE_HD static constexpr Term contact(int c) {
    constexpr auto list = Description::contacts;
    return list[c];
  }

 public:
  static constexpr auto parameters = [] {
    std::array<Parameter, 2 + (n_springs > 0 ? 2 : 0) + (n_contacts > 0 ? 2 : 0)> all{};
    int n = 0;
    all[n++] = {"m", "mass", atoms, Description::masses.data(), Bound::positive, "masses of the atoms (u)"};
    all[n++] = {"d", "length", D, Description::lengths.data(), Bound::positive, "fixed distances (nm)"};
    if constexpr (n_springs > 0) {
      all[n++] = {"k",           "mass/time^2",
                  spring_kinds,  Description::stiffness.data(),
                  Bound::finite, "stiffness (kJ/mol nm^-2) of springs, by kind"};
      all[n++] = {"r",           "length",
                  spring_kinds,  Description::rest.data(),
                  Bound::finite, "length at rest (nm) of springs, by kind"};
    }
    if constexpr (n_contacts > 0) {
      all[n++] = {"epsilon",     "mass length^2/time^2",
                  contact_kinds, Description::epsilon.data(),
                  Bound::finite, "well depth (kJ/mol) of Lennard-Jones pairs, by kind"};
      all[n++] = {"sigma",         "length",
                  contact_kinds,   Description::sigma.data(),
                  Bound::positive, "distance (nm) at which Lennard-Jones pairs have no energy, by kind"};
    }
    return all;
  }();

  static constexpr auto columns = body_columns<atoms>("position of the atom", "momentum of the atom");
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "length^2";
  static constexpr const char* equations[] = {
      n_springs > 0 && n_contacts > 0
          ? "H = sum_i |p_i|^2/(2 m_i) + sum_springs k/2 (r_ij - r)^2 + sum_pairs 4 epsilon ((sigma/r_ij)^12 - "
            "(sigma/r_ij)^6)"
      : n_springs > 0  ? "H = sum_i |p_i|^2/(2 m_i) + sum_springs k/2 (r_ij - r)^2"
      : n_contacts > 0 ? "H = sum_i |p_i|^2/(2 m_i) + sum_pairs 4 epsilon ((sigma/r_ij)^12 - (sigma/r_ij)^6)"
                       : "H = sum_i |p_i|^2/(2 m_i)",
      "0 = (r_ij^2 - d_b^2)/2 for each bond b of atoms i and j,  r_ij = |q_i - q_j|",
  };

  static constexpr auto example_parameters = [] {
    std::array<double, atoms + D + 2 * spring_kinds + 2 * contact_kinds> p{};
    auto* next = p.data();
    const auto append = [&](const auto& numbers) {
      for (const double number : numbers) *next++ = number;
    };
    append(Description::masses);
    append(Description::lengths);
    append(Description::stiffness);
    append(Description::rest);
    append(Description::epsilon);
    append(Description::sigma);
    return p;
  }();

  /// The shape with the bonds and springs of p. It rotates about its centre as at room temperature in nm, ps and u, and
  /// the centre moves at half its thermal speed.
  static void example_state(const double* p, double* x) {
    const double* m = p;
    const double* d = p + atoms;
    const double* rest = d + D + spring_kinds;
    double size = 0, default_size = 0;
    for (int b = 0; b < D; ++b) {
      size += d[b];
      default_size += Description::lengths[b];
    }
    for (int k = 0; k < N; ++k) x[k] = Description::shape[k / 3][k % 3] * size / default_size;
    // SHAKE: adjusts one distance after the other by moving its two atoms along the line between them.
    for (int sweep = 0; sweep < shape_sweeps; ++sweep) {
      for (const Term& s : Description::springs) move_to_distance(m, s.i, s.j, rest[s.kind], x);
      for (int b = 0; b < D; ++b) move_to_distance(m, Description::bonds[b].i, Description::bonds[b].j, d[b], x);
    }

    double mass = 0, centre[3] = {}, inertia = 0;
    for (int i = 0; i < atoms; ++i) {
      mass += m[i];
      for (int k = 0; k < 3; ++k) centre[k] += m[i] * x[3 * i + k];
    }
    for (double& component : centre) component /= mass;
    for (int k = 0; k < N; ++k) inertia += m[k / 3] * (x[k] - centre[k % 3]) * (x[k] - centre[k % 3]);
    const double rate = polhode::sqrt(3 * room_temperature / inertia);
    const double speed = 0.5 * polhode::sqrt(3 * room_temperature / mass);
    for (int k = 0; k < N; ++k) {
      const int i = k / 3, a = (k + 1) % 3, b = (k + 2) % 3;
      const double turned = turning[a] * (x[3 * i + b] - centre[b]) - turning[b] * (x[3 * i + a] - centre[a]);
      x[N + k] = m[i] * (rate * turned + speed * moving[k % 3]);
    }
  }

  /// Brings the centre of mass of x[2 N] to the origin and to rest; velocities: x has them in place of momenta. Host
  /// only.
  static void bring_to_rest(const double* m, bool velocities, double* x) {
    const Centre centre(m, velocities, x);
    for (int k = 0; k < N; ++k) {
      x[k] -= centre.position[k % 3];
      x[N + k] -= (velocities ? 1 : m[k / 3]) * centre.velocity[k % 3];
    }
  }
  /// Largest distance of the centre of mass from the origin while time passes, over that of any atom from it at the
  /// start. Host only.
  static double reach(const double* m, const double* x, double time) {
    const Centre centre(m, false, x);
    double farthest = 0, size = 0;
    for (const double t : {0.0, time}) {
      double squared = 0;
      for (int k = 0; k < 3; ++k) {
        const double there = centre.position[k] + t * centre.velocity[k];
        squared += there * there;
      }
      farthest = squared > farthest ? squared : farthest;
    }
    for (int i = 0; i < atoms; ++i) {
      double squared = 0;
      for (int k = 0; k < 3; ++k) squared += (x[3 * i + k] - centre.position[k]) * (x[3 * i + k] - centre.position[k]);
      size = squared > size ? squared : size;
    }
    return polhode::sqrt(farthest / size);
  }

  template <class T>
  struct Equations {
    Vec<T, atoms> inverse_mass, mass_share;  ///< 1/m, m over the mass of the molecule
    Vec<T, D> inverse_reduced_mass, half_length_squared;
    Vec<T, spring_kinds> stiffness, rest;
    Vec<T, contact_kinds> epsilon, sigma_squared;

    /// p: m[atoms], d[D], and k, r, epsilon, sigma if there are such terms.
    POLHODE_HD explicit Equations(const double* p) {
      const auto number = [&](int k) POLHODE_LAMBDA { return T(static_cast<Real<T>>(p[k])); };
      constexpr int at_springs = atoms + D, at_contacts = at_springs + 2 * spring_kinds;
      T mass = number(0);
      for (int i = 1; i < atoms; ++i) mass = mass + number(i);
      for (int i = 0; i < atoms; ++i) {
        inverse_mass[i] = T(Real<T>(1)) / number(i);
        mass_share[i] = number(i) / mass;
      }
      unroll<D>([&](int b) POLHODE_LAMBDA {
        inverse_reduced_mass[b] = inverse_mass[bond(b).i] + inverse_mass[bond(b).j];
        half_length_squared[b] = T(Real<T>(0.5)) * number(atoms + b) * number(atoms + b);
      });
      for (int k = 0; k < spring_kinds; ++k) {
        stiffness[k] = number(at_springs + k);
        rest[k] = number(at_springs + spring_kinds + k);
      }
      for (int k = 0; k < contact_kinds; ++k) {
        epsilon[k] = number(at_contacts + k);
        sigma_squared[k] = number(at_contacts + contact_kinds + k) * number(at_contacts + contact_kinds + k);
      }
    }

    POLHODE_HD Vec<T, N> velocity(Vec<T, N> p) const {
      unroll<N>([&](int k) POLHODE_LAMBDA { p[k] = inverse_mass[k / 3] * p[k]; });
      return p;
    }

    /// Potential; infinite or NaN where the atoms of a contact coincide.
    POLHODE_HD T potential(const Vec<T, N>& q) const {
      const T half(Real<T>(0.5)), one(Real<T>(1)), four(Real<T>(4));
      T sum(Real<T>(0));
      unroll<n_springs>([&](int s) POLHODE_LAMBDA {
        const int kind = spring(s).kind;
        const Vec<T, 3> d = difference(spring(s), q);
        const T stretch = sqrt(dot(d, d)) - rest[kind];
        sum = fma(half * stiffness[kind] * stretch, stretch, sum);
      });
      unroll<n_contacts>([&](int c) POLHODE_LAMBDA {
        const int kind = contact(c).kind;
        const T sixth = sixth_power(contact(c), difference(contact(c), q)).value;
        sum = fma(four * epsilon[kind] * sixth, sixth - one, sum);
      });
      return sum;
    }
    /// Gradient of the potential; NaN where atoms of a term coincide. Outlined: its divisions take longer than a call.
    POLHODE_OUTLINED Vec<T, N> potential_gradient(const Vec<T, N>& q) const {
      const T one(Real<T>(1)), factor(Real<T>(24));
      Vec<T, N> gradient = zero();
      unroll<n_springs>([&](int s) POLHODE_LAMBDA {
        const int kind = spring(s).kind;
        const Vec<T, 3> d = difference(spring(s), q);
        add(spring(s), stiffness[kind] * (one - rest[kind] / sqrt(dot(d, d))), d, gradient);
      });
      unroll<n_contacts>([&](int c) POLHODE_LAMBDA {
        const Vec<T, 3> d = difference(contact(c), q);
        const SixthPower sixth = sixth_power(contact(c), d);
        const T slope = sixth.value * sixth.inverse_square * (one - (sixth.value + sixth.value));
        add(contact(c), factor * epsilon[contact(c).kind] * slope, d, gradient);
      });
      return gradient;
    }

    POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const {
      Vec<T, D> g;
      unroll<D>([&](int b) POLHODE_LAMBDA {
        const Vec<T, 3> d = difference(bond(b), q);
        g[b] = fma(T(Real<T>(0.5)), dot(d, d), -half_length_squared[b]);
      });
      return g;
    }
    POLHODE_HD Vec<T, D> push(const Vec<T, N>& q, const Vec<T, N>& v) const {
      Vec<T, D> rate;
      unroll<D>([&](int b) POLHODE_LAMBDA { rate[b] = dot(difference(bond(b), q), difference(bond(b), v)); });
      return rate;
    }
    POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, D>& s) const {
      Vec<T, N> force = zero();
      unroll<D>([&](int b) POLHODE_LAMBDA { add(bond(b), s[b], difference(bond(b), q), force); });
      return force;
    }
    POLHODE_HD Mat<T, D, D> schur(const Vec<T, N>& r, const Vec<T, N>& q) const {
      Mat<T, D, D> matrix;
      unroll<D>([&](int a) POLHODE_LAMBDA {
        unroll<D>([&](int b) POLHODE_LAMBDA {
          const Pair x = bond(a), y = bond(b);
          if (a == b)
            matrix[a][b] = inverse_reduced_mass[a] * product(x, r, y, q);
          else if (x.i == y.i || x.j == y.j)
            matrix[a][b] = inverse_mass[x.i == y.i ? x.i : x.j] * product(x, r, y, q);
          else if (x.i == y.j || x.j == y.i)
            matrix[a][b] = -inverse_mass[x.i == y.j ? x.i : x.j] * product(x, r, y, q);
          else
            matrix[a][b] = T(Real<T>(0));
        });
      });
      return matrix;
    }
    POLHODE_HD Vec<T, D> curvature(const Vec<T, N>&, const Vec<T, N>& v) const { return push(v, v); }

    POLHODE_HD Vec<T, 3> momentum(const Vec<T, N>& p) const {
      Vec<T, 3> sum = atom(p, 0);
      for (int i = 1; i < atoms; ++i) sum = sum + atom(p, i);
      return sum;
    }
    POLHODE_HD Vec<T, 3> angular_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      Vec<T, 3> sum = cross(atom(q, 0), atom(p, 0));
      for (int i = 1; i < atoms; ++i) sum = cross(atom(q, i), atom(p, i), sum);
      return sum;
    }
    POLHODE_HD Vec<T, 3> centre(const Vec<T, N>& q) const {
      Vec<T, 3> sum = mass_share[0] * atom(q, 0);
      for (int i = 1; i < atoms; ++i) sum = fma(mass_share[i], atom(q, i), sum);
      return sum;
    }
    /// Angular momentum about the centre of mass.
    POLHODE_HD Vec<T, 3> spin(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return angular_momentum(q, p) - cross(centre(q), momentum(p));
    }
    POLHODE_HD static Vec<T, 3> atom(const Vec<T, N>& q, int i) { return {q[3 * i], q[3 * i + 1], q[3 * i + 2]}; }

    template <int axis>
    POLHODE_HD T momentum_along(const Vec<T, N>&, const Vec<T, N>& p) const {
      return momentum(p)[axis];
    }
    template <int axis>
    POLHODE_HD T angular_momentum_along(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return angular_momentum(q, p)[axis];
    }

    static constexpr auto derived = derived_of<Description, Equations, T, N>();
    static constexpr ConservedRow<Equations, T, N> conserved[6] = {
        {{"momentum_x", "mass length/time", "total momentum; conserved to round-off"},
         &Equations::template momentum_along<0>},
        {{"momentum_y", "mass length/time", "total momentum; conserved to round-off"},
         &Equations::template momentum_along<1>},
        {{"momentum_z", "mass length/time", "total momentum; conserved to round-off"},
         &Equations::template momentum_along<2>},
        {{"angular_momentum_x", "mass length^2/time", "total, about the origin; conserved to round-off"},
         &Equations::template angular_momentum_along<0>},
        {{"angular_momentum_y", "mass length^2/time", "total, about the origin; conserved to round-off"},
         &Equations::template angular_momentum_along<1>},
        {{"angular_momentum_z", "mass length^2/time", "total, about the origin; conserved to round-off"},
         &Equations::template angular_momentum_along<2>},
    };

   private:
    /// (s/r)^6 and r^-2 of a contact.
    struct SixthPower {
      T value, inverse_square;
    };
    POLHODE_HD SixthPower sixth_power(const Term& term, const Vec<T, 3>& d) const {
      const T inverse_square = T(Real<T>(1)) / dot(d, d), ratio = sigma_squared[term.kind] * inverse_square;
      return {ratio * ratio * ratio, inverse_square};
    }

    POLHODE_HD static Vec<T, N> zero() {
      Vec<T, N> v;
      unroll<N>([&](int k) POLHODE_LAMBDA { v[k] = T(Real<T>(0)); });
      return v;
    }
    /// Vector from the second atom of a bond or term to the first.
    template <class Atoms>
    POLHODE_HD static Vec<T, 3> difference(const Atoms& pair, const Vec<T, N>& q) {
      return atom(q, pair.i) - atom(q, pair.j);
    }
    /// Adds s d to the first atom's components of v, and subtracts it from those of the second.
    template <class Atoms>
    POLHODE_HD static void add(const Atoms& pair, const T& s, const Vec<T, 3>& d, Vec<T, N>& v) {
      unroll<3>([&](int k) POLHODE_LAMBDA {
        v[3 * pair.i + k] = fma(s, d[k], v[3 * pair.i + k]);
        v[3 * pair.j + k] = fma(-s, d[k], v[3 * pair.j + k]);
      });
    }
    POLHODE_HD static T product(const Pair& a, const Vec<T, N>& r, const Pair& b, const Vec<T, N>& q) {
      return dot(difference(a, r), difference(b, q));
    }
  };

 private:
  static constexpr double room_temperature = 2.5;  // kT at 300 K in kJ/mol
  static constexpr int shape_sweeps = 2000;
  static constexpr double turning[3] = {0.36, 0.48, 0.8}, moving[3] = {0.8, 0, -0.6};

  struct Centre {
    double position[3] = {}, velocity[3] = {};

    /// m[atoms], x[2 N], with velocities or momenta.
    Centre(const double* m, bool velocities, const double* x) {
      double mass = 0;
      for (int i = 0; i < atoms; ++i) mass += m[i];
      for (int k = 0; k < N; ++k) {
        position[k % 3] += m[k / 3] * x[k] / mass;
        velocity[k % 3] += (velocities ? m[k / 3] : 1) * x[N + k] / mass;
      }
    }
  };

  /// Changes |q_i - q_j| to the given length, without moving the centre of mass of the two.
  static void move_to_distance(const double* m, int i, int j, double length, double* q) {
    double d[3], squared = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = q[3 * i + k] - q[3 * j + k];
      squared += d[k] * d[k];
    }
    const double change = (length / polhode::sqrt(squared) - 1) / (m[i] + m[j]);
    for (int k = 0; k < 3; ++k) {
      q[3 * i + k] += m[j] * change * d[k];
      q[3 * j + k] -= m[i] * change * d[k];
    }
  }
};

template <class Description>
using Molecule = ConstrainedSystem<MoleculePhysics<Description>>;

}  // namespace polhode::inline POLHODE_ISA
