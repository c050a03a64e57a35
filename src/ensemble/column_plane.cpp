// States of a section over the plane of two columns u and v. The other columns come from a base state, and are
// corrected by Newton's method with steps of least length where there are more of them than equations (g: constraints,
// G: their Jacobian, f: observable of the section, p_k: the momentum that the energy decides):
//
//   positions   0 = g(q), and f(q) = value where the section is one of positions
//   momenta     0 = G(q) H_p(q, p), and f(q, p) = value where it is not; for each value s of the momentum p_k
//   energy      H(q, p(s)) = E
//
// Where p(s) is affine and H quadratic in p, the energy is a quadratic equation for s, whose coefficients follow from
// the velocities without cancellation; its roots are the two branches. For other systems Newton's method in s begins
// at the roots. Derivatives are central differences, so that nothing but values and velocities is asked of a system.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "ensemble/section_plane.hpp"
#include "error.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_iterations = 60;
/// Largest estimate of the distance to a solution at which Newton's method may end, relative to ColumnPlane::size():
/// rounding leaves no more.
constexpr double rounding = 1e-12;

class ColumnPlane final : public SectionPlane {
 public:
  ColumnPlane(const ResolvedRun& run, const PlaneStarts& starts)
      : system_(*run.system),
        p_(run.parameters.data()),
        energy_(starts.energy),
        section_(run.section),
        value_(run.spec.section->value),
        direction_(run.spec.section->direction),
        time_direction_(std::copysign(1.0, run.spec.method.step)),
        is_angle_(system_.observables[section_].angle != Angle::no),
        N_(system_.n_positions()),
        D_(system_.n_constraints),
        base_(Eigen::Map<const Vector>(starts.base.data(), system_.dim)),
        all_(system_.dim) {
    branches_ = {"+", "-"};
    chosen_ = starts.branch == branches_[0] ? 0 : 1;
    for (int i = 0; i < 2; ++i) axes_[i] = system_.find_observable(starts.axes[i]);
    solve_ = system_.find_observable(starts.solve);
    std::iota(all_.begin(), all_.end(), 0);
    for (const int i : all_)
      if (i != axes_[0] && i != axes_[1] && i != solve_) (is_momentum(i) ? momenta_ : positions_).push_back(i);
    const Matrix gradient = derivative(
        base_, all_, [this](const Vector& x) { return section(x); }, true);
    has_momentum_section_ = !gradient.middleCols(N_, N_).isZero(0);
  }

  std::string level() const override { return fmt::format("energy {}", energy_); }

  Found states(double u, double v, double* x) const override {
    Vector start = base_;
    start[axes_[0]] = u;
    start[axes_[1]] = v;
    const std::optional<Vector> q = solve(
        start, positions_, [this](const Vector& y) { return position_equations(y); }, !has_momentum_section_,
        is_position_checked_);
    const std::optional<Line> line = q ? momentum_line(*q) : std::nullopt;
    if (!line) return {.off_section = true};
    Found found;
    const auto roots = solve_energy(*line);
    for (int k = 0; k < 2; ++k) {
      if (!roots[k]) continue;
      Eigen::Map<Vector>(x + k * system_.dim, system_.dim) = *roots[k];
      (crosses_here(*roots[k]) ? found.here : found.other_way) |= 1u << k;
    }
    return found;
  }

 private:
  /// States of the section with the same positions: point + t direction, where t is the change of p_k, the momentum in
  /// the column solve_. They lie on a line where all momenta depend on p_k affinely; else they are near it.
  struct Line {
    Vector point, direction;
  };

  bool is_momentum(int column) const { return column >= N_ && column < 2 * N_; }
  Vector momenta(const Vector& x) const { return x.segment(N_, N_); }
  double energy(const Vector& x) const { return system_.observe(p_, system_.dim, x.data()); }
  Vector velocity(const Vector& x) const {
    Vector v(system_.dim);
    system_.vector_field(p_, x.data(), v.data());
    return v.head(N_);
  }

  /// Residual f - value of the section, as a vector of one number; for an angle modulo 2 pi, in [-pi, pi].
  Vector section(const Vector& x) const {
    const double f = system_.observe(p_, section_, x.data()) - value_;
    return Vector::Constant(1, is_angle_ ? std::remainder(f, 2 * std::numbers::pi) : f);
  }
  /// Residuals of the constraints, [2 D_]: g(q), then the hidden constraint G H_p.
  Vector constraints(const Vector& x) const {
    Vector r(2 * D_);
    system_.constraints(p_, x.data(), r.data());
    return r;
  }
  Vector with_section(const Vector& equations, const Vector& x) const {
    Vector r(equations.size() + 1);
    r << equations, section(x);
    return r;
  }
  Vector position_equations(const Vector& x) const {
    const Vector g = constraints(x).head(D_);
    return has_momentum_section_ ? g : with_section(g, x);
  }
  Vector momentum_equations(const Vector& x) const {
    const Vector hidden = constraints(x).tail(D_);
    return has_momentum_section_ ? with_section(hidden, x) : hidden;
  }

  /// Size with which changes of a column of x are compared: the length of the vector of all positions of x for a
  /// position, of all its momenta for a momentum, or 1 if that vector is 0; 1 for the angle of a reduced system.
  double size(const Vector& x, int column) const {
    if (column >= 2 * N_) return 1;
    const double length = is_momentum(column) ? momenta(x).norm() : x.head(N_).norm();
    return length > 0 ? length : 1;
  }

  /// Derivatives df / dx_column at x, by central differences, [numbers of f(x)][columns]. ends_with_section: whether
  /// the last number of f(x) is that of section().
  template <class F>
  Matrix derivative(Vector x, const std::vector<int>& columns, const F& f, bool ends_with_section) const {
    static const double fraction = std::cbrt(epsilon);  // where the errors by truncation and by rounding are alike
    Matrix jacobian(f(x).size(), columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double& entry = x[columns[j]];
      const double at = entry, step = fraction * size(x, columns[j]);
      entry = at + step;
      const Vector after = f(x);
      entry = at - step;
      Vector change = after - f(x);
      entry = at;
      if (is_angle_ && ends_with_section) {  // it may jump between the two
        double& last = change[change.size() - 1];
        last = std::remainder(last, 2 * std::numbers::pi);
      }
      jacobian.col(j) = change / (2 * step);
    }
    return jacobian;
  }

  /// State near x that satisfies the equations, whose residuals are equations(x), and differs from x in `columns`
  /// alone; nothing if Newton's method finds none. ends_with_section: whether the last residual is that of section().
  /// is_checked: whether the equations are known to be independent in `columns`; set at the first solution if they are.
  /// Throws InputError if they are not, or if there are equations and no columns.
  template <class Equations>
  std::optional<Vector> solve(Vector x, const std::vector<int>& columns, const Equations& equations,
                              bool ends_with_section, bool& is_checked) const {
    Vector r = equations(x);
    if (r.size() == 0) return x;
    if (columns.empty()) refuse_columns();
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      Matrix jacobian = derivative(x, columns, equations, ends_with_section);
      if (!r.allFinite() || !jacobian.allFinite()) return {};
      // Each equation in the unit of the columns, so that one bound suits all.
      const Vector scale = jacobian.rowwise().norm();
      if (scale.minCoeff() == 0) {
        if (!is_checked) refuse_columns();
        return {};
      }
      jacobian = scale.cwiseInverse().asDiagonal() * jacobian;
      const auto distance = [&](const Vector& residuals) { return residuals.cwiseQuotient(scale).norm(); };
      const double before = distance(r), length = size(x, columns.front());
      const Vector step = jacobian.completeOrthogonalDecomposition().solve(-r.cwiseQuotient(scale));
      Vector next = x, next_r;
      double fraction = 1;
      do {
        for (std::size_t j = 0; j < columns.size(); ++j) next[columns[j]] = x[columns[j]] + fraction * step[j];
        next_r = equations(next);
        fraction /= 2;
      } while (!(distance(next_r) < before) && fraction > 1e-3 && before > rounding * length);
      if (!(distance(next_r) < before)) {
        if (!(before <= rounding * length)) return {};
        if (!is_checked) check_rank(jacobian);
        is_checked = true;
        return x;
      }
      x = next;
      r = next_r;
    }
    return {};
  }

  void check_rank(const Matrix& jacobian) const {
    Eigen::ColPivHouseholderQR<Matrix> decomposition(jacobian);
    decomposition.setThreshold(1e-6);  // of central differences, which are right to about 1e-10
    if (decomposition.rank() < jacobian.rows()) refuse_columns();
  }
  [[noreturn]] void refuse_columns() const {
    refuse("ensemble", "axes",
           fmt::format("with {} and {} given, the section and the constraints are not independent near the base",
                       system_.observables[axes_[0]].name, system_.observables[axes_[1]].name),
           "Choose other columns, or another base");
  }

  std::optional<Vector> solve_momenta(Vector x, double s) const {
    x[solve_] = s;
    return solve(
        std::move(x), momenta_, [this](const Vector& y) { return momentum_equations(y); }, has_momentum_section_,
        is_momentum_checked_);
  }
  std::optional<Line> momentum_line(const Vector& q) const {
    const double s = q[solve_], apart = size(q, solve_);
    const std::optional<Vector> point = solve_momenta(q, s), further = solve_momenta(q, s + apart);
    if (!point || !further) return {};
    return Line{*point, (*further - *point) / apart};
  }

  /// States on the line that have the given energy (energy_): first the one with larger p_k, then the one with smaller
  /// p_k; nothing in place of a state that is not found.
  std::array<std::optional<Vector>, 2> solve_energy(const Line& line) const {
    const Vector d = momenta(line.direction), v = velocity(line.point);
    // H(point + t d) = H(point) + slope t + curvature t^2 / 2.
    const double apart = size(line.point, solve_);
    const double slope = v.dot(d), curvature = (velocity(line.point + apart * line.direction) - v).dot(d) / apart;
    if (!(curvature > 0)) return {};
    const double excess = energy(line.point) - energy_;
    const double discriminant = slope * slope - 2 * curvature * excess;
    if (!(discriminant >= 0)) return {};
    // The root of larger modulus first; the other one by the product of both.
    const double sum = -(slope + std::copysign(std::sqrt(discriminant), slope));
    double t[] = {sum / curvature, sum == 0 ? 0 : 2 * excess / sum};
    if (t[0] < t[1]) std::swap(t[0], t[1]);
    return {root(line, t[0]), root(line, t[1])};
  }

  /// State on the line that has the given energy (energy_), by Newton's method from point + t direction on; where the
  /// energy is quadratic in t, the method only corrects rounding. Nothing if it does not converge.
  std::optional<Vector> root(const Line& line, double t) const {
    std::optional<Vector> best;
    double last = std::numeric_limits<double>::infinity();
    double s = line.point[solve_] + t;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      const std::optional<Vector> x = solve_momenta(line.point + t * line.direction, s);
      if (!x) return {};
      const double excess = energy(*x) - energy_;
      if (!(std::abs(excess) < last)) break;
      last = std::abs(excess);
      best = x;
      const double slope = velocity(*x).dot(momenta(line.direction));
      if (excess == 0 || slope == 0) break;
      t -= excess / slope;
      s = line.point[solve_] + t;
    }
    if (!best) return {};
    // The terms that make up the energy, of which each is rounded.
    const double terms = std::abs(energy_) + std::abs(energy(*best)) + std::abs(velocity(*best).dot(momenta(*best)));
    return last <= 1e-11 * terms ? best : std::nullopt;
  }

  /// Whether the run's steps, which go back in time if they are negative, cross the section at x in the direction of
  /// the run's section; false where the orbit only touches the section.
  bool crosses_here(const Vector& x) const {
    const Vector gradient = derivative(
                                x, all_, [this](const Vector&y) { return section(y); }, true)
                                .row(0),
                 v = flow(x);
    const double rate = time_direction_ * gradient.dot(v);
    if (!(std::abs(rate) > 1e-8 * gradient.cwiseProduct(v).norm())) return false;
    return direction_ == Direction::both || (rate > 0) == (direction_ == Direction::up);
  }

  /// Rate of change x' of the state x, with the multipliers by which the hidden constraint stays satisfied.
  Vector flow(const Vector& x) const {
    Vector v(system_.dim);
    system_.vector_field(p_, x.data(), v.data());
    if (D_ == 0) return v;
    const Matrix jacobian = derivative(
        x, all_, [this](const Vector& y) { return constraints(y); }, false);
    const Matrix G = jacobian.topLeftCorner(D_, N_), hidden = jacobian.bottomRows(D_);
    v.tail(N_) += G.transpose() * (hidden.rightCols(N_) * G.transpose()).fullPivLu().solve(-hidden * v);
    return v;
  }

  const SystemEntry& system_;
  const double* p_;
  double energy_;
  int section_;
  double value_;
  Direction direction_;
  double time_direction_;  ///< 1 or -1, the sign of the steps
  bool is_angle_, has_momentum_section_ = false;
  int N_, D_;
  Vector base_;
  int axes_[2], solve_;
  std::vector<int> all_, positions_, momenta_;  ///< columns of a state: all; positions, momenta that are solved for
  mutable bool is_position_checked_ = false, is_momentum_checked_ = false;
};

}  // namespace

std::unique_ptr<SectionPlane> make_column_plane(const ResolvedRun& run, const PlaneStarts& starts) {
  return std::make_unique<ColumnPlane>(run, starts);
}

}  // namespace polhode
