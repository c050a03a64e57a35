// Shared by the backend tests: plans, ensembles, and backends of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "backends/cases.hpp"
#include "backends/outcome.hpp"
#include "catalog/catalog.hpp"
#include "support/heavy_top.hpp"

/// Ends a test where there is no GPU: skipped, or failed where one is required. tests/CMakeLists.txt knows the words.
#define NEEDS_GPU()                                                                              \
  if (const std::string problem = polhode::cuda_problem(); !problem.empty()) {                   \
    if (std::getenv("POLHODE_REQUIRE_GPU")) FAIL() << "POLHODE_REQUIRE_GPU is set: " << problem; \
    GTEST_SKIP() << "no GPU: " << problem;                                                       \
  }

namespace polhode::test {

/// A top's (Pi, Gamma) as a state of a system; where it has a quaternion, with an attitude that has Gamma = Q^T e3,
/// turned about the vertical by an angle that Pi decides.
inline std::vector<double> to_state(const SystemEntry& system, const Point& top) {
  if (system.layout.back().form == Block::Form::unit_vector) return {top.begin(), top.end()};
  if (system.layout.back().form != Block::Form::quaternion)
    throw std::logic_error(std::string("no states of ") + system.name);
  // The shortest turn that carries Gamma to e3, then one about e3.
  const double w = std::sqrt((1 + top[5]) / 2), x = w > 0 ? top[4] / (2 * w) : 1, y = w > 0 ? -top[3] / (2 * w) : 0;
  const double c = std::cos(top[0]), s = std::sin(top[0]);
  return {top[0], top[1], top[2], c * w, c * x - s * y, c * y + s * x, s * w};
}

inline const SystemEntry& heavy_top() { return *find_system("heavy-top"); }
inline const MethodEntry& heavy_top_rattle() { return *find_method("heavy-top", "rattle"); }

/// Invariants that hold for any parameters: the first three of heavy-top, and of rigid-body.
inline constexpr std::uint32_t common_invariants = 0b111;
inline constexpr int n_common_invariants = 3;

/// The body itself, or without gravity where the method is for the free body only.
inline TopParameters usable_body(const MethodEntry& method, TopParameters body) {
  if (method.invalid_reason(body.data())) body[6] = 0;
  return body;
}

inline bool is_named(const MethodEntry& method, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, std::string_view(method.name)) != names.end();
}

/// Whether the reference takes its time for a step, so that fewer of them have to do: many unknowns, or derivatives of
/// them by differences.
inline bool has_slow_reference(const MethodEntry& method) {
  const SystemEntry& system = *find_system(method.system);
  return system.dim > 12 || is_named(method, {"generating-function", "variational"}) ||
         (is_named(method, {"lobatto"}) && system.n_constraints > 0);
}

/// A body with step h: section gamma3 = 0 upward, invariants every 16 steps.
inline RunPlan body_plan(const TopParameters& body, double h, std::int64_t steps, int solver = 0,
                         Precision precision = Precision::binary64, const MethodEntry& method = heavy_top_rattle()) {
  RunPlan plan{};
  std::copy(body.begin(), body.end(), plan.parameters);
  plan.step = h;
  plan.step_plan = method.with_sweeps(step_of(method).step_plan, solver, plan.parameters, plan.step, precision);
  plan.section = {find_system(method.system)->find_observable("gamma3"), 0.0, true, false};
  plan.section.long_steps = step_of(method).properties.long_steps;
  plan.invariants = common_invariants;
  plan.last_step = steps;
  plan.invariants_every = 16;
  return plan;
}

/// Whether a system has the parameters and the section of figure_top, and states of to_state.
inline bool is_top(const SystemEntry& system) {
  return system.kind == Kind::lie_poisson && system.find_observable("gamma3") >= 0 &&
         system.example_parameters.size() == figure_top.size();
}

/// The parameters of the example, or with those 0 that a method for the free body asks for.
inline std::vector<double> usable_example(const MethodEntry& method) {
  const SystemEntry& system = *find_system(method.system);
  std::vector<double> p(system.example_parameters.begin(), system.example_parameters.end());
  if (!method.invalid_reason(p.data())) return p;
  int first = 0;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.bound == Bound::finite) std::fill_n(p.begin() + first, parameter.size, 0.0);
    first += parameter.size;
  }
  return p;
}

/// A method on the example of its system: tops with their section gamma3 = 0, others with one through the example,
/// which half of the states about it cross at once.
inline RunPlan example_plan(const MethodEntry& method, std::int64_t steps, int solver = 0,
                            Precision precision = Precision::binary64) {
  const SystemEntry& system = *find_system(method.system);
  if (is_top(system)) return body_plan(usable_body(method, figure_top), figure_step, steps, solver, precision, method);
  RunPlan plan{};
  std::ranges::copy(usable_example(method), plan.parameters);
  plan.step = system.example_step;
  plan.step_plan = method.with_sweeps(step_of(method).step_plan, solver, plan.parameters, plan.step, precision);
  std::vector<double> example(system.dim);
  system.example_state(plan.parameters, example.data());
  plan.section = {0, example[0], true, true};
  plan.section.long_steps = step_of(method).properties.long_steps;
  plan.invariants = (1u << system.invariants.size()) - 1;
  plan.last_step = steps;
  plan.invariants_every = 16;
  return plan;
}

/// The same of a case.
inline RunPlan example_plan(const Case& one, std::int64_t steps) {
  RunPlan plan = example_plan(*one.method, steps, one.solver, one.precision);
  plan.step_plan = one.method->with_sweeps(step_of(*one.method, options_of(one)).step_plan, one.solver, plan.parameters,
                                           plan.step, one.precision);
  return plan;
}

/// The top of MS Figure 1.
inline RunPlan figure_plan(std::int64_t steps, int solver = 0, Precision precision = Precision::binary64) {
  return body_plan(figure_top, figure_step, steps, solver, precision);
}

inline Batch to_batch(const std::vector<Point>& points, const SystemEntry& system = heavy_top(),
                      int n_invariants = n_common_invariants) {
  Batch batch(static_cast<std::int64_t>(points.size()), system.dim, n_invariants);
  for (std::int64_t k = 0; k < batch.n; ++k) {
    const std::vector<double> state = to_state(system, points[k]);
    for (int i = 0; i < batch.dim; ++i) batch.state[i * batch.n + k] = state[i];
  }
  return batch;
}

/// Random tops that turn at rates of about 1; every 16th `fast` times faster, so that it may need more than the nominal
/// sweeps; and `failing` of them so fast that the step cannot converge.
inline Batch random_tops(std::int64_t n, std::uint64_t seed, double fast = 1, int failing = 0,
                         const SystemEntry& system = heavy_top(), int n_invariants = n_common_invariants) {
  std::vector<Point> points(n);
  std::mt19937_64 random(seed);
  for (std::int64_t k = 0; k < n; ++k) {
    points[k] = random_point(random);
    for (int i = 0; i < 3; ++i) points[k][i] *= k % 16 == 5 ? fast : 1;
  }
  for (int f = 0; f < failing; ++f) points[(7 + 13 * f) % n][0] = 3000.0;
  return to_batch(points, system, n_invariants);
}

/// Whether the coordinates of a system have an angle, and so are those of a chart.
inline bool is_in_chart(const SystemEntry& system) {
  const auto columns = std::views::iota(0, system.dim);
  return std::any_of(columns.begin(), columns.end(), [&](int column) { return system.counts_turns(column); });
}

/// Random states of a system about its example: positions off by less than InitialPoint allows, momenta by half of
/// their size, but in the first column where there are no positions, so that half of them cross its section in
/// example_plan() at once; of systems without constraints by a fifth, since nothing holds them together, and of those
/// in a chart with angles by a fiftieth, so that they stay inside. Every 16th `fast` times faster; `failing` of them so
/// fast that no step can converge, or that squares overflow where nothing is solved for.
inline Batch random_states(std::int64_t n, std::uint64_t seed, double fast, int failing, const MethodEntry& method,
                           int n_invariants) {
  const SystemEntry& system = *find_system(method.system);
  const double* p = system.example_parameters.data();
  const int n_positions = system.n_positions();  // the columns before the momenta
  // Columns that move: positions and momenta, and of a body all but unit vectors.
  const int n_moving = n_positions > 0                  ? 2 * n_positions
                       : system.layout.back().is_unit() ? system.layout.back().first
                                                        : system.dim;
  const bool is_free = system.kind == Kind::canonical || system.kind == Kind::reduced;
  // By its long steps the midpoint rule has no solution close to the planet.
  const bool is_satellite = system.name == std::string("j2-satellite");
  Batch batch(n, system.dim, n_invariants);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (std::int64_t k = 0; k < n; ++k) {
    std::vector<double> x(system.dim);
    system.example_state(p, x.data());
    const auto vary = [&](int first, int last, double by) {
      const double size = std::sqrt(std::inner_product(&x[first], &x[0] + last, &x[first], 0.0) / (last - first));
      for (int i = first; i < last; ++i) x[i] += by * size * normal(random);
    };
    const int n_near = std::max(1, n_positions);
    vary(0, n_near, 2e-3);
    vary(n_near, n_moving, is_in_chart(system) ? 0.02 : is_satellite ? 0.1 : is_free ? 0.2 : 0.5);
    for (int i = n_positions; i < n_moving; ++i) x[i] *= k % 16 == 5 ? fast : 1;
    if (const char* problem = system.prepare(p, method.momentum, x.data()).problem)
      throw std::logic_error(std::string("example of ") + system.name + ": " + problem);
    for (int f = 0; f < failing; ++f)
      if (k == (7 + 13 * f) % n)
        for (int i = n_positions; i < n_moving; ++i) x[i] *= is_free ? 1e160 : 3000;
    for (int i = 0; i < system.dim; ++i) batch.state[i * n + k] = x[i];
  }
  return batch;
}

/// random_tops or random_states, as the system of the method has them.
inline Batch random_ensemble(std::int64_t n, std::uint64_t seed, double fast, int failing, const MethodEntry& method,
                             int n_invariants) {
  const SystemEntry& system = *find_system(method.system);
  // Explicit rotations turn a top by any angle; of hundreds of turns in a step nothing is left to compare.
  if (is_top(system) && method.solvers.front().name == std::string("explicit")) failing = 0;
  return is_top(system) ? random_tops(n, seed, fast, failing, system, n_invariants)
                        : random_states(n, seed, fast, failing, method, n_invariants);
}

/// Regular orbits of the figure, in both families of islands and on circles.
inline Batch regular_orbits(const SystemEntry& system = heavy_top()) {
  std::vector<Point> points;
  for (const auto& [m13, m12] :
       {std::pair{0.5, 0.64}, {-0.5, -0.64}, {0.55, 0.64}, {0.2, 1.0}, {-0.2, -1.0}, {0.58, 0.64}})
    points.push_back(figure_start(m13, m12));
  return to_batch(points, system);
}

/// The top of the figure on a cell-centred m x m grid of its section at H = 1.
inline Batch figure_grid(int m) {
  const RunPlan plan = figure_plan(1);
  const ChartRange range = heavy_top().chart_range(plan.parameters, 1.0);
  std::vector<Point> points;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      Point x[max_chart_points];
      if (heavy_top().chart_states(plan.parameters, 1.0, 0.0, 0, range.half_axes[0] * ((2 * i + 1.0) / m - 1),
                                   range.half_axes[1] * ((2 * j + 1.0) / m - 1), x[0].data()) > 0)
        points.push_back(x[0]);
    }
  return to_batch(points);
}

inline std::unique_ptr<Backend> make_cpu(const RunPlan& plan, Isa isa, int threads, int solver = 0,
                                         Precision precision = Precision::binary64,
                                         const MethodEntry& method = heavy_top_rattle(),
                                         const std::optional<ExplicitTable>& table = {}) {
  return make_cpu_backend(plan, method.kernels(solver, precision, isa, table), isa, {.threads = threads});
}

inline std::unique_ptr<Backend> make_cuda(const RunPlan& plan, const MethodEntry& method, int solver = 0,
                                          Precision precision = Precision::binary64, const CudaOptions& options = {},
                                          const std::optional<ExplicitTable>& table = {}) {
  return make_cuda_backend(plan, method.cuda_kernels(solver, precision, cuda_capability(), table),
                           find_system(method.system)->dim, options);
}

/// The end of a plan on each instruction set that this machine has, then on the reference.
inline std::vector<Batch> on_every_backend(const MethodEntry& method, const RunPlan& plan, const Batch& start) {
  std::vector<Batch> ends;
  const auto add = [&](Backend& backend) {
    ends.push_back(run_all(backend, start, plan.last_step, plan.last_step).batch);
  };
  for (int isa = 0; isa < n_isas; ++isa)
    if (isa_supported(Isa{isa})) add(*make_cpu(plan, Isa{isa}, 1, 0, Precision::binary64, method));
  add(*method.make_reference(plan));
  return ends;
}

}  // namespace polhode::test
