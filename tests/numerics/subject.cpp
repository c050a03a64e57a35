#include "numerics/subject.hpp"

#include <cmath>
#include <stdexcept>

namespace polhode::test {
namespace {

const SystemEntry& entry_of(const char* name) {
  if (const SystemEntry* system = find_system(name)) return *system;
  throw std::logic_error(std::string("not in the catalog: ") + name);
}

}  // namespace

Subject::Subject(const char* name, const std::vector<double>& parameters)
    : system(entry_of(name)), parameters(parameters), step(system.example_step) {}

State Subject::start(std::mt19937_64& random, Momentum momentum) const {
  State x(dim());
  system.example_state(parameters.data(), x.data());
  std::normal_distribution<double> normal;
  const std::vector<double> spreads = spread();
  int first = 0;
  for (std::size_t k = 0; k < parts.size(); first += parts[k++]) {
    auto part = x.segment(first, parts[k]);
    const double size = spreads[k] * part.norm() / std::sqrt(parts[k]);
    for (double& value : part) value += size * normal(random);
  }
  EXPECT_TRUE(system.bring_near(parameters.data(), x.data())) << system.name;
  const char* problem = system.prepare(parameters.data(), momentum, x.data()).problem;
  EXPECT_EQ(problem, nullptr) << system.name << ": " << problem;
  return x;
}

State Subject::midpoint_step(double h, const State& x) const { return projected(x + h * flow(x + h / 2 * flow(x))); }

bool Subject::advance(int solver, const Stages& stages, double h, std::int64_t steps, State& x) const {
  if (solver == explicit_midpoint) {
    for (std::int64_t n = 0; n < steps; ++n) x = midpoint_step(h, x);
    return true;
  }
  std::vector<int> sweeps;
  for (const Part& stage : stages) sweeps.push_back(nominal_sweeps(solver, stage.scheme, stage.share * h));
  const std::int64_t at_once = stages.size() == 1 ? steps : 1;
  bool valid = true;
  for (std::int64_t n = 0; n < steps; n += at_once)
    for (std::size_t k = 0; k < stages.size(); ++k)
      valid = step_by(solver, stages[k].scheme, stages[k].share * h, sweeps[k], at_once, x) && valid;
  return valid;
}

TangentMap Subject::tangent_step(int solver, const Stages& stages, double h) const {
  if (solver != explicit_midpoint)
    return [=, this](State& x, State& tangent) {
      bool valid = true;
      for (const Part& stage : stages) {
        const double part = stage.share * h;
        const int sweeps = nominal_sweeps(solver, stage.scheme, part);
        valid = step_along(solver, stage.scheme, part, sweeps, x, tangent) && valid;
      }
      return valid;
    };
  return [=, this](State& x, State& tangent) {
    constexpr double e = 1e-5;
    const State there = projected(x + e * tangent), back = projected(x - e * tangent);
    tangent = (midpoint_step(h, there) - midpoint_step(h, back)) / (2 * e);
    x = midpoint_step(h, x);
    return true;
  };
}

Excursion Subject::follow(int solver, const Stages& stages, double h, std::int64_t steps, std::int64_t stride,
                          State x) const {
  const auto n = static_cast<Eigen::Index>(invariants.size());
  Eigen::VectorXd initial(n), sizes(n);
  for (int k = 0; k < n; ++k) {
    initial[k] = invariant(invariants[k], x);
    sizes[k] = x.cwiseProduct(invariant_gradient(invariants[k], x)).cwiseAbs().sum();
  }
  Excursion most;
  most.changes = Eigen::VectorXd::Zero(n);
  const auto raise = [](double& value, double other) { value = std::max(value, other); };
  for (std::int64_t done = 0; done < steps; done += stride) {
    most.valid = advance(solver, stages, h, stride, x) && most.valid;
    for (int k = 0; k < n; ++k) raise(most.changes[k], std::abs(invariant(invariants[k], x) - initial[k]) / sizes[k]);
    const Distances now = distances(x, stages.front().scheme.momentum);
    raise(most.distances.position, now.position);
    raise(most.distances.momentum, now.momentum);
    raise(most.distances.hidden_constraint, now.hidden_constraint);
    raise(most.distances.hidden_at_lift, now.hidden_at_lift);
  }
  return most;
}

State Subject::exact(double t, int steps, State x) const {
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    const State a = flow(x), b = flow(x + h / 2 * a), c = flow(x + h / 2 * b), d = flow(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return x;
}

double Subject::distance(const State& a, const State& b) const {
  double most = 0;
  int first = 0;
  for (std::size_t k = 0; k < parts.size(); first += parts[k++]) {
    const double length = b.segment(first, parts[k]).norm();
    const bool is_angle = system.layout[k].form == Block::Form::angle;  // which a radian is the measure of
    most = std::max(most, (a - b).segment(first, parts[k]).norm() / (is_angle ? std::max(length, 1.0) : length));
  }
  return most;
}

bool Method::is_made_of_kicks() const {
  return std::all_of(stages.begin(), stages.end(),
                     [](const Part& stage) { return stage.scheme.kicks.before + stage.scheme.kicks.after > 0; });
}

}  // namespace polhode::test
