// Shared by the backend tests: an ensemble, and a run of it on any backend in segments of any length.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "backend/segments.hpp"
#include "catalog/catalog.hpp"
#include "spec/method_step.hpp"
#include "support/batch_part.hpp"
#include "support/heavy_top.hpp"
#include "support/kernels_under_test.hpp"

/// Ends a test where there is no GPU: skipped, or failed where one is required. tests/CMakeLists.txt knows the words.
#define NEEDS_GPU()                                                                              \
  if (const std::string problem = polhode::cuda_problem(); !problem.empty()) {                   \
    if (std::getenv("POLHODE_REQUIRE_GPU")) FAIL() << "POLHODE_REQUIRE_GPU is set: " << problem; \
    GTEST_SKIP() << "no GPU: " << problem;                                                       \
  }

namespace polhode::test {

struct Outcome {
  Batch batch;
  SectionPoints section;                      ///< in (trajectory, step, theta) order
  std::vector<double> snapshots;              ///< [t][dim + n_invariants][n]
  std::int64_t found = 0, unrefined = 0;      ///< points
  std::vector<std::int64_t> counts;           ///< of the density
  std::vector<SliceStatistics> statistics{};  ///< [t]
  std::int64_t repeated = 0;                  ///< segments whose crossings did not fit
};

inline SectionPoints sorted(const SectionPoints& points) {
  std::vector<std::int64_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::tuple(points.trajectory[a], points.step[a], points.theta[a]) <
           std::tuple(points.trajectory[b], points.step[b], points.theta[b]);
  });
  return points.reordered(order);
}

/// Advances a backend from step `from` to step `to` in segments of at most `length` steps, each of which is passed to
/// taken(segment, result). Returns the number of those that were too long.
template <class Taken>
std::int64_t advance_in_segments(Backend& backend, std::int64_t from, std::int64_t to, std::int64_t length,
                                 Taken&& taken) {
  std::int64_t too_long = 0;
  while (from < to) {
    const Segment asked{from, std::min(length, to - from)};
    const auto [segment, result] = advance_as_far_as_fits(backend, asked);
    if (segment.count < asked.count) {
      length = segment.count;
      ++too_long;
    }
    taken(segment, *result);
    from += segment.count;
  }
  return too_long;
}

/// Runs `steps` steps in segments of the given length at most.
inline Outcome run_all(Backend& backend, const Batch& batch, std::int64_t steps, std::int64_t segment) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  Outcome outcome;
  Batch counted = batch;
  counted.n_sections = 1;
  counted.section_count.assign(batch.n, 0);
  counted.round_off.assign(batch.n, 0);
  backend.load(counted);
  SectionPoints points;
  points.dim = batch.dim;
  outcome.repeated = advance_in_segments(backend, 0, steps, segment, [&](const Segment&, const SegmentResult& result) {
    for (const SectionPoints& list : result.section) points.append(list);
    outcome.found += result.found;
    outcome.unrefined += result.unrefined;
    append(outcome.snapshots, result.snapshots);
    append(outcome.statistics, result.statistics);
  });
  backend.store(outcome.batch);
  outcome.section = sorted(points);
  outcome.counts = backend.counts();
  return outcome;
}

/// Bit for bit, so that -0 differs from 0 and NaN equals itself.
template <class Vector>
bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// Which arrays of two outcomes differ in a bit.
inline std::vector<std::string> different_arrays(const Outcome& a, const Outcome& b) {
  std::vector<std::string> names;
  const auto compare = [&](const auto& first, const auto& second, const char* name) {
    if (!same_bits(first, second)) names.emplace_back(name);
  };
  for_carried(
      [&](const CarriedColumn& column, const auto& first, const auto& second) { compare(first, second, column.name); },
      a.batch, b.batch);
  compare(a.section.trajectory, b.section.trajectory, "section trajectories");
  compare(a.section.step, b.section.step, "section steps");
  compare(a.section.theta, b.section.theta, "section times");
  compare(a.section.state, b.section.state, "section points");
  compare(a.snapshots, b.snapshots, "snapshots");
  return names;
}

inline void expect_same_bits(const Outcome& a, const Outcome& b, const std::string& what) {
  for (const std::string& name : different_arrays(a, b)) ADD_FAILURE() << what << ": " << name << " differ";
}

/// Trajectories first, ..., last - 1 of an outcome, numbered from 0.
inline Outcome part_of(const Outcome& whole, std::int64_t first, std::int64_t last) {
  const Batch& batch = whole.batch;
  Outcome part;
  part.batch = part_of(batch, first, last);
  const SectionPoints& points = whole.section;
  part.section.dim = points.dim;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    if (points.trajectory[k] < first || points.trajectory[k] >= last) continue;
    part.section.trajectory.push_back(points.trajectory[k] - first);
    part.section.step.push_back(points.step[k]);
    part.section.theta.push_back(points.theta[k]);
    part.section.state.insert(part.section.state.end(), points.state.begin() + k * points.dim,
                              points.state.begin() + (k + 1) * points.dim);
  }
  const std::int64_t rows = static_cast<std::int64_t>(whole.snapshots.size()) / batch.n;
  for (std::int64_t row = 0; row < rows; ++row)
    part.snapshots.insert(part.snapshots.end(), whole.snapshots.begin() + row * batch.n + first,
                          whole.snapshots.begin() + row * batch.n + last);
  return part;
}

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

/// One way to run a method on a system.
struct Case {
  const MethodEntry* method;
  int solver;
  Precision precision;
  const char* composition = "none";
  const char* kind = nullptr;  ///< of a generating function, with its order
  int order = 0;
  int stages = 0;  ///< of a method with a choice of them; 0: its default
};

inline std::map<std::string, Value> options_of(const Case& one) {
  std::map<std::string, Value> options{{"composition", std::string(one.composition)}};
  if (one.kind) {
    options["kind"] = std::string(one.kind);
    options["order"] = std::int64_t{one.order};
  }
  if (one.stages > 0) options["stages"] = std::int64_t{one.stages};
  return options;
}

/// Every method on every system, with every solver in the precisions asked for that are tested; once, as a name finds
/// it.
inline std::vector<Case> all_cases(std::initializer_list<Precision> precisions) {
  std::vector<Case> cases;
  for (const MethodEntry& method : methods()) {
    if (find_method(method.system, method.name) != &method) continue;  // suites_test.cpp finds it
    for (int solver = 0; solver < static_cast<int>(method.solvers.size()); ++solver)
      for (const Precision precision : precisions)
        if (is_tested(method, precision, best_isa())) cases.push_back({&method, solver, precision});
  }
  return cases;
}

/// Compositions by some solvers: of few and many stages, with adjoints, of each step map. And generating functions of
/// each kind, and collocation with few and many stages.
inline std::vector<Case> composed_cases(std::initializer_list<Precision> precisions) {
  constexpr struct {
    const char *system, *method, *composition;
  } composed[] = {{"heavy-top", "rattle", "yoshida4"},
                  {"heavy-top", "constraint-euler", "mclachlan4"},
                  {"rigid-body", "rattle", "kahan-li8"},
                  {"rigid-body-4", "rattle", "suzuki4"},
                  {"spherical-pendulum", "rattle", "sofroniou-spaletta10"},
                  {"spherical-pendulum", "constraint-euler-adjoint", "kahan-li6"},
                  {"spherical-pendulum", "implicit-midpoint", "yoshida4"},
                  {"magnetic-pendulum", "constraint-euler", "yoshida4"},
                  {"henon-heiles", "stoermer-verlet", "kahan-li8"},
                  {"henon-heiles", "symplectic-euler", "suzuki4"},
                  {"kepler", "lobatto", "yoshida4"}};
  constexpr struct {
    const char *system, *kind;
    int order;
  } generated[] = {{"henon-heiles", "1", 2}, {"kepler", "1", 4},        {"central", "1", 4},
                   {"kepler", "2", 4},       {"kepler", "poincare", 2}, {"henon-heiles", "poincare", 4}};
  constexpr struct {
    const char *system, *method;
    int stages;
  } collocation[] = {{"heavy-top", "gauss", 1},    {"rigid-body", "gauss", 8}, {"spherical-pendulum", "gauss", 3},
                     {"henon-heiles", "gauss", 5}, {"kepler", "lobatto", 2},   {"central", "lobatto", 4}};
  std::vector<Case> cases;
  for (const Precision precision : precisions) {
    for (const auto& [system, method, composition] : composed)
      cases.push_back({find_method(system, method), 0, precision, composition});
    for (const auto& [system, kind, order] : generated)
      cases.push_back({find_method(system, "generating-function"), 0, precision, "none", kind, order});
    for (const auto& [system, method, stages] : collocation)
      cases.push_back({find_method(system, method), 0, precision, "none", nullptr, 0, stages});
  }
  std::erase_if(cases, [](const Case& one) { return !is_tested(*one.method, one.precision, best_isa()); });
  return cases;
}

inline std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const MethodEntry& method = *info.param.method;
  std::string name = std::string(method.system) + "_" + method.name + "_" + method.solvers[info.param.solver].name +
                     (info.param.precision == Precision::binary64 ? "_double" : "_single");
  if (info.param.composition != std::string("none")) name += std::string("_") + info.param.composition;
  if (info.param.kind) name += std::string("_") + info.param.kind + "_" + std::to_string(info.param.order);
  if (info.param.stages > 0) name += "_" + std::to_string(info.param.stages) + "_stages";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

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
  return system.dim > 12 || is_named(method, {"generating-function"}) ||
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
  return system.kind == Kind::lie_poisson && system.find_observable("gamma3") >= 0;
}

/// A method on the example of its system: tops with their section gamma3 = 0, others with one through the example,
/// which half of the states about it cross at once.
inline RunPlan example_plan(const MethodEntry& method, std::int64_t steps, int solver = 0,
                            Precision precision = Precision::binary64) {
  const SystemEntry& system = *find_system(method.system);
  if (is_top(system)) return body_plan(usable_body(method, figure_top), figure_step, steps, solver, precision, method);
  RunPlan plan{};
  std::copy(system.example_parameters.begin(), system.example_parameters.end(), plan.parameters);
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
  const int n_positions = system.n_positions();                         // the columns before the momenta
  const int n_moving = n_positions > 0 ? 2 * n_positions : system.dim;  // those and the momenta
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
                                         const MethodEntry& method = heavy_top_rattle()) {
  return make_cpu_backend(plan, method.kernels(solver, precision, isa), isa, {.threads = threads});
}

inline std::unique_ptr<Backend> make_cuda(const RunPlan& plan, const MethodEntry& method, int solver = 0,
                                          Precision precision = Precision::binary64, const CudaOptions& options = {}) {
  return make_cuda_backend(plan, method.cuda_kernels(solver, precision, cuda_capability()),
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
