// A system of the catalog at some parameters, with every step map and solver that advances it, seen without their
// types: a step is compiled once for all suites. Subjects and the methods on them follow the type lists of the build,
// so that a new entry of the catalog enters the suites with its line in CMakeLists.txt.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "numerics/scheme.hpp"

namespace polhode::test {

using State = Eigen::VectorXd;
/// A map of states with its derivative: carries x and a tangent vector at x. False where a step was not valid.
using TangentMap = std::function<bool(State& x, State& tangent)>;

/// A case of a step map over a share of the step.
struct Part {
  Scheme scheme;
  double share = 1;
};
/// Of one step, in turn.
using Stages = std::vector<Part>;

/// How far a state is from where its position and its momentum should be; 0 where there are no constraints.
struct Distances {
  double position = 0;           ///< to the constraints along W G^T, over |q|
  double momentum = 0;           ///< of p to its space by Scheme::momentum, over |p|; 0 where it has none
  double hidden_constraint = 0;  ///< of p to CM, over |p|
  double hidden_at_lift = 0;     ///< of its lift to CM
};

/// The largest values along a trajectory.
struct Excursion {
  bool valid = true;
  Eigen::VectorXd changes;  ///< of Subject::invariants against their start, over the size of the terms of each
  Distances distances;
};

class Subject {
 public:
  /// In place of a solver: the negative control of every suite, an explicit rule of order 2 that has no other property;
  /// on constraints the point that it finds is projected to them.
  static constexpr int explicit_midpoint = -1;

  Subject(const char* name, const std::vector<double>& parameters);
  virtual ~Subject() = default;

  const SystemEntry& system;
  const std::vector<double> parameters;
  double step;           ///< System::example_step
  bool is_free = false;  ///< nothing kicks: all methods that are made of kicks are one map, of order 2
  bool has_constraints = false;
  bool has_tangent_space = false;    ///< its momenta may be those of TN: constraints, and a mass that is constant
  std::vector<int> parts;            ///< columns that have a size in common, in order: q and p; Pi and Gamma
  std::vector<const char*> solvers;  ///< of all its step maps
  /// That hold for the parameters: the energy, which comes first, and the others.
  std::vector<int> invariants;
  std::vector<bool> is_casimir;  ///< [invariants.size()]

  int dim() const { return system.dim; }
  const char* invariant_name(int k) const { return system.invariants[invariants[k]].name; }
  const char* solver_name(int solver) const { return solver == explicit_midpoint ? "explicit" : solvers[solver]; }

  /// Near the example, where the system may start, with the momentum asked for.
  State start(std::mt19937_64& random, Momentum momentum) const;

  bool advance(int solver, const Stages& stages, double h, std::int64_t steps, State& x) const;
  /// One step.
  TangentMap tangent_step(int solver, const Stages& stages, double h) const;
  /// Looks at the state after every `stride`-th of the steps.
  Excursion follow(int solver, const Stages& stages, double h, std::int64_t steps, std::int64_t stride, State x) const;
  /// The exact flow over t, by the classical Runge-Kutta method on the equations of motion.
  State exact(double t, int steps, State x) const;

  /// The equations of motion, on the constraints: of the energy and the structure, not of any method.
  virtual State flow(const State& x) const = 0;
  virtual double invariant(int index, const State& x) const = 0;
  virtual Eigen::VectorXd invariant_gradient(int index, const State& x) const = 0;
  double energy(const State& x) const { return invariant(0, x); }

  /// The largest change by the map of the structure that the flow keeps, at x and relative to it: of the canonical form
  /// on the manifold of such momenta, or of the Poisson tensor.
  virtual double structure_defect(Momentum momentum, const State& x, const TangentMap& map) const = 0;

  virtual Distances distances(const State&, Momentum) const { return {}; }
  /// With the momentum lifted to the hidden constraint.
  virtual State lifted(const State& x) const { return x; }
  /// To the nearby point of the constraints.
  virtual State projected(const State& x) const { return x; }
  /// (q, psi(q, p)), from CM to TN; where there is such a space.
  virtual TangentMap tangent_psi() const { return {}; }

  /// The largest relative difference of the parts of two states.
  double distance(const State& a, const State& b) const;

 protected:
  virtual int nominal_sweeps(int solver, const Scheme& scheme, double h) const = 0;
  virtual bool step_by(int solver, const Scheme& scheme, double h, int sweeps, std::int64_t steps, State& x) const = 0;
  virtual bool step_along(int solver, const Scheme& scheme, double h, int sweeps, State& x, State& tangent) const = 0;
  /// How far random starts are from the example, over the size of each part.
  virtual std::vector<double> spread() const { return std::vector<double>(parts.size(), 0.5); }

 private:
  State midpoint_step(double h, const State& x) const;
};

/// A method on a system, with any of its solvers.
struct Method {
  std::string system, name;
  std::vector<const Subject*> subjects;  ///< the system at parameters that the method can be used with; not empty
  std::vector<int> solvers;              ///< indices of Subject::solvers; not empty
  Stages stages;
  Properties properties;
  int map_order = 2;  ///< of a step map with a choice of orders

  Momentum momentum() const { return stages.front().scheme.momentum; }
  bool is_made_of_kicks() const;
  /// Without kicks all methods that are made of them, with the moments of the body, are one symmetric map of order 2
  /// (MS Theorem 6).
  int order(const Subject& subject) const {
    const bool is_that_map = subject.is_free && is_made_of_kicks() && map_order == 2;
    return is_that_map ? 2 : properties.order;
  }
  bool is_symmetric(const Subject& subject) const {
    return properties.symmetric || (subject.is_free && is_made_of_kicks());
  }
};

/// Every system of the build at its example parameters, in the order of CMakeLists.txt.
const std::vector<const Subject*>& subjects();
const Subject& subject_of(std::string_view system);

/// Every method on every system, once; with order 2 where there is a choice.
const std::vector<Method>& catalog_methods();
/// Half a step of a method that is not symmetric, then half a step of its adjoint where that is a method, too: a
/// symmetric map, hence of even order.
const std::vector<Method>& compositions();
/// Methods with a choice of orders, with order 4, or the highest below it, every map of other kinds, and those with a
/// choice of stages with other numbers of them. Higher ones have their tests in preprocessed_rotation_test.cpp and
/// composition_order_test.cpp, because at the step of the example little of their errors is above round-off.
const std::vector<Method>& methods_of_higher_order();
/// Subject::explicit_midpoint on every system.
const std::vector<Method>& controls();

inline std::string as_identifier(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  return name;
}
inline std::string method_name(const ::testing::TestParamInfo<Method>& info) {
  return as_identifier(info.param.system + "_" + info.param.name);
}
inline void PrintTo(const Method& method, std::ostream* to) { *to << method.name << " on " << method.system; }
inline void PrintTo(const Subject* subject, std::ostream* to) { *to << subject->system.name; }
inline std::string subject_name(const ::testing::TestParamInfo<const Subject*>& info) {
  return as_identifier(info.param->system.name);
}

}  // namespace polhode::test
