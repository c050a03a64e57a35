#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>

#include "fma_peak.hpp"
#include "measurements.hpp"
#include "operations.hpp"

namespace polhode::bench {
namespace {

double relative_spread(const Collector& collected, const std::string& name) {
  return 100 * collected.spread(name, ns_per_step) / collected.median(name, ns_per_step);
}

void print_speeds(const Collector& collected) {
  const double odeint = collected.median(odeint_name(), ns_per_step);
  std::printf("\n%-44s %9s %9s %16s\n", "one core", "ns/step", "spread", "odeint / this");
  const auto row = [&](const std::string& name) {
    const double ns = collected.median(name, ns_per_step);
    if (std::isnan(ns)) return;
    std::printf("%-44s %9.2f %8.1f%% %16.2f\n", name.c_str(), ns, relative_spread(collected, name), odeint / ns);
  };
  row(odeint_name());
  for (const Measurement& m : all_measurements())
    if (m.threads == 0) row(m.name());
}

void print_costs(const Collector& collected) {
  std::printf("\n%-44s %9s %9s\n", "cost over the run without", "percent", "spread");
  for (const Measurement& m : all_measurements()) {
    const double cost = collected.median(m.name(), cost_percent);
    if (!std::isnan(cost))
      std::printf("%-44s %8.1f%% %8.1f%%\n", m.name().c_str(), cost, collected.spread(m.name(), cost_percent));
  }
}

void print_threads(const Collector& collected) {
  double one = std::numeric_limits<double>::quiet_NaN();
  std::printf("\n%-44s %9s %9s %9s\n", "threads, by the clock on the wall", "ns/step", "spread", "speed-up");
  for (const Measurement& m : all_measurements()) {
    if (m.threads == 0) continue;
    const double ns = collected.median(m.name(), ns_per_step);
    if (m.threads == 1) one = ns;
    if (!std::isnan(ns))
      std::printf("%-44s %9.2f %8.1f%% %9.2f\n", m.name().c_str(), ns, relative_spread(collected, m.name()),
                  m.threads * one / ns);
  }
}

void print_share_of_limit(const Collector& collected) {
  std::printf("\n%-44s %7s %6s %6s %9s %9s %7s\n", "share of the fma limit", "sweeps", "ops", "div", "ops/ns",
              "peak/ns", "share");
  for (const Measurement& m : all_measurements()) {
    if (m.observed() || m.threads > 0 || m.trajectories != small_ensemble || register_bits(m.isa) == 0) continue;
    const double ns = collected.median(m.name(), ns_per_step), peak = collected.median(peak_name(m.isa), fmas_per_ns);
    if (std::isnan(ns) || std::isnan(peak)) continue;
    const int lanes = register_bits(m.isa) / (m.precision == Precision::binary64 ? 64 : 32);
    const Operations operations = operations_per_step(m.solver, m.precision);
    const double reached = operations.issued / lanes / ns;
    std::printf("%-44s %7d %6.1f %6.1f %9.2f %9.2f %6.1f%%\n", m.name().c_str(), sweeps(m.solver, m.precision),
                operations.issued, operations.divisions, reached, peak, 100 * reached / peak);
  }
  std::printf(
      "ops: fma, multiply, add, subtract in a step, one issue slot each for a whole register; counted by running the\n"
      "step's source on a number that counts. Not in ops: divisions, comparisons. peak: independent fmas, same "
      "width.\n");
}

}  // namespace

bool Collector::ReportContext(const Context& context) {
  PrintBasicContext(&std::cerr, context);
  return true;
}

void Collector::ReportRuns(const std::vector<Run>& runs) {
  if (runs.empty() || runs.front().run_type != Run::RT_Iteration) return;  // means and medians are our own affair
  std::fprintf(stderr, "measured %s\n", runs.front().run_name.function_name.c_str());
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    if (run.error_occurred) {
      failed_ = true;
      std::fprintf(stderr, "polhode-bench: %s failed (%s).\n", name.c_str(), run.error_message.c_str());
      continue;
    }
    for (const auto& [counter, value] : run.counters) samples_[{name, counter}].push_back(value);
  }
}

double Collector::quantile(const std::string& benchmark, const std::string& counter, double fraction) const {
  const auto found = samples_.find({benchmark, counter});
  if (found == samples_.end()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = found->second;
  std::sort(sorted.begin(), sorted.end());
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place), above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double Collector::median(const std::string& benchmark, const std::string& counter) const {
  return quantile(benchmark, counter, 0.5);
}

double Collector::spread(const std::string& benchmark, const std::string& counter) const {
  return quantile(benchmark, counter, 0.75) - quantile(benchmark, counter, 0.25);
}

void print_report(const Collector& collected) {
  std::printf("\nHeavy top of McLachlan & Scovel 1995, Figure 1, h = %g; medians of the repetitions.\n", step);
  print_speeds(collected);
  print_costs(collected);
  print_threads(collected);
  print_share_of_limit(collected);
}

}  // namespace polhode::bench
