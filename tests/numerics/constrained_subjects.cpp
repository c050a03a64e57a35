#include "numerics/constrained_subjects.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "catalog_types.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {
namespace {

using Along = Dual<double, 1>;  ///< a value and its derivative along one direction

/// What a solver's step is called through.
template <class System>
struct Stepper {
  template <class T>
  using State = typename System::template State<T>;

  const char* name;
  bool (*advance)(const Coefficients&, double h, std::int64_t steps, State<double>&);
  bool (*advance_along)(const Coefficients&, double h, std::int64_t steps, State<Along>&);
};

template <class System>
inline constexpr bool is_mechanical = requires(const typename System::template Model<double>& model,
                                               Vec<double, System::N> q) {
  model.to_tangent(q, q);
};
template <class Model, class Vector>
Vector velocity(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.velocity(q, p); })
    return model.velocity(q, p);
  else
    return model.velocity(p);
}
template <class Model, class Vector>
Vector position_gradient(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.position_gradient(q, p); })
    return model.position_gradient(q, p);
  else
    return model.potential_gradient(q);
}
template <class Model, class Vector>
auto schur(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.schur(q, q, q, p); })
    return model.schur(q, q, q, p);
  else
    return model.schur(q, q);
}

template <class System>
const double* parameters() {
  return std::data(System::example_parameters);
}

template <class Map, class T>
bool advance(const Coefficients& coefficients, double h, std::int64_t steps,
             typename Map::System::template State<T>& x) {
  const double* p = parameters<typename Map::System>();
  const typename Map::System::template Model<T> model(p);
  const typename Map::template Step<T> step(model, coefficients, T(h),
                                            Map::template nominal_sweeps<double>(p, coefficients, h));
  bool valid = true;
  for (std::int64_t n = 0; n < steps; ++n) valid = step(x, x, true) && valid;
  return valid;
}

template <class System, class... Map>
std::vector<Stepper<System>> steppers(Variants<Map...>) {
  return {{Map::Solver::name, advance<Map, double>, advance<Map, Along>}...};
}

template <class System, class... Other>
constexpr bool contains(TypeList<Other...>) {
  return (std::is_same_v<System, Other> || ...);
}
template <class Map, class System>
inline constexpr bool advances = contains<System>(typename CatalogTypes<Map>::Systems{});

/// f.operator()<Map>() for every step map that advances the system.
template <class System, class F>
void for_maps(F&& f) {
  const auto visit = [&]<class Map>() {
    if constexpr (advances<Map, System>) f.template operator()<Map>();
  };
  visit.template operator()<ConstrainedMotionMap>();
  visit.template operator()<ConstraintAlgorithmMap>();
  visit.template operator()<SubstitutedMultipliersMap>();
}

template <class System>
std::vector<Stepper<System>> all_steppers() {
  std::vector<Stepper<System>> all;
  for_maps<System>([&]<class Map>() {
    for (const auto& stepper : steppers<System>(typename Map::template VariantsOn<System>{})) all.push_back(stepper);
  });
  return all;
}

template <class System>
class SubjectOf final : public Subject {
  static constexpr int n = System::N, d = System::D;
  template <class T>
  using Model = typename System::template Model<T>;
  template <class T>
  using Point = typename System::template State<T>;

 public:
  SubjectOf() : model_(parameters<System>()), along_(parameters<System>()) {
    name = System::name;
    N = n, D = d;
    step = System::example_step;
    for (const auto& stepper : steppers_) solvers.push_back(stepper.name);
    Point<double> x;
    System::example_state(parameters<System>(), x.v);
    const Vec<double, n> gradient = position_gradient(model_, System::position(x), System::momentum(x));
    is_free = dot(gradient, gradient) == 0;
    has_tangent_space = is_mechanical<System>;
    for (int i = 0; i < System::n_invariants - 1; ++i)
      if (System::conserves(parameters<System>(), x.v, i)) {
        invariants.push_back(System::invariants[i].name);
        invariant_index_.push_back(i);
      }
  }

  State start(std::mt19937_64& random, Momentum momentum) const override {
    State x(2 * n);
    System::example_state(parameters<System>(), x.data());
    std::normal_distribution<double> normal;
    const double q_size = x.head(n).norm() / std::sqrt(n), p_size = x.tail(n).norm() / std::sqrt(n);
    for (int i = 0; i < 2 * n; ++i) x[i] += (i < n ? 1e-3 * q_size : 0.2 * p_size) * normal(random);
    const char* problem = InitialPoint<System>(parameters<System>()).prepare(momentum, x.data()).problem;
    EXPECT_EQ(problem, nullptr) << name << ": " << problem;
    return x;
  }

  bool advance(int solver, const Coefficients& coefficients, double h, std::int64_t steps, State& x) const override {
    Point<double> point = from(x);
    const bool valid = steppers_[solver].advance(coefficients, h, steps, point);
    x = to(point);
    return valid;
  }

  Excursion follow(int solver, const Coefficients& coefficients, double h, std::int64_t steps, std::int64_t stride,
                   State x) const override {
    const Eigen::VectorXd initial = values(x), sizes = term_sizes(x);
    Excursion most{.changes = Eigen::VectorXd::Zero(initial.size())};
    Point<double> point = from(x);
    for (std::int64_t k = 0; k < steps; k += stride) {
      most.valid = steppers_[solver].advance(coefficients, h, stride, point) && most.valid;
      x = to(point);
      most.changes = most.changes.cwiseMax(((values(x) - initial).array() / sizes.array()).abs().matrix());
      const Vec<double, n> q = System::position(point), p = System::momentum(point);
      const Vec<double, n> lift = model_.to_hidden_constraint(q, p);
      const auto raise = [](double& value, const auto& difference, const auto& size) {
        value = std::max(value, std::sqrt(dot(difference, difference) / dot(size, size)));
      };
      raise(most.position, model_.displacement(q, q), q);
      raise(most.hidden_constraint, p - lift, p);
      raise(most.hidden_at_lift, lift - model_.to_hidden_constraint(q, lift), p);
      if (coefficients.momentum == Momentum::hidden_constraint) raise(most.momentum, p - lift, p);
      if constexpr (is_mechanical<System>)
        if (coefficients.momentum == Momentum::tangent) raise(most.momentum, p - model_.to_tangent(q, p), p);
    }
    return most;
  }

  TangentMap tangent_step(int solver, const Coefficients& coefficients, double h) const override {
    return [=, this](State& x, State& tangent) {
      Point<Along> point = from(x, tangent);
      const bool valid = steppers_[solver].advance_along(coefficients, h, 1, point);
      take(point, x, tangent);
      return valid;
    };
  }
  TangentMap tangent_psi() const override {
    return [this](State& x, State& tangent) {
      const Point<Along> point = from(x, tangent);
      const Vec<Along, n> q = System::position(point);
      if constexpr (is_mechanical<System>)
        take(System::state(q, along_.to_tangent(q, System::momentum(point))), x, tangent);
      return is_mechanical<System>;
    };
  }

  Eigen::MatrixXd conditions_jacobian(const State& x, Momentum momentum) const override {
    Eigen::MatrixXd jacobian(momentum == Momentum::unprojected ? d : 2 * d, 2 * n);
    for (int k = 0; k < 2 * n; ++k) {
      const Point<Along> point = from(x, State::Unit(2 * n, k));
      const Vec<Along, n> q = System::position(point), p = System::momentum(point);
      const Vec<Along, d> g = along_.constraints(q);
      const Vec<Along, d> rate = along_.push(q, momentum == Momentum::tangent ? p : velocity(along_, q, p));
      for (int i = 0; i < d; ++i) jacobian(i, k) = g[i].tangent[0];
      for (int i = d; i < jacobian.rows(); ++i) jacobian(i, k) = rate[i - d].tangent[0];
    }
    return jacobian;
  }

  State lifted(const State& x) const override {
    const Point<double> point = from(x);
    const Vec<double, n> q = System::position(point);
    return to(System::state(q, model_.to_hidden_constraint(q, System::momentum(point))));
  }
  State projected(const State& x) const override {
    State y = x;
    InitialPoint<System> point(parameters<System>());
    EXPECT_EQ(point.prepare(Momentum::hidden_constraint, y.data()).problem, nullptr);
    return y;
  }

  /// G H_p = 0 differentiated along q' = H_p, p' = -H_q - G^T s: G H_pp G^T s is its rate along (H_p, -H_q).
  State flow(const State& x) const override {
    const Point<double> point = from(x);
    const Vec<double, n> q = System::position(point), p = System::momentum(point), v = velocity(model_, q, p);
    const Vec<double, n> force = -1.0 * position_gradient(model_, q, p);
    const Point<Along> along = from(x, to(System::state(v, force)));
    const Vec<Along, n> position = System::position(along);
    const Vec<Along, d> moving = along_.push(position, velocity(along_, position, System::momentum(along)));
    Vec<double, d> rate;
    for (int i = 0; i < d; ++i) rate[i] = moving[i].tangent[0];
    const Vec<double, d> s = LU<double, d>(schur(model_, q, p)).solve(rate);
    return to(System::state(v, force - model_.pull(q, s)));
  }
  double energy(const State& x) const override { return model_.energy(from(x)); }

 private:
  static Point<double> from(const State& x) {
    Point<double> point;
    for (int i = 0; i < 2 * n; ++i) point[i] = x[i];
    return point;
  }
  static Point<Along> from(const State& x, const State& tangent) {
    Point<Along> point;
    for (int i = 0; i < 2 * n; ++i) {
      point[i] = Along(x[i]);
      point[i].tangent[0] = tangent[i];
    }
    return point;
  }
  static State to(const Point<double>& point) { return Eigen::Map<const State>(point.v, 2 * n); }
  static void take(const Point<Along>& point, State& x, State& tangent) {
    for (int i = 0; i < 2 * n; ++i) {
      x[i] = point[i].value;
      tangent[i] = point[i].tangent[0];
    }
  }

  Eigen::VectorXd values(const State& x) const {
    Eigen::VectorXd v(invariants.size());
    for (int i = 0; i < v.size(); ++i) v[i] = model_.invariant(invariant_index_[i], from(x));
    return v;
  }
  /// sum_k |x_k dC/dx_k| of each invariant C.
  Eigen::VectorXd term_sizes(const State& x) const {
    Eigen::VectorXd sizes = Eigen::VectorXd::Zero(invariants.size());
    for (int k = 0; k < 2 * n; ++k)
      for (int i = 0; i < sizes.size(); ++i)
        sizes[i] += std::abs(x[k] * along_.invariant(invariant_index_[i], from(x, State::Unit(2 * n, k))).tangent[0]);
    return sizes;
  }

  const std::vector<Stepper<System>> steppers_ = all_steppers<System>();
  Model<double> model_;
  Model<Along> along_;
  std::vector<int> invariant_index_;
};

template <class... Family>
void add_families(const Subject* subject, const std::vector<int>& solvers, TypeList<Family...>,
                  std::vector<ConstrainedMethod>& methods) {
  (methods.push_back({subject, solvers, Family::name, Family::coefficients, Family::properties}), ...);
}

template <class System>
void add_methods(const Subject* subject, std::vector<ConstrainedMethod>& methods) {
  int first = 0;
  for_maps<System>([&]<class Map>() {
    std::vector<int> solvers(Map::template VariantsOn<System>::count);
    std::iota(solvers.begin(), solvers.end(), first);
    first += static_cast<int>(solvers.size());
    add_families(subject, solvers, typename CatalogTypes<Map>::Families{}, methods);
  });
}

template <class... System>
std::vector<const Subject*> make_subjects(TypeList<System...>, std::vector<ConstrainedMethod>& methods) {
  static const std::tuple<SubjectOf<System>...> all;
  (add_methods<System>(&std::get<SubjectOf<System>>(all), methods), ...);
  return {&std::get<SubjectOf<System>>(all)...};
}

struct Catalog {
  std::vector<ConstrainedMethod> methods;  // before subjects, which fill it
  std::vector<const Subject*> subjects;

  Catalog() : subjects(make_subjects(CatalogTypes<ConstrainedMotionMap>::Systems{}, methods)) {
    // What substituted multipliers advance is among the first.
    for (const Subject* subject : make_subjects(CatalogTypes<ConstraintAlgorithmMap>::Systems{}, methods))
      subjects.push_back(subject);
  }
};
const Catalog& catalog() {
  static const Catalog all;
  return all;
}

}  // namespace

const std::vector<const Subject*>& subjects() { return catalog().subjects; }
const std::vector<ConstrainedMethod>& constrained_methods() { return catalog().methods; }

}  // namespace polhode::test
