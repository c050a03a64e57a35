// Every system with constraints of the catalog at its example parameters, and every method and solver on it, seen
// without their types, so that a step is compiled once for all suites of constrained_*_test.cpp. They follow the type
// lists of the build: a new system enters with its line in CMakeLists.txt.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "polhode/method/coefficients.hpp"
#include "polhode/method/properties.hpp"

namespace polhode::test {

using State = Eigen::VectorXd;  ///< q, p
/// A map of states with its derivative: carries x and a tangent vector at x. False where a step was not valid.
using TangentMap = std::function<bool(State& x, State& tangent)>;

/// The largest values along a trajectory.
struct Excursion {
  bool valid = true;
  Eigen::VectorXd changes;       ///< of the invariants against their start, over the size of the terms they are made of
  double position = 0;           ///< distance to the constraints along W G^T, over |q|
  double momentum = 0;           ///< of p to its space by Coefficients::momentum, over |p|; 0 where it has none
  double hidden_constraint = 0;  ///< of p to CM, over |p|
  double hidden_at_lift = 0;     ///< of its lift to CM
};

class Subject {
 public:
  virtual ~Subject() = default;

  const char* name = nullptr;
  int N = 0, D = 0;
  double step = 0;                      ///< System::example_step
  bool is_free = false;                 ///< V_q = 0: kicks do nothing
  bool has_tangent_space = false;       ///< its momenta may be those of TN: the mass is constant
  std::vector<const char*> solvers;     ///< of all its step maps
  std::vector<const char*> invariants;  ///< that hold for the example parameters; the first is the energy

  /// Near the example, on its constraints, with the momentum asked for.
  virtual State start(std::mt19937_64& random, Momentum momentum) const = 0;
  virtual bool advance(int solver, const Coefficients& coefficients, double h, std::int64_t steps, State& x) const = 0;
  /// Looks at the state after every `stride`-th of the steps.
  virtual Excursion follow(int solver, const Coefficients& coefficients, double h, std::int64_t steps,
                           std::int64_t stride, State x) const = 0;

  /// One step.
  virtual TangentMap tangent_step(int solver, const Coefficients& coefficients, double h) const = 0;
  /// (q, psi(q, p)), from CM to TN.
  virtual TangentMap tangent_psi() const = 0;
  /// What vanishes on the space of such momenta: g, and G W p (CM) or G p (TN) or nothing; its Jacobian.
  virtual Eigen::MatrixXd conditions_jacobian(const State& x, Momentum momentum) const = 0;

  /// With the momentum lifted to the hidden constraint.
  virtual State lifted(const State& x) const = 0;
  /// To the nearby point of CM.
  virtual State projected(const State& x) const = 0;
  /// The equations of motion with the multipliers eliminated, at a point of CM.
  virtual State flow(const State& x) const = 0;
  virtual double energy(const State& x) const = 0;
};

/// Of the build, in the order of CMakeLists.txt.
const std::vector<const Subject*>& subjects();

/// A method on a system, with any of its solvers.
struct ConstrainedMethod {
  const Subject* subject;
  std::vector<int> solvers;  ///< indices of Subject::solvers; not empty
  const char* name;
  Coefficients coefficients;
  Properties properties;

  /// Without kicks all methods are RATTLE.
  int order() const { return subject->is_free ? 2 : properties.order; }
  bool is_symmetric() const { return subject->is_free || properties.symmetric; }
};
const std::vector<ConstrainedMethod>& constrained_methods();
inline void PrintTo(const Subject* subject, std::ostream* to) { *to << subject->name; }
inline void PrintTo(const ConstrainedMethod& method, std::ostream* to) {
  *to << method.name << " on " << method.subject->name;
}

inline std::string as_identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
inline std::string subject_name(const ::testing::TestParamInfo<const Subject*>& info) {
  return as_identifier(info.param->name);
}
inline std::string method_name(const ::testing::TestParamInfo<ConstrainedMethod>& info) {
  return as_identifier(std::string(info.param.subject->name) + "_" + info.param.name);
}

/// The larger of the relative differences of positions and of momenta.
inline double distance(const State& a, const State& b) {
  const auto n = a.size() / 2;
  return std::max((a - b).head(n).norm() / b.head(n).norm(), (a - b).tail(n).norm() / b.tail(n).norm());
}

}  // namespace polhode::test
