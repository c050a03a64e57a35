// Collects every repetition and, after the run, prints what the medians say.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace polhode::bench {

/// Shows medians as they come and keeps the repetitions behind them.
class Collector : public benchmark::ConsoleReporter {
 public:
  Collector() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override;

  /// Not a number where nothing was measured.
  double median(const std::string& benchmark, const std::string& counter) const;
  /// Interquartile range over the median.
  double spread(const std::string& benchmark, const std::string& counter) const;

 private:
  double quantile(const std::string& benchmark, const std::string& counter, double fraction) const;

  std::map<std::pair<std::string, std::string>, std::vector<double>> samples_;
};

void print_report(const Collector& collected);

}  // namespace polhode::bench
