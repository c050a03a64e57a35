#include "cuda_measurements.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "backend/cuda/cuda_backend.hpp"
#include "fma_peak_cuda.hpp"
#include "integrators.hpp"
#include "run.hpp"
#include "top.hpp"

namespace polhode::bench {
namespace {

/// Enough work for a segment to take milliseconds on the fastest device, and no more section points than a GPU of a few
/// GB can hold.
std::int64_t steps_for(const CudaMeasurement& m) {
  return m.section ? std::max<std::int64_t>(50, 200'000'000 / m.trajectories) : 1'000'000'000 / m.trajectories;
}

std::unique_ptr<Backend> make_cuda(const CudaMeasurement& m, std::int64_t capacity) {
  const Observers observers{.section = m.section ? Observers::Section::points : Observers::Section::none};
  return make_cuda_backend(plan(m.solver, m.precision, observers),
                           rattle().cuda_kernels(m.solver, m.precision, cuda_capability()), system().dim,
                           {.capacity = capacity});
}

/// A section is crossed once in about a hundred steps; all trajectories start on it and return at the same time.
std::int64_t capacity_for(const CudaMeasurement& m) { return m.trajectories * (1 + steps_for(m) / 50); }

/// Millions of starts take seconds to find, and the benchmark is called many times.
const Batch& kept_starts(std::int64_t n) {
  static std::map<std::int64_t, Batch> kept;
  const auto found = kept.find(n);
  return found != kept.end() ? found->second : kept.emplace(n, starts(n)).first->second;
}

/// Whether the device computes the states of the CPU backend, bit for bit.
bool same_bits(const CudaMeasurement& m) {
  const Batch start = starts(small_ensemble);
  std::vector<double> states[2];
  const std::unique_ptr<Backend> backends[] = {make_cuda({m.solver, m.precision, small_ensemble}, small_ensemble),
                                               make_rattle(best_isa(), m.solver, m.precision)};
  for (int i = 0; i < 2; ++i) {
    backends[i]->load(start);
    backends[i]->advance({0, 100});
    Batch end;
    backends[i]->store(end);
    states[i] = end.state;
  }
  return states[0] == states[1];
}

void measure_cuda(benchmark::State& state, const CudaMeasurement& m) try {
  if (!same_bits(m)) return state.SkipWithError("the device does not compute the bits of the CPU");
  Run run(make_cuda(m, capacity_for(m)), kept_starts(m.trajectories), steps_for(m));
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  while (Clock::now() - start < std::chrono::milliseconds(200)) run.advance();  // an idle device clocks down
  std::int64_t points = 0;
  for (auto _ : state) {
    run.advance();
    points += run.points();
  }
  if (const char* const problem = run.problem()) state.SkipWithError(problem);
  count_steps(state, run.steps_per_segment());
  if (m.section)
    state.counters[points_per_s] = benchmark::Counter(static_cast<double>(points), benchmark::Counter::kIsRate);
} catch (const std::exception& e) {
  state.SkipWithError(e.what());
}

void measure_peak(benchmark::State& state, Precision precision) try {
  double fmas = static_cast<double>(run_cuda_fmas(precision));  // wakes the device
  fmas = 0;
  for (auto _ : state) fmas += static_cast<double>(run_cuda_fmas(precision));
  state.counters[fmas_per_ns] = benchmark::Counter(1e-9 * fmas, benchmark::Counter::kIsRate);
} catch (const std::exception& e) {
  state.SkipWithError(e.what());
}

const char* precision_name(Precision precision) { return precision == Precision::binary64 ? "double" : "single"; }

}  // namespace

std::string CudaMeasurement::name() const {
  return std::string("rattle/cuda/") + rattle().solvers[solver].name + "/" + precision_name(precision) + "/" +
         std::to_string(trajectories) + (section ? "/section" : "");
}

std::string cuda_peak_name(Precision precision) { return std::string("fma_peak/cuda/") + precision_name(precision); }

std::string cuda_device() {
  const auto backend = make_cuda({default_solver, Precision::binary64, small_ensemble}, small_ensemble);
  return backend->device() + ", " + backend->isa();
}

std::vector<CudaMeasurement> all_cuda_measurements() {
  std::vector<CudaMeasurement> all;
  if (!cuda_problem().empty()) return all;
  for (const bool section : {false, true})
    for (int solver = 0; solver < static_cast<int>(rattle().solvers.size()); ++solver)
      for (const Precision precision : {Precision::binary64, Precision::binary32})
        for (const std::int64_t trajectories : {10'000, 100'000, 1'000'000, 10'000'000})
          if (!section || solver == default_solver) all.push_back({solver, precision, trajectories, section});
  return all;
}

void register_cuda_benchmarks() {
  if (!cuda_problem().empty()) return;
  for (const Precision precision : {Precision::binary64, Precision::binary32})
    benchmark::RegisterBenchmark(cuda_peak_name(precision).c_str(), measure_peak, precision)->UseRealTime();
  for (const CudaMeasurement& m : all_cuda_measurements())
    benchmark::RegisterBenchmark(m.name().c_str(), measure_cuda, m)->UseRealTime();
}

}  // namespace polhode::bench
