#include "ensemble/relative_equilibrium.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "spec/schema.hpp"

namespace polhode {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr int max_newton_steps = 100, max_halvings = 30;
/// Largest correction, relative to the size of the shape, and largest force, relative to the sizes of its terms, with
/// which a result of Newton's method is accepted once it improves no more.
constexpr double small = 1e-8;
/// Least ratio of the smallest to the largest singular value of a map from momenta to velocities that is regular.
constexpr double singular = 1e-12;

/// Force -dV_mu on a shape x, with the amended potential V_mu (polhode/system/cyclic_coordinate.hpp): the rate s' of
/// the reduced momentum s where s = 0.
class Force {
 public:
  explicit Force(const ResolvedRun& run) : run_(run), N_(run.system->n_positions()) {}

  Vector operator()(const Vector& x) const { return with(run_.parameters, x); }
  /// Sum of the lengths of the two terms of the force: -dV, and what the momentum mu adds.
  double size_of_terms(const Vector& x) const {
    std::vector<double> without_momentum = run_.parameters;
    without_momentum.back() = 0;  // mu
    const Vector potential = with(without_momentum, x);
    return potential.norm() + ((*this)(x)-potential).norm();
  }
  /// Derivatives of the force at x by the shape, by central differences, [n_positions][n_positions].
  Matrix jacobian(const Vector& x) const {
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * size(x);
    Matrix derivative(N_, N_);
    for (int k = 0; k < N_; ++k) {
      const Vector e = step * Vector::Unit(N_, k);
      derivative.col(k) = ((*this)(x + e) - (*this)(x - e)) / (2 * step);
    }
    return derivative;
  }
  /// Whether the map from momenta to velocities is regular at x; it is singular where the coordinates degenerate.
  bool is_regular(const Vector& x) const {
    Vector state = at_rest(x), rates(state.size());
    Matrix velocities(N_, N_);
    for (int k = 0; k < N_; ++k) {
      state.segment(N_, N_) = Vector::Unit(N_, k);
      run_.system->vector_field(run_.parameters.data(), state.data(), rates.data());
      velocities.col(k) = rates.head(N_);
    }
    if (!velocities.allFinite()) return false;
    const Vector sizes = velocities.jacobiSvd().singularValues();
    return sizes[N_ - 1] > singular * sizes[0];
  }
  bool is_inside(const Vector& x) const {
    Vector state = at_rest(x);
    return !run_.system->prepare(run_.parameters.data(), run_.method->momentum, state.data()).problem;
  }
  Vector at_rest(const Vector& x) const {
    Vector state = Vector::Zero(run_.system->dim);
    state.head(N_) = x;
    return state;
  }
  static double size(const Vector& x) {
    const double length = x.norm();
    return length > 0 ? length : 1;
  }

 private:
  Vector with(const std::vector<double>& parameters, const Vector& x) const {
    const Vector state = at_rest(x);
    Vector rates(state.size());
    run_.system->vector_field(parameters.data(), state.data(), rates.data());
    return rates.segment(N_, N_);
  }

  const ResolvedRun& run_;
  int N_;
};

/// Shape at which the search begins if none is given.
std::vector<double> example_shape(const ResolvedRun& run) {
  std::vector<double> state(run.system->dim);
  run.system->example_state(run.parameters.data(), state.data());
  state.resize(run.system->n_positions());
  return state;
}

}  // namespace

std::vector<double> relative_equilibrium(const ResolvedRun& run, const std::vector<double>& near) {
  const bool is_given = !near.empty();
  const auto refuse_shape = [&](const std::string& why) {
    const std::string search = fmt::format("Newton's method for a relative equilibrium {}", why);
    if (is_given) refuse("ensemble", "near", search, "Give a shape nearer to one");
    refuse("ensemble", "from", search + ", from the shape of the example", "Give ensemble.near, a shape near one");
  };
  const Force force(run);
  const std::vector<double> first = is_given ? near : example_shape(run);
  Vector x = Eigen::Map<const Vector>(first.data(), static_cast<Eigen::Index>(first.size()));
  if (!force.is_inside(x)) refuse("ensemble", "near", "it is outside the domain of the system", "Correct it");
  Vector residual = force(x);
  for (int i = 0; i < max_newton_steps; ++i) {
    const Matrix jacobian = force.jacobian(x);
    if (!jacobian.allFinite()) refuse_shape("leaves the chart");
    const Vector correction = jacobian.partialPivLu().solve(-residual);
    if (!correction.allFinite()) refuse_shape("meets a singular matrix");
    // Far away it is shortened until it stays in the chart and brings the force down.
    double fraction = 1;
    bool was_inside = false, is_shorter = false;
    for (int k = 0; k < max_halvings && !is_shorter; ++k, fraction /= 2) {
      const Vector next = x + fraction * correction;
      if (!force.is_inside(next)) continue;
      was_inside = true;
      const Vector at_next = force(next);
      if (!(at_next.norm() < residual.norm())) continue;
      is_shorter = true;
      x = next;
      residual = at_next;
    }
    if (residual.isZero(0) || (!is_shorter && correction.norm() <= small * Force::size(x) &&
                               residual.norm() <= small * force.size_of_terms(x))) {  // round-off is left
      if (!force.is_regular(x)) refuse_shape("ends at the edge of the chart");
      const Vector state = force.at_rest(x);
      return {state.begin(), state.end()};
    }
    if (!is_shorter) refuse_shape(was_inside ? "does not converge" : "leaves the chart");
  }
  refuse_shape("does not converge");
  return {};
}

}  // namespace polhode
