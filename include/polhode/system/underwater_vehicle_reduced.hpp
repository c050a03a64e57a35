// The body in an ideal fluid of system/vehicle.hpp with D = 0, without its position and attitude: a top.
//
//   state   Pi     body angular momentum,   Gamma = P / p   direction of the linear momentum, seen from the body
//
// The linear momentum R P is constant in space, p is its length, and with V(Gamma) = p^2/2 Gamma.M^-1 Gamma
//
//   H = 1/2 Pi.J^-1 Pi + V,   Pi' = Pi x Omega + Gamma x V_Gamma = Pi x Omega + P x v,   Gamma' = Gamma x Omega
//
// If R P is vertical, R P = p e3 with any sign of p, Gamma is the vertical, too, and c Gamma.chi is added to V. This is
// what c != 0 stands for here: a body with a weight and another direction of R P has no such system. p = 0 is a body
// with a fixed point.
//
// A Lie-Poisson system on se(3)* with Casimirs |Gamma|^2 and Pi.Gamma.
#pragma once

#include "polhode/system/rows.hpp"
#include "polhode/system/vehicle.hpp"
#include "polhode/system/vehicle_chart.hpp"

namespace polhode::inline POLHODE_ISA {

struct UnderwaterVehicleReduced : Vehicle {
  static constexpr const char* name = "underwater-vehicle-reduced";
  static constexpr const char* meaning = "rigid body in an ideal fluid, reduced to its momenta in the body";
  static constexpr const char* sources[] = {"LeonardMarsden1997"};
  static constexpr const char* equations[] = {
      "H = 1/2 sum_i (Pi_i^2/J_i + p^2 Gamma_i^2/M_i) + c Gamma.chi,  P = p Gamma",
      "Pi' = Pi x Omega + P x v + c Gamma x chi,  Gamma' = Gamma x Omega,  Omega_i = Pi_i/J_i,  v_i = P_i/M_i",
  };
  static constexpr Kind kind = Kind::lie_poisson;

  static constexpr int dim = 6;
  static constexpr Block layout[] = {{0, 3, Block::Form::momentum}, {3, 3, Block::Form::unit_vector}};
  template <class T>
  using State = Vec<T, dim>;

  /// Parameters in the order of the flat array that Body reads.
  static constexpr int momentum_at = Vehicle::n_parameters, n_parameters = Vehicle::n_parameters + 1;
  static constexpr Parameter parameters[] = {
      Vehicle::parameters[0],
      Vehicle::parameters[1],
      Vehicle::parameters[2],
      Vehicle::parameters[3],
      Vehicle::parameters[4],
      {"p", "mass length/time", 1, nullptr, Bound::finite,
       "linear momentum, constant in space; with c != 0 it is p e3, upward or downward"},
  };
  /// Problem of the parameters p[20], or null. Host only.
  static const char* invalid_reason(const double* p) {
    if (has_coupling(p)) return "coupling must be 0: with it the torque depends on Pi, and the body is no top";
    if (is_neutral(p) && p[momentum_at] < 0) return "p must not be negative where c = 0: it is the length of P";
    return nullptr;
  }

  static constexpr Quantity columns[] = {
      body_momenta[0],
      body_momenta[1],
      body_momenta[2],
      {"gamma1", "1", "P/p, direction of the linear momentum in the body frame, axis 1"},
      {"gamma2", "1", "P/p, direction of the linear momentum in the body frame, axis 2"},
      {"gamma3", "1", "P/p, direction of the linear momentum in the body frame, axis 3"},
  };

  /// An orbit in the chaotic sea at energy 0.52.
  static constexpr double example_parameters[] = {0.218, 0.357, 0.335, 1.234, 1.341, 2.253, 0, 0, 0,  0,
                                                  0,     0,     0,     0,     0,     0,     0, 0, -1, 1};
  static constexpr double example_step = 0.05;
  /// x[6]: a state in that sea, near the section gamma3 = 0. Host only.
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[dim] = {0.22, 0.08, 0.1, 0.352, -0.936, 0};
    for (int i = 0; i < dim; ++i) x[i] = state[i];
  }

  /// Accepted error in the length of Gamma of an initial state, which is not corrected.
  static constexpr double unit_tolerance = 1e-6;

  /// Section of the head comment of system/vehicle_chart.hpp; on the host only.
  static constexpr Chart chart = vehicle_chart;
  static ChartRange chart_range(const double* p, double energy) { return vehicle_chart_range(p, energy); }
  static int chart_states(const double* p, double energy, double momentum, int side, double pi2, double pi3,
                          double* x) {
    return vehicle_chart_states(p, energy, momentum, side, pi2, pi3, x);
  }

  /// Whether nothing turns the body but itself, for the parameters p[20]. Host only.
  static bool is_free(const double* p, const double* /*x*/ = nullptr) {
    return p[weight_at] == 0 && p[momentum_at] == 0;
  }
  static constexpr const char* not_free = "it is for the free body: c and p must be 0";

  template <class T>
  POLHODE_HD static Vec<T, 3> angular_momentum(const State<T>& x) {
    return {x[0], x[1], x[2]};
  }
  template <class T>
  POLHODE_HD static Vec<T, 3> vertical(const State<T>& x) {
    return {x[3], x[4], x[5]};
  }
  /// The state after x, from the Pi and Gamma of a step.
  template <class T, class Rotation>
  POLHODE_HD static State<T> moved(const State<T>&, const Vec<T, 3>& pi, const Vec<T, 3>& gamma, const Rotation&) {
    return {pi[0], pi[1], pi[2], gamma[0], gamma[1], gamma[2]};
  }

  /// Body for given parameters, in scalar type T.
  template <class T>
  struct Body {
    Vec<T, 3> inertia, inverse_inertia, stiffness, weight;  ///< J, 1/J, p^2/M, c chi

    /// p[20]: J, M, D, c, chi, p.
    POLHODE_HD explicit Body(const double* p) {
      const T momentum(static_cast<Real<T>>(p[momentum_at])), c(static_cast<Real<T>>(p[weight_at]));
      unroll<3>([&](int i) POLHODE_LAMBDA {
        inertia[i] = T(static_cast<Real<T>>(p[inertia_at + i]));
        inverse_inertia[i] = T(Real<T>(1)) / inertia[i];
        stiffness[i] = momentum * momentum / T(static_cast<Real<T>>(p[mass_at + i]));
        weight[i] = c * T(static_cast<Real<T>>(p[chi_at + i]));
      });
    }

    POLHODE_HD T potential(const Vec<T, 3>& gamma) const {
      return fma(T(Real<T>(0.5)), dot(gamma, hadamard(stiffness, gamma)), dot(weight, gamma));
    }
    /// V_Gamma.
    POLHODE_HD Vec<T, 3> gradient(const Vec<T, 3>& gamma) const { return hadamard(stiffness, gamma) + weight; }
    /// Bound on half of the range of the potential on the unit sphere.
    POLHODE_HD T swing() const {
      T least = stiffness[0], most = stiffness[0];
      for (int i = 1; i < 3; ++i) {
        least = select(stiffness[i] < least, stiffness[i], least);
        most = select(stiffness[i] > most, stiffness[i], most);
      }
      return fma(T(Real<T>(0.25)), most - least, sqrt(dot(weight, weight)));
    }
    POLHODE_HD Vec<T, 3> omega(const Vec<T, 3>& pi) const { return hadamard(inverse_inertia, pi); }
    /// Pi' of the equations of motion.
    POLHODE_HD Vec<T, 3> torque(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      return cross(pi, omega(pi), cross(gamma, gradient(gamma)));
    }
    POLHODE_HD T energy(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      return fma(T(Real<T>(0.5)), dot(pi, omega(pi)), potential(gamma));
    }
  };

  /// Kick by the torque over a time.
  template <class T>
  struct Kick {
    Vec<T, 3> stiffness, weight;  ///< times the time

    Kick() = default;
    POLHODE_HD Kick(const Body<T>& body, const T& time)
        : stiffness(time * body.stiffness), weight(time * body.weight) {}
    /// Pi after the kick at gamma.
    template <class U>
    POLHODE_HD Vec<U, 3> operator()(const Vec<U, 3>& gamma, const Vec<U, 3>& pi) const {
      Vec<U, 3> gradient = broadcast<U>(weight);
      unroll<3>([&](int i) POLHODE_LAMBDA { gradient[i] = fma(U(stiffness[i]), gamma[i], gradient[i]); });
      return cross(gamma, gradient, pi);
    }
  };

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : Body<T> {
    using Function = T (Model::*)(const State<T>& x) const;

    POLHODE_HD explicit Model(const double* p)
        : Body<T>(p), parameters_(p), momentum_(static_cast<Real<T>>(p[momentum_at])) {}

    POLHODE_HD T hamiltonian(const State<T>& x) const { return this->energy(angular_momentum(x), vertical(x)); }
    POLHODE_HD T energy_size(const State<T>& x) const {
      return abs(hamiltonian(x)) + sqrt(dot(this->weight, this->weight) * gamma_squared(x));
    }
    POLHODE_HD T gamma_squared(const State<T>& x) const { return dot(vertical(x), vertical(x)); }
    POLHODE_HD T pi_dot_gamma(const State<T>& x) const { return dot(angular_momentum(x), vertical(x)); }
    POLHODE_HD T pi_squared(const State<T>& x) const { return dot(angular_momentum(x), angular_momentum(x)); }
    POLHODE_HD T pi3(const State<T>& x) const { return x[2]; }
    POLHODE_HD T clebsch(const State<T>& x) const {
      return Vehicle::clebsch<T>(parameters_, angular_momentum(x), momentum_ * vertical(x));
    }
    template <int axis>
    POLHODE_HD T impulse(const State<T>& x) const {
      return momentum_ * x[3 + axis];
    }
    POLHODE_HD T impulse_size(const State<T>& x) const { return abs(momentum_) * vertical_size(x); }
    /// The equations of motion.
    POLHODE_HD State<T> flow(const State<T>& x) const {
      const Vec<T, 3> pi = angular_momentum(x), gamma = vertical(x);
      return moved(x, this->torque(pi, gamma), cross(gamma, this->omega(pi)), nullptr);
    }

    static constexpr ObservableRow<Function> derived[4] = {
        {{"energy", "mass length^2/time^2", "H"}, &Model::hamiltonian, &Model::energy_size},
        {impulses[0], &Model::template impulse<0>, &Model::impulse_size},
        {impulses[1], &Model::template impulse<1>, &Model::impulse_size},
        {impulses[2], &Model::template impulse<2>, &Model::impulse_size},
    };
    static constexpr InvariantRow<Function> invariants[6] = {
        {{"energy", "mass length^2/time^2", "H; conserved up to O(h^2) without drift"}, &Model::hamiltonian},
        {{"gamma_squared", "1", "|Gamma|^2 = |P|^2/p^2, Casimir"}, &Model::gamma_squared},
        {{"pi_dot_gamma", "mass length^2/time", "Pi.P/p, Casimir: angular momentum along the linear one"},
         &Model::pi_dot_gamma},
        {{"pi_squared", "mass^2 length^4/time^2", "|Pi|^2, of the free body (c = 0, p = 0)"},
         &Model::pi_squared,
         is_free},
        {pi3_of_axis, &Model::pi3, has_axis},
        {clebsch_integral, &Model::clebsch, is_clebsch},
    };

    POLHODE_HD T invariant(int i, const State<T>& x) const { return value_of<invariants>(i, *this, x); }
    POLHODE_HD T observe(int index, const State<T>& x) const {
      if (index < dim) return choose<0, dim>(index, [&](auto k) POLHODE_LAMBDA { return x[k]; });
      return value_of<derived>(index - dim, *this, x);
    }
    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_HD T magnitude(int index, const State<T>& x) const {
      if (index < 3) return abs(x[0]) + abs(x[1]) + abs(x[2]);
      if (index < dim) return vertical_size(x);
      return magnitude_of<derived>(index - dim, *this, x);
    }

   private:
    POLHODE_HD static T vertical_size(const State<T>& x) { return abs(x[3]) + abs(x[4]) + abs(x[5]); }

    const double* parameters_;
    T momentum_;
  };

  /// State columns, then derived observables; sections and conditions may use any of them.
  static constexpr auto observables = observables_of(columns, Model<double>::derived);
  static constexpr auto invariants = invariants_of(Model<double>::invariants);
  static constexpr int n_invariants = std::size(invariants);
  /// Whether entry i of `invariants` is conserved on the orbit of x[6], for parameters p[20].
  static bool conserves(const double* p, const double* x, int i) { return holds(Model<double>::invariants[i], p, x); }

  /// Problem of a state x[6] as an initial condition, or null. Host only.
  static const char* invalid_state_reason(const double* /*p*/, const double* x) {
    const double norm_squared = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
    return norm_squared > 1 - 2 * unit_tolerance && norm_squared < 1 + 2 * unit_tolerance
               ? nullptr
               : "gamma is off length 1 by more than a hundredth";
  }
};

}  // namespace polhode::inline POLHODE_ISA
