#include "collector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>

namespace polhode::bench {
namespace {

/// Why a run failed, or null. Google Benchmark 1.8 renamed the members.
template <class Run>
const char* failure(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred ? run.error_message.c_str() : nullptr;
  else
    return run.skipped ? run.skip_message.c_str() : nullptr;
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
    if (const char* const reason = failure(run)) {
      failed_ = true;
      std::fprintf(stderr, "polhode-bench: %s failed (%s).\n", name.c_str(), reason);
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

}  // namespace polhode::bench
