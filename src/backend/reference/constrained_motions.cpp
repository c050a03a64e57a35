#include "backend/reference/constrained_motions.hpp"

#include "backend/reference/dense_solve.hpp"
#include "backend/reference/discrete_routh_motion.hpp"
#include "backend/reference/flow_motion.hpp"
#include "backend/reference/free_motion.hpp"
#include "backend/reference/generated_motion.hpp"
#include "backend/reference/hamiltonian_motion.hpp"
#include "backend/reference/kicked_motion.hpp"
#include "backend/reference/lobatto_motion.hpp"
#include "backend/reference/mechanical_problem.hpp"
#include "backend/reference/reduced_motion.hpp"
#include "backend/reference/reduced_rates.hpp"
#include "backend/reference/substituted_flow.hpp"
#include "backend/reference/variational_motion.hpp"

namespace polhode {
namespace {

/// x with a x = b, solved as a real system of twice the size: decompositions of complex matrices take long to compile.
Eigen::VectorXcd solve_complex(const Eigen::MatrixXcd& a, const Eigen::VectorXcd& b) {
  const auto n = b.size();
  Eigen::MatrixXd matrix(2 * n, 2 * n);
  matrix << a.real(), -a.imag(), a.imag(), a.real();
  Eigen::VectorXd right(2 * n);
  right << b.real(), b.imag();
  const Eigen::VectorXd x = solve_dense<double>(matrix, right);
  return x.head(n) + Complex(0, 1) * x.tail(n);
}

}  // namespace

std::unique_ptr<Motion> make_motion(const MechanicalValues& system, const ReferenceMethod& method) {
  if (system.D == 0) {
    if (method.name == "generating-function") return std::make_unique<GeneratedMotion>(system, method);
    if (method.is_one_of({"stoermer-verlet", "symplectic-euler", "symplectic-euler-adjoint", "splitting"}))
      return std::make_unique<FreeMotion>(system);
    return std::make_unique<FlowMotion>(system, method);
  }
  if (method.name == "lobatto") return std::make_unique<LobattoMotion>(hamiltonian_values(system), method);
  if (method.name == "variational") return std::make_unique<VariationalMotion>(hamiltonian_values(system), method);
  if (method.is_one_of({"rattle", "rattle-tn", "shake", "constraint-euler", "constraint-euler-adjoint"}))
    return std::make_unique<KickedMotion>(mechanical_problem(system), momentum_of(method));
  return std::make_unique<SubstitutedFlow>(mechanical_problem(system), method);
}

std::unique_ptr<Motion> make_motion(const HamiltonianValues& system, const ReferenceMethod& method) {
  if (system.D == 0) return std::make_unique<FlowMotion>(system, method);
  if (method.name == "lobatto") return std::make_unique<LobattoMotion>(system, method);
  if (method.name == "variational") return std::make_unique<VariationalMotion>(system, method);
  require_one_of(method, {"rattle", "constraint-euler", "constraint-euler-adjoint"});
  return std::make_unique<HamiltonianMotion>(system);
}

std::unique_ptr<Motion> make_motion(const CyclicValues& system, const ReferenceMethod& method) {
  const int n = system.n;
  const auto hamiltonian = [=](const Complex* q, const Complex* p) {
    Eigen::VectorXcd metric(system.count());
    system.metric(q, metric.data());
    const Complex mu = p[n], inertia = metric[n * n + n], potential = metric[n * n + n + 1];
    const Eigen::VectorXcd s = Eigen::Map<const Eigen::VectorXcd>(p, n) - mu * metric.segment(n * n, n);
    const Eigen::VectorXcd v = solve_complex(Eigen::Map<const Eigen::MatrixXcd>(metric.data(), n, n), s);
    return ((s.transpose() * v)(0) + mu * mu / inertia) / 2.0 + potential;
  };
  return make_motion(HamiltonianValues{n + 1, 0, hamiltonian, {}}, method);
}

std::unique_ptr<Motion> make_motion(const CyclicValues& system, double mu, const ReferenceMethod& method) {
  if (method.name == "discrete-routh") return std::make_unique<DiscreteRouthMotion>(system, mu, method);
  if (method.name == "runge-kutta") {
    const auto rate = [n = system.n, rates = ReducedRates(system, mu)](const Eigen::VectorXd& x) {
      const ReducedRates::Rates at = rates(x.head(n), x.segment(n, n));
      Eigen::VectorXd all(2 * n + 1);
      all << at.velocity, at.force, at.angle_rate;
      return all;
    };
    return std::make_unique<FlowMotion>(2 * system.n + 1, rate, method);
  }
  return std::make_unique<ReducedMotion>(system, mu, method);
}

}  // namespace polhode
