// The discrete Routh equations (method/discrete_routh_map.hpp) against what Jalnapurkar, Leok, Marsden & West 2006 say
// of them in sect. 2 to 5. Discrete Lagrangians are written out again here, and differentiated in all of their
// arguments.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

#include "numerics/dense.hpp"
#include "numerics/routh.hpp"
#include "polhode/method/discrete_routh.hpp"
#include "polhode/method/discrete_routh_map.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/j2_satellite.hpp"
#include "polhode/system/j2_satellite_shape.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Scheme discrete_routh(DiscreteAction action) { return DiscreteRouthOptions{.action = action}; }

/// Iterated until nothing changes, and not until the program is content, so that what is left are roundings.
constexpr int all_sweeps = 40;

/// The reduced system of a Physics, its metric and a discrete Lagrangian over h.
template <class Physics>
class Reduced {
 public:
  using System = RouthReduced<Physics>;
  using Map = DiscreteRouth<System>;
  static constexpr int n = Physics::N;
  using Shape = Eigen::Vector<double, n>;

  struct State {
    Shape x = Shape::Zero(), s = Shape::Zero();
    double theta = 0;
  };

  Reduced(DiscreteAction kind, double h, std::vector<double> p = StepsOf<Map>::example())
      : p(std::move(p)), mu(this->p.back()), h(h), kind(kind) {}

  std::vector<double> p;
  double mu, h;
  DiscreteAction kind;

  State example() const {
    typename System::template State<double> x;
    System::example_state(p.data(), x.v);
    return from(x);
  }
  bool step(State& at, int steps = 1) const {
    auto x = to(at);
    const bool valid = advance_by<Map, double>(p.data(), discrete_routh(kind), h, all_sweeps, steps, x);
    at = from(x);
    return valid;
  }
  /// Shapes and angles of a trajectory, with its start.
  std::vector<State> trajectory(State at, int steps) const {
    std::vector<State> all{at};
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(step(at));
      all.push_back(at);
    }
    return all;
  }
  Status failure(const State& at) const {
    const typename System::template Model<double> model(p.data());
    const Scheme c = discrete_routh(kind);
    const typename Map::template Constants<double> constants(model, options_of<Map>(c), c.kicks, h);
    return typename Map::template Step<double>(model, options_of<Map>(c), c.kicks, constants, 1)
        .failures(to(at))
        .status(0);
  }
  /// Of (x1, s1) by (x, s).
  Matrix jacobian(const State& at) const {
    Matrix derivative(2 * n, 2 * n);
    const auto start = to(at);
    for (int k = 0; k < 2 * n; ++k) {
      typename System::template State<Along> x;
      for (int i = 0; i <= 2 * n; ++i) x[i] = Along(start[i]);
      x[k].tangent[0] = 1;
      EXPECT_TRUE((advance_by<Map, Along>(p.data(), discrete_routh(kind), h, all_sweeps, 1, x)));
      for (int i = 0; i < 2 * n; ++i) derivative(i, k) = x[i].tangent[0];
    }
    return derivative;
  }

  struct Metric {
    Matrix horizontal;
    Shape connection;
    double inertia;
    Matrix connection_slopes;               ///< [l, k]: of A_l by x_k
    std::vector<Matrix> horizontal_slopes;  ///< by x_k
    Shape inertia_slope, potential_slope;
    Matrix magnetic(double mu) const { return mu * (connection_slopes.transpose() - connection_slopes); }
  };
  Metric metric(const Shape& x) const {
    using Along = Dual<double, n>;
    Vec<Along, n> along;
    for (int k = 0; k < n; ++k) along[k] = Along::variable(x[k], k);
    const auto at = typename Physics::template Equations<Along>(p.data()).metric(along);
    Metric m{Matrix(n, n), {}, at.inertia.value, Matrix(n, n), std::vector<Matrix>(n, Matrix(n, n)), {}, {}};
    for (int k = 0; k < n; ++k) {
      m.connection[k] = at.connection[k].value;
      m.inertia_slope[k] = at.inertia.tangent[k];
      m.potential_slope[k] = at.potential.tangent[k];
      for (int i = 0; i < n; ++i) {
        m.horizontal(i, k) = at.horizontal[i][k].value;
        m.connection_slopes(i, k) = at.connection[i].tangent[k];
        for (int j = 0; j < n; ++j) m.horizontal_slopes[k](i, j) = at.horizontal[i][j].tangent[k];
      }
    }
    return m;
  }

  /// L_d.
  template <class T>
  T action(const Vec<T, n>& x0, const Vec<T, n>& x1, const T& turn) const {
    const typename Physics::template Equations<T> equations(p.data());
    if (kind == DiscreteAction::own) {
      if constexpr (std::is_same_v<Physics, J2SatelliteShape>) {
        const auto [s, c] = sine_and_cosine(turn);
        const T a = x0[0] + x1[0] * c, b = x1[0] * s, z = x0[1] + x1[1], rise = x1[1] - x0[1];
        const T two(2.0), four(4.0), square = x0[0] * x0[0] - two * x0[0] * x1[0] * c + x1[0] * x1[0] + rise * rise;
        return square / T(2 * h) - T(h) * equations.oblate((a * a + b * b) / four, z / two);
      }
      throw std::logic_error("it has no discrete Lagrangian");
    }
    Vec<T, n> middle, v;
    for (int i = 0; i < n; ++i) {
      middle[i] = T(0.5) * (x0[i] + x1[i]);
      v[i] = (x1[i] - x0[i]) / T(h);
    }
    const auto at = equations.metric(middle);
    T vertical = turn / T(h), kinetic(0.0);
    for (int i = 0; i < n; ++i) vertical = vertical + at.connection[i] * v[i];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) kinetic = kinetic + v[i] * at.horizontal[i][j] * v[j];
    return T(h) * (T(0.5) * (kinetic + at.inertia * vertical * vertical) - at.potential);
  }
  /// Its derivatives.
  struct Slopes {
    Shape first, second;
    double turn;
  };
  Slopes slopes(const Shape& x0, const Shape& x1, double turn) const {
    using Along = Dual<double, 2 * n + 1>;
    const Along value = action(variables<Along>(x0, 0), variables<Along>(x1, n), Along::variable(turn, 2 * n));
    Slopes slopes{{}, {}, value.tangent[2 * n]};
    for (int i = 0; i < n; ++i) {
      slopes.first[i] = value.tangent[i];
      slopes.second[i] = value.tangent[n + i];
    }
    return slopes;
  }
  /// The turn with D3 L_d = mu that is nearest to the start, by Newton's method.
  double turn(const Shape& x0, const Shape& x1, double start = 0) const {
    using Along = Dual<double, 1>;
    using Twice = Dual<Along, 1>;
    const auto constant = [](const Shape& x) {
      Vec<Twice, n> all;
      for (int i = 0; i < n; ++i) all[i] = Twice(x[i]);
      return all;
    };
    double at = start;
    for (int k = 0; k < 20; ++k) {
      const Along slope = action(constant(x0), constant(x1), Twice::variable(Along::variable(at, 0), 0)).tangent[0];
      at -= (slope.value - mu) / slope.tangent[0];
    }
    return at;
  }
  /// The same with its derivatives by x0 and x1, of the midpoint: h mu/I - A.(x1 - x0).
  template <class T>
  T turn_of_midpoint(const Vec<T, n>& x0, const Vec<T, n>& x1) const {
    Vec<T, n> middle;
    for (int i = 0; i < n; ++i) middle[i] = T(0.5) * (x0[i] + x1[i]);
    const auto at = typename Physics::template Equations<T>(p.data()).metric(middle);
    T turn = T(h * mu) / at.inertia;
    for (int i = 0; i < n; ++i) turn = turn - at.connection[i] * (x1[i] - x0[i]);
    return turn;
  }

  template <class Along>
  static Vec<Along, n> variables(const Shape& x, int first) {
    Vec<Along, n> all;
    for (int i = 0; i < n; ++i) all[i] = Along::variable(x[i], first + i);
    return all;
  }
  static typename System::template State<double> to(const State& at) {
    typename System::template State<double> x;
    for (int i = 0; i < n; ++i) {
      x[i] = at.x[i];
      x[n + i] = at.s[i];
    }
    x[2 * n] = at.theta;
    return x;
  }
  static State from(const typename System::template State<double>& x) {
    State at;
    for (int i = 0; i < n; ++i) {
      at.x[i] = x[i];
      at.s[i] = x[n + i];
    }
    at.theta = x[2 * n];
    return at;
  }
};

using Pendulum = Reduced<DoublePendulumShape>;
using Satellite = Reduced<J2SatelliteShape>;

/// D1 L_b and D2 L_b of the reduced discrete Lagrangian L_b(x0, x1) = L_d(x0, x1, turn(x0, x1)) at the midpoint, and
/// the paper's one-forms A^_1, A^_2: the difference of the connection forms at x1 and x0, in which theta1 - theta0 is
/// turn.
template <class R>
struct PaperTerms {
  typename R::Shape lagrangian1, lagrangian2, form1, form2;

  PaperTerms(const R& on, const typename R::Shape& x0, const typename R::Shape& x1) {
    using Along = Dual<double, 2 * R::n>;
    const auto a = R::template variables<Along>(x0, 0), b = R::template variables<Along>(x1, R::n);
    const Along turn = on.turn_of_midpoint(a, b), value = on.action(a, b, turn);
    for (int i = 0; i < R::n; ++i) {
      lagrangian1[i] = value.tangent[i];
      lagrangian2[i] = value.tangent[R::n + i];
      form1[i] = on.mu * turn.tangent[i];
      form2[i] = on.mu * turn.tangent[R::n + i];
    }
    form1 -= on.mu * on.metric(x0).connection;
    form2 += on.mu * on.metric(x1).connection;
  }
};

/// A step of RSPRK with the table of Gauss and one stage, in the paper's equations in (x, s).
template <class R>
typename R::State rsprk_step(const R& on, const typename R::State& from) {
  using Shape = typename R::Shape;
  const double h = on.h;
  const auto start = on.metric(from.x);
  Shape velocity = solve(start.horizontal, from.s), X, rate, carried;
  double turning = 0;
  Shape S = from.s;
  for (int k = 0; k < 100; ++k) {
    X = from.x + h / 2 * velocity;
    const auto at = on.metric(X);
    for (int l = 0; l < R::n; ++l)
      rate[l] = velocity.dot(at.horizontal_slopes[l] * velocity) / 2 - at.potential_slope[l] +
                on.mu * on.mu * at.inertia_slope[l] / (2 * at.inertia * at.inertia);
    rate -= at.magnetic(on.mu).transpose() * velocity;
    carried = on.mu * at.connection_slopes * velocity;
    S = from.s + h / 2 * (rate + carried) - on.mu * (at.connection - start.connection);
    velocity = solve(at.horizontal, S);
    turning = on.mu / at.inertia - at.connection.dot(velocity);
  }
  typename R::State to;
  to.x = from.x + h * velocity;
  to.s = from.s + h * (rate + carried) - on.mu * (on.metric(to.x).connection - start.connection);
  to.theta = from.theta + h * turning;
  return to;
}
template <class R>
double distance(const typename R::State& a, const typename R::State& b) {
  return std::max({(a.x - b.x).norm(), (a.s - b.s).norm(), std::abs(a.theta - b.theta)});
}

TEST(DiscreteRouth, OfTheMidpointHasThePublishedSteps) {
  // Of a prototype, 20 steps in 30 digits; 1e-14 is the growth of roundings in them.
  const Pendulum pendulum(DiscreteAction::midpoint, 0.05);
  auto at = pendulum.example();
  ASSERT_TRUE(pendulum.step(at, 20));
  const Pendulum::State expected{{0.598101335393495280, 0.479765453131433439, -0.194646456939379773},
                                 {0.817173156940256180, 0.683084138654304100, -0.0124291562264396698},
                                 1.424387713877280147};
  EXPECT_LT(distance<Pendulum>(at, expected), 1e-14);

  const double inclination = 0.3;
  const Satellite::State start{{1, 0}, {0, std::sin(inclination)}, 0};
  const Satellite::State after[] = {{{0.995857690374974848, -0.0912680023020667688},
                                     {0.0261170461268077094, 0.281032471871452596},
                                     6.03292330007043687},
                                    {{0.966803044520968153, 0.250467296705347477},
                                     {-0.0408766695752387302, 0.122764163413302325},
                                     6.96401385343403710}};
  for (int oblate = 0; oblate < 2; ++oblate) {
    const Satellite on(DiscreteAction::midpoint, 0.3, {oblate * 0.05, 0.01, std::cos(inclination)});
    auto x = start;
    ASSERT_TRUE(on.step(x, 20));
    EXPECT_LT(distance<Satellite>(x, after[oblate]), 1e-14);
  }
}

TEST(DiscreteRouth, IsPushedForwardToRsprk) {
  const auto compare = [](const auto& on, double bound) {
    using R = std::decay_t<decltype(on)>;
    auto a = on.example(), b = a;
    for (int k = 0; k < 200; ++k) {
      ASSERT_TRUE(on.step(a));
      b = rsprk_step(on, b);
      EXPECT_LT(distance<R>(a, b), bound) << k;
    }
  };
  compare(Pendulum(DiscreteAction::midpoint, 0.05), 3e-13);   // roundings, whose effect grows
  compare(Satellite(DiscreteAction::midpoint, 0.05), 3e-13);  // theta is 10 in the end
}

TEST(DiscreteRouth, EquationsHoldAlongRsprk) {
  // Along the program's Gauss method with one stage.
  const auto check = [](const auto& on, const auto& steps, double least_of_forms) {
    using R = std::decay_t<decltype(on)>;
    Vector state(2 * R::n + 1);
    const auto at = on.example();
    state << at.x, at.s, at.theta;
    std::vector<typename R::Shape> x{at.x};
    for (int k = 0; k < 100; ++k) {
      state = steps(state);
      x.push_back(state.head(R::n));
    }
    double largest_of_forms = 0;
    for (int k = 1; k < 100; ++k) {
      const PaperTerms before(on, x[k - 1], x[k]), after(on, x[k], x[k + 1]);
      const typename R::Shape lagrangian = before.lagrangian2 + after.lagrangian1, forms = before.form2 + after.form1;
      // The paper's equations; velocities of size 1 have roundings of 1e-16/h.
      EXPECT_LT((lagrangian - forms).norm(), 1e-13) << k;
      largest_of_forms = std::max(largest_of_forms, forms.norm());
      // The Euler-Lagrange equations of R_d = L_b - mu turn.
      const double turn01 = on.turn(x[k - 1], x[k]), turn12 = on.turn(x[k], x[k + 1]);
      const auto left = on.slopes(x[k - 1], x[k], turn01), right = on.slopes(x[k], x[k + 1], turn12);
      EXPECT_LT((left.second + right.first).norm(), 1e-13) << k;
      EXPECT_NEAR(left.turn, on.mu, 1e-13);
    }
    EXPECT_GT(largest_of_forms, least_of_forms);  // the equations do not hold without them
  };
  const Pendulum pendulum(DiscreteAction::midpoint, 0.05);
  check(pendulum, ReducedSteps<DoublePendulumShape>(gauss(1), pendulum.h, pendulum.p), 0.1);
  const Satellite satellite(DiscreteAction::midpoint, 0.05);
  check(satellite, ReducedSteps<J2SatelliteShape>(gauss(1), satellite.h, satellite.p), 0.05);
}

/// Derivative of a discrete action, a sum over the links of a curve, along a variation of its points.
template <class R, class Link>
double variation(const std::vector<typename R::State>& curve, const std::vector<typename R::State>& varied,
                 const Link& link) {
  using Along = Dual<double, 1>;
  const auto point = [&](std::size_t k) {
    Vec<Along, R::n> x;
    for (int i = 0; i < R::n; ++i) {
      x[i] = Along(curve[k].x[i]);
      x[i].tangent[0] = varied[k].x[i];
    }
    return x;
  };
  double sum = 0;
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    Along turn(curve[k + 1].theta - curve[k].theta);
    turn.tangent[0] = varied[k + 1].theta - varied[k].theta;
    sum += link(point(k), point(k + 1), turn).tangent[0];
  }
  return sum;
}

TEST(DiscreteRouth, HasTheFourEquivalentFormsOfTheTheorem) {
  using Along = Dual<double, 1>;
  const auto check = [](const auto& on) {
    using R = std::decay_t<decltype(on)>;
    constexpr int steps = 12;
    // Reduced, and reconstructed; and the solution of the discrete Euler-Lagrange equations on all coordinates.
    const auto reduced = on.trajectory(on.example(), steps);
    std::vector<typename R::State> unreduced(reduced.begin(), reduced.begin() + 2);
    for (int k = 1; k < steps; ++k) {
      const auto &last = unreduced[k - 1], &at = unreduced[k];
      const auto left = on.slopes(last.x, at.x, at.theta - last.theta);
      const auto residual = [&](const Vector& q) {
        const auto right = on.slopes(at.x, q.head(R::n), q[R::n] - at.theta);
        Vector r(R::n + 1);
        r << left.second + right.first, left.turn - right.turn;
        return r;
      };
      Vector q(R::n + 1);
      q << 2 * at.x - last.x, 2 * at.theta - last.theta;
      for (int i = 0; i < 12; ++i) {
        Matrix jacobian(R::n + 1, R::n + 1);
        for (int j = 0; j <= R::n; ++j) {
          const Vector e = 1e-6 * Vector::Unit(R::n + 1, j);
          jacobian.col(j) = (residual(q + e) - residual(q - e)) / 2e-6;
        }
        q -= solve(jacobian, residual(q));
      }
      unreduced.push_back({q.head(R::n), R::Shape::Zero(), q[R::n]});
    }
    // Each is the projection, and the lift, of the other; errors of the two links that both begin with are carried on.
    for (int k = 0; k <= steps; ++k) {
      EXPECT_LT((unreduced[k].x - reduced[k].x).norm(), 2e-13) << k;
      EXPECT_NEAR(unreduced[k].theta, reduced[k].theta, 2e-13) << k;
    }
    // Both principles: variations that vanish at the ends, of all coordinates, and of shapes with the turns that go
    // with them at the momentum mu.
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    auto varied = reduced;
    for (int k = 0; k <= steps; ++k) {
      const bool is_end = k == 0 || k == steps;
      for (int i = 0; i < R::n; ++i) varied[k].x[i] = is_end ? 0 : normal(random);
      varied[k].theta = is_end ? 0 : normal(random);
    }
    const auto action = [&](const auto& a, const auto& b, const Along& turn) { return on.action(a, b, turn); };
    EXPECT_LT(std::abs(variation<R>(reduced, varied, action)), 2e-12);  // sums of 12 momenta, of roundings 1e-16/h
    // d R_d = d(L_d - mu turn) is the same for any variation of the turn.
    for (int k = 0; k <= steps; ++k) varied[k].theta = normal(random);
    const auto routhian = [&](const auto& a, const auto& b, const Along& turn) {
      return on.action(a, b, turn) - Along(on.mu) * turn;
    };
    EXPECT_LT(std::abs(variation<R>(reduced, varied, routhian)), 2e-12);
    EXPECT_GT(std::abs(variation<R>(reduced, varied, action)), 0.1);  // mu times that of the angle between the ends
    auto disturbed = reduced;
    disturbed[steps / 2].x[0] += 1e-3;
    EXPECT_GT(std::abs(variation<R>(disturbed, varied, routhian)), 1e-3);
  };
  check(Pendulum(DiscreteAction::midpoint, 0.05));
  check(Satellite(DiscreteAction::midpoint, 0.1));
  check(Satellite(DiscreteAction::own, 0.1));
}

TEST(DiscreteRouth, LiftsAnyCurveOfShapesUniquely) {
  // The lemma of reconstruction, which asks for no equations of motion: with D33 L_d > 0 there is one turn near 0.
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto check = [&](const auto& on) {
    auto x = on.example().x;
    for (int k = 0; k < 20; ++k) {
      auto next = x;
      for (double& component : next) component += 0.3 * on.h * uniform(random);
      const double turn = on.turn(x, next);
      EXPECT_NEAR(on.slopes(x, next, turn).turn, on.mu, 1e-13);
      for (const double start : {-0.3, 0.3}) EXPECT_NEAR(on.turn(x, next, start), turn, 1e-15);
      x = next;
    }
  };
  check(Pendulum(DiscreteAction::midpoint, 0.05));
  check(Satellite(DiscreteAction::own, 0.05));
  // In Cartesian coordinates, D3 L_d = r0 r1 sin(turn)/h without gravity: there is none where r0 r1 < |mu| h.
  const Satellite on(DiscreteAction::own, 0.5, {0, 0.01, 50});
  const Satellite::Shape x0{10, 3}, near{2, 3}, far{6, 3};
  double largest_near = 0, largest_far = 0;
  for (double turn = 0; turn < std::numbers::pi / 2; turn += 0.01) {
    largest_near = std::max(largest_near, on.slopes(x0, near, turn).turn);
    largest_far = std::max(largest_far, on.slopes(x0, far, turn).turn);
  }
  EXPECT_LT(largest_near, on.mu);
  EXPECT_GT(largest_far, on.mu);
}

TEST(DiscreteRouth, LegendreTransformsCommuteWithTheMomentumShift) {
  const auto check = [](const auto& on) {
    const auto path = on.trajectory(on.example(), 20);
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      const auto &a = path[k], &b = path[k + 1];
      // Of the link on all coordinates: D2 L_d, then less A_mu = mu (dtheta + A.dx), which leaves nothing of dtheta.
      const auto link = on.slopes(a.x, b.x, b.theta - a.theta);
      EXPECT_NEAR(link.turn, on.mu, 2e-14);
      // 1e-13: roundings of positions over h.
      EXPECT_LT((link.second - on.mu * on.metric(b.x).connection - b.s).norm(), 1e-13);
      EXPECT_LT((-link.first - on.mu * on.metric(a.x).connection - a.s).norm(), 1e-13);
    }
  };
  check(Pendulum(DiscreteAction::midpoint, 0.05));
  check(Satellite(DiscreteAction::own, 0.1));
  // The reduced transform of the paper, D2 L_b - A^_2.
  const Pendulum on(DiscreteAction::midpoint, 0.05);
  auto a = on.example(), b = a;
  ASSERT_TRUE(on.step(b));
  const PaperTerms terms(on, a.x, b.x);
  EXPECT_LT((terms.lagrangian2 - terms.form2 - b.s).norm(), 1e-13);
  EXPECT_GT((terms.lagrangian2 - b.s).norm(), 0.1);
}

TEST(DiscreteRouth, KeepsTheFormWithItsMagneticTerm) {
  // J^T F(x1) J - F(x) of the form F = dx ^ ds - scale beta.
  const auto defect = [](const auto& on, auto at, double scale) {
    using R = std::decay_t<decltype(on)>;
    const auto form = [&](const auto& x) {
      Matrix F = Matrix::Zero(2 * R::n, 2 * R::n);
      F.topRightCorner(R::n, R::n).setIdentity();
      F.bottomLeftCorner(R::n, R::n) = -Matrix::Identity(R::n, R::n);
      F.topLeftCorner(R::n, R::n) = -scale * on.metric(x).magnetic(on.mu);
      return F;
    };
    const Matrix J = on.jacobian(at), before = form(at.x);
    EXPECT_TRUE(on.step(at));
    return (congruent(J, form(at.x)) - before).cwiseAbs().maxCoeff();
  };
  const Pendulum on(DiscreteAction::midpoint, 0.05);
  for (const auto& at : on.trajectory(on.example(), 20)) {
    EXPECT_LT(defect(on, at, 1), 1e-13);  // 1e-11 asked for
    EXPECT_GT(defect(on, at, 0), 1e-4);
    EXPECT_GT(defect(on, at, -1), 1e-4);
  }
  for (const DiscreteAction kind : {DiscreteAction::midpoint, DiscreteAction::own}) {
    const Satellite satellite(kind, 0.3);
    for (const auto& at : satellite.trajectory(satellite.example(), 20)) EXPECT_LT(defect(satellite, at, 1), 1e-13);
  }
}

TEST(DiscreteRouth, MagneticTermTendsToBeta) {
  // The one-forms A^_2(x0, x1) + A^_1(x1, x2), less what L_b has of mu^2/I in the place of V_mu's -mu^2/(2 I), over h,
  // at x1 on a smooth curve: i_x' beta, with an error of h^2.
  const auto curve = [](double t) {
    return Pendulum::Shape(0.5 + 0.1 * std::sin(t), 0.4 - 0.05 * t + 0.1 * t * t, 0.3 + 0.2 * std::cos(t));
  };
  const auto error = [&](double h) {
    const Pendulum on(DiscreteAction::midpoint, h);
    const Pendulum::Shape x0 = curve(-h), x1 = curve(0), x2 = curve(h), v(0.1, -0.05, 0);
    const PaperTerms before(on, x0, x1), after(on, x1, x2);
    const auto locked = [&](const Pendulum::Shape& x) -> Pendulum::Shape {
      const auto at = on.metric(x);
      return -on.mu * on.mu / (at.inertia * at.inertia) * at.inertia_slope;
    };
    const Pendulum::Shape term = (before.form2 + after.form1) / h - (locked((x0 + x1) / 2) + locked((x1 + x2) / 2)) / 2;
    return (term - on.metric(x1).magnetic(on.mu).transpose() * v).norm();
  };
  EXPECT_GT(error(0.1), 1e-4);
  EXPECT_NEAR(error(0.1) / error(0.05), 4, 0.05);
  EXPECT_NEAR(error(0.05) / error(0.025), 4, 0.02);
}

TEST(DiscreteRouth, IsRegularNearTheDiagonal) {
  // -h D1 D2 L_d on all coordinates is the metric there, which is not singular, nor is its last element, I, on the
  // vertical vectors.
  const auto mixed = [](const auto& on) {
    using R = std::decay_t<decltype(on)>;
    const auto x = on.example().x;
    Matrix second(R::n + 1, R::n + 1);
    const double step = 1e-6;
    const auto first = [&](const auto& end, double turn) {
      const auto slopes = on.slopes(x, end, turn);
      Vector all(R::n + 1);
      all << slopes.first, -slopes.turn;  // by theta0
      return all;
    };
    for (int k = 0; k <= R::n; ++k) {
      auto ahead = x, behind = x;
      if (k < R::n) ahead[k] += step, behind[k] -= step;
      const double turn = k == R::n ? step : 0;
      second.col(k) = (first(ahead, turn) - first(behind, -turn)) / (2 * step);
    }
    Matrix metric = Matrix::Zero(R::n + 1, R::n + 1);
    const auto at = on.metric(x);
    Vector row(R::n + 1);
    row << at.connection, 1;
    metric.topLeftCorner(R::n, R::n) = at.horizontal;
    metric += at.inertia * row * row.transpose();
    return Matrix(-on.h * second - metric).norm() / metric.norm();
  };
  // Terms of V'' h^2/4, and differences to 1e-8.
  EXPECT_LT(mixed(Pendulum(DiscreteAction::midpoint, 1e-3)), 1e-5);
  EXPECT_LT(mixed(Satellite(DiscreteAction::midpoint, 1e-3)), 1e-5);
  EXPECT_LT(mixed(Satellite(DiscreteAction::own, 1e-3)), 1e-5);
}

TEST(DiscreteRouth, EndsWhereItIsNotSolvedFor) {
  const auto expect_failure = [](const auto& on, auto at) {
    const auto start = at;
    EXPECT_FALSE(on.step(at));
    EXPECT_EQ(on.failure(start), Status::not_converged);
  };
  // Too long a step.
  const Pendulum pendulum(DiscreteAction::midpoint, 0.7);
  expect_failure(pendulum, pendulum.example());
  for (const DiscreteAction kind : {DiscreteAction::midpoint, DiscreteAction::own}) {
    const Satellite satellite(kind, 1.5);
    expect_failure(satellite, satellite.example());
    // Almost to the axis, about which it turns through a large angle.
    expect_failure(Satellite(kind, 0.1, {0, 0.01, 0.1}), Satellite::State{{0.05, 0.5}, {-1, 0}, 0});
  }
  // Beyond its end the chart has no metric.
  const Pendulum far(DiscreteAction::midpoint, 20);
  Pendulum::State at = far.example();
  EXPECT_FALSE(far.step(at));
}

TEST(CartesianDiscreteRouth, IsTheMidpointRuleInSpace) {
  // Roundings in 1000 steps, and the different motion along the orbit that they lead to: 5e-13 is found.
  for (const double oblateness : {0.0, 0.05}) {
    const double inclination = 0.3, h = 0.1;
    const Satellite on(DiscreteAction::own, h, {oblateness, 0.01, std::cos(inclination)});
    Satellite::State at{{1, 0}, {0, std::sin(inclination)}, 0};
    const std::vector<double> p{oblateness, 0.01};
    J2Satellite::State<double> x{1, 0, 0, 0, std::cos(inclination), std::sin(inclination)};
    double largest = 0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(on.step(at));
      ASSERT_TRUE((advance_by<RungeKutta<J2Satellite>, double>(
          p.data(), RungeKuttaOptions{.scheme = RungeKuttaScheme::implicit_midpoint}, h, all_sweeps, 1, x)));
      const double r = std::hypot(x[0], x[1]);
      const Satellite::State projected{
          {r, x[2]},
          {(x[0] * x[3] + x[1] * x[4]) / r, x[5]},
          at.theta + std::remainder(std::atan2(x[1], x[0]) - at.theta, 2 * std::numbers::pi)};
      largest = std::max(largest, distance<Satellite>(at, projected));
    }
    EXPECT_LT(largest, 1e-12);
  }
}

TEST(CartesianDiscreteRouth, KeepsTheOrbitInItsPlane) {
  // About a sphere, with h = 0.3: the longitude of the node, from the angular momentum of a state. The rule in
  // cylindrical coordinates makes it precess by 0.0532 in an orbit.
  const double inclination = 0.3, h = 0.3;
  const auto precession = [&](DiscreteAction kind) {
    const Satellite on(kind, h, {0, 0.01, std::cos(inclination)});
    const Satellite::System::Model<double> model(on.p.data());
    const int node = 7;  // after 5 columns, the energy and the distance
    EXPECT_STREQ(Satellite::System::observables[node].name, "node");
    Satellite::State at{{1, 0}, {0, std::sin(inclination)}, 0};
    EXPECT_TRUE(on.step(at, 1000));
    const double circle = 2 * std::numbers::pi;
    const double moved = std::remainder(model.observe(node, Satellite::to(at)), circle);  // a third of a turn
    return moved / ((at.theta - moved) / circle);  // in one orbit from node to node
  };
  EXPECT_LT(std::abs(precession(DiscreteAction::own)), 1e-13);
  EXPECT_NEAR(precession(DiscreteAction::midpoint), 0.0532, 1e-4);
}

}  // namespace
}  // namespace polhode::test
