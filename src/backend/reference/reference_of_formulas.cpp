#include "backend/reference/reference_of_formulas.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <span>
#include <vector>

#include "backend/reference/constrained_motions.hpp"
#include "backend/reference/reference_run.hpp"
#include "formula/evaluate.hpp"

namespace polhode {
namespace {

using Vector = Eigen::VectorXcd;
using Matrix = Eigen::MatrixXcd;

/// Values of the formulas of a system with given parameters, and their derivatives by dual numbers, at complex points.
class Formulas {
 public:
  Formulas(const FormulaSystem& system, const double* parameters)
      : system_(system), parameters_(parameters, parameters + system.n_numbers) {}

  int N() const { return system_.N; }
  int D() const { return system_.D(); }
  const FormulaSystem& system() const { return system_; }

  /// Values of nodes at positions q[N] and momenta p[N].
  template <class T>
  std::vector<T> values(std::span<const int> nodes, const T* q, const T* p) const {
    std::vector<T> variables(q, q + N());
    variables.insert(variables.end(), p, p + N());
    for (const double parameter : parameters_) variables.emplace_back(Real<T>(parameter));
    const FormulaValues<T> all(system_.tree, system_.tree.used_by(nodes), variables);
    std::vector<T> chosen;
    for (const int node : nodes) chosen.push_back(all[node]);
    return chosen;
  }
  template <class T>
  T value(int node, const T* q, const T* p) const {
    return values(std::span(&node, 1), q, p).front();
  }
  template <class T>
  std::vector<T> constraints(const T* q) const {
    return values(std::span(system_.constraints), q, q);  // no momentum stands in them
  }

  /// Derivatives of nodes at (q, p) along (dq, dp).
  Vector along(std::span<const int> nodes, const Vector& q, const Vector& p, const Vector& dq, const Vector& dp) const {
    using Along = Dual<Complex, 1>;
    const auto moving = [](const Vector& x, const Vector& dx) {
      std::vector<Along> all(x.begin(), x.end());
      for (std::size_t i = 0; i < all.size(); ++i) all[i].tangent[0] = dx[static_cast<Eigen::Index>(i)];
      return all;
    };
    const std::vector<Along> found = values(nodes, moving(q, dq).data(), moving(p, dp).data());
    Vector derivatives(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) derivatives[static_cast<Eigen::Index>(i)] = found[i].tangent[0];
    return derivatives;
  }
  /// Second derivative of a node along (dq, dp) and (eq, ep).
  Complex along_twice(int node, const Vector& q, const Vector& p, const Vector& dq, const Vector& dp, const Vector& eq,
                      const Vector& ep) const {
    using Once = Dual<Complex, 1>;
    using Twice = Dual<Once, 1>;
    const auto moving = [](const Vector& x, const Vector& dx, const Vector& ex) {
      std::vector<Twice> all;
      for (Eigen::Index i = 0; i < x.size(); ++i) {
        Once inner(x[i]);
        inner.tangent[0] = dx[i];
        all.emplace_back(inner);
        all.back().tangent[0] = Once(ex[i]);
      }
      return all;
    };
    return value(node, moving(q, dq, eq).data(), moving(p, dp, ep).data()).tangent[0].tangent[0];
  }

  Matrix jacobian_of_constraints(const Vector& q) const {
    Matrix jacobian(D(), N());
    for (int j = 0; j < N(); ++j) jacobian.col(j) = along(system_.constraints, q, zero(), unit(j), zero());
    return jacobian;
  }
  Vector curvature(const Vector& q, const Vector& v) const {
    Vector all(D());
    for (int i = 0; i < D(); ++i)
      all[i] = along_twice(system_.constraints[static_cast<std::size_t>(i)], q, zero(), v, zero(), v, zero());
    return all;
  }
  Vector position_gradient(int node, const Vector& q, const Vector& p) const {
    Vector gradient(N());
    for (int i = 0; i < N(); ++i) gradient[i] = along({&node, 1}, q, p, unit(i), zero())[0];
    return gradient;
  }
  Vector momentum_gradient(int node, const Vector& q, const Vector& p) const {
    Vector gradient(N());
    for (int i = 0; i < N(); ++i) gradient[i] = along({&node, 1}, q, p, zero(), unit(i))[0];
    return gradient;
  }

  /// W of a mechanical system.
  Eigen::MatrixXd inverse_mass() const {
    Eigen::MatrixXd w = Eigen::MatrixXd::Zero(N(), N());
    const std::vector<double> nowhere(static_cast<std::size_t>(N()));
    for (int i = 0; i < N(); ++i)
      for (int j = 0; j < N(); ++j)
        if (const int node = system_.mechanical->inverse_mass[static_cast<std::size_t>(i * N() + j)]; node >= 0)
          w(i, j) = value(node, nowhere.data(), nowhere.data());
    return w;
  }

  /// Momentum without its part along the gradients of the constraints that W turns into velocity off them; of a
  /// Hamiltonian that is not mechanical as it is.
  std::vector<double> lifted(const double* q, const double* p) const {
    std::vector<double> all(p, p + N());
    if (D() == 0 || !system_.mechanical) return all;
    const Vector position = Eigen::Map<const Eigen::VectorXd>(q, N()).cast<Complex>();
    const Eigen::MatrixXd g = jacobian_of_constraints(position).real(), w = inverse_mass();
    Eigen::Map<Eigen::VectorXd> momentum(all.data(), N());
    momentum -= (g.transpose() * (g * w * g.transpose()).partialPivLu().solve(g * w * momentum)).eval();
    return all;
  }

  Vector zero() const { return Vector::Zero(N()); }
  Vector unit(int i) const { return Vector::Unit(N(), i); }

 private:
  const FormulaSystem system_;
  const std::vector<double> parameters_;
};
using Shared = std::shared_ptr<const Formulas>;

double size_of(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += std::abs(x);
  return sum;
}

bool holds(FormulaRelation relation, double left, double right) {
  switch (relation) {
    case FormulaRelation::less: return left < right;
    case FormulaRelation::less_equal: return left <= right;
    case FormulaRelation::greater: return left > right;
    case FormulaRelation::greater_equal: return left >= right;
  }
  return false;
}

Observables observables_of(const Shared& formulas) {
  const FormulaSystem& system = formulas->system();
  const int N = system.N, n_invariants = 1 + static_cast<int>(system.conserved.size()) + (system.D() > 0 ? 1 : 0);
  const auto value = [=](int node, const double* x) {
    return formulas->value(node, x, formulas->lifted(x, x + N).data());
  };
  Observables observables{
      2 * N, n_invariants,
      [=](int i, const double* x) {
        const FormulaSystem& all = formulas->system();
        if (i < 2 * N) return x[i];
        return value(i == 2 * N ? all.hamiltonian : all.observables[static_cast<std::size_t>(i - 2 * N - 1)].node, x);
      },
      [=](int i, const double* x) {
        const FormulaSystem& all = formulas->system();
        if (all.D() > 0 && i == n_invariants - 1) {
          double most = 0;
          for (const double g : formulas->constraints(x)) most = std::max(most, std::abs(g));
          return most;
        }
        return value(i == 0 ? all.hamiltonian : all.conserved[static_cast<std::size_t>(i - 1)].node, x);
      }};
  observables.magnitude = [=](int i, const double* x) {
    const FormulaSystem& all = formulas->system();
    const std::span<const double> q(x, static_cast<std::size_t>(N)), p(x + N, static_cast<std::size_t>(N));
    if (i < N) return size_of(q);
    if (i < 2 * N) return size_of(p);
    if (i > 2 * N) return size_of(q) + size_of(p);
    const std::vector<double> lifted = formulas->lifted(x, x + N);
    const double energy = formulas->value(all.hamiltonian, x, lifted.data());
    if (all.mechanical) {
      const double potential = formulas->value(all.mechanical->potential, x, lifted.data());
      return energy - potential + std::abs(potential);
    }
    const Vector position = Eigen::Map<const Eigen::VectorXd>(x, N).cast<Complex>(),
                 momentum = Eigen::Map<const Eigen::VectorXd>(x + N, N).cast<Complex>();
    const Vector velocity = formulas->momentum_gradient(all.hamiltonian, position, momentum);
    double sum = std::abs(energy);
    for (int k = 0; k < N; ++k) sum += std::abs(momentum[k]) * std::abs(velocity[k]);
    return sum;
  };
  observables.in_domain = [=](const double* x) {
    return std::ranges::all_of(formulas->system().domain, [&](const NodeComparison& comparison) {
      return holds(comparison.relation, formulas->value(comparison.left, x, x + N),
                   formulas->value(comparison.right, x, x + N));
    });
  };
  return observables;
}

std::function<void(const Complex* q, Complex* g)> constraints_of(const Shared& formulas) {
  if (formulas->D() == 0) return {};
  return [=](const Complex* q, Complex* g) { std::ranges::copy(formulas->constraints(q), g); };
}

/// Rates (q', u', S') of a layer, stored one after the other.
void store(const Vector& velocity, const Vector& rate, const Complex& action, Complex* rates) {
  std::ranges::copy(velocity, rates);
  std::ranges::copy(rate, rates + velocity.size());
  rates[2 * velocity.size()] = action;
}

/// Layer of a mechanical system, with momenta u (polhode/system/layer.hpp).
LayerFunction layer_of_mechanical(const Shared& formulas) {
  if (formulas->D() == 0) return {};
  return [formulas, w = Matrix(formulas->inverse_mass().cast<Complex>())](const Complex* curve, Complex* rates) {
    const int N = formulas->N(), V = formulas->system().mechanical->potential;
    const Vector q = Eigen::Map<const Vector>(curve, N), u = Eigen::Map<const Vector>(curve + N, N), v = w * u;
    const Vector gradient = formulas->position_gradient(V, q, u);
    const Matrix g = formulas->jacobian_of_constraints(q);
    const Vector load = formulas->curvature(q, v) - g * (w * gradient);
    const Vector multipliers = (g * w * g.transpose()).partialPivLu().solve(load);
    store(v, -(gradient + g.transpose() * multipliers),
          0.5 * (u.transpose() * v)(0) - formulas->value(V, q.data(), u.data()), rates);
  };
}

/// Layer of any other system, with velocities u.
LayerFunction layer_of_hamiltonian(const Shared& formulas) {
  if (formulas->D() == 0) return {};
  return [formulas](const Complex* curve, Complex* rates) {
    const int N = formulas->N(), H = formulas->system().hamiltonian;
    const Vector q = Eigen::Map<const Vector>(curve, N), v = Eigen::Map<const Vector>(curve + N, N);
    const Vector at_rest = formulas->momentum_gradient(H, q, formulas->zero());
    Matrix inverse_mass(N, N);
    for (int j = 0; j < N; ++j) inverse_mass.col(j) = formulas->momentum_gradient(H, q, formulas->unit(j)) - at_rest;
    const Vector p = inverse_mass.partialPivLu().solve(v - at_rest), gradient = formulas->position_gradient(H, q, p);
    Vector acceleration(N);
    for (int i = 0; i < N; ++i)
      acceleration[i] = formulas->along_twice(H, q, p, formulas->zero(), formulas->unit(i), v, -gradient);
    const Matrix g = formulas->jacobian_of_constraints(q);
    const Vector load = formulas->curvature(q, v) + g * acceleration;
    acceleration -= inverse_mass * (g.transpose() * (g * inverse_mass * g.transpose()).partialPivLu().solve(load));
    store(v, acceleration, (p.transpose() * v)(0) - formulas->value(H, q.data(), p.data()), rates);
  };
}

std::unique_ptr<Motion> motion_of(const Shared& formulas, const ReferenceMethod& method) {
  const int N = formulas->N();
  if (!formulas->system().mechanical)
    return make_motion(HamiltonianValues{N, formulas->D(),
                                         [=](const Complex* q, const Complex* p) {
                                           return formulas->value(formulas->system().hamiltonian, q, p);
                                         },
                                         constraints_of(formulas), layer_of_hamiltonian(formulas)},
                       method);
  const auto velocity = [N, w = formulas->inverse_mass()](const double* p, double* v) {
    Eigen::Map<Eigen::VectorXd>(v, N) = w * Eigen::Map<const Eigen::VectorXd>(p, N);
  };
  return make_motion(MechanicalValues{N, formulas->D(), velocity,
                                      [=](const Complex* q) {
                                        return formulas->value(formulas->system().mechanical->potential, q, q);
                                      },
                                      constraints_of(formulas), layer_of_mechanical(formulas)},
                     method);
}

}  // namespace

std::unique_ptr<Backend> make_reference_of_formulas(const FormulaSystem& formulas, const RunPlan& plan,
                                                    const ReferenceMethod& method) {
  const auto shared = std::make_shared<const Formulas>(formulas, plan.parameters);
  return make_reference_run(plan, observables_of(shared), motion_of(shared, method));
}

}  // namespace polhode
