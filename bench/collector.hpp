// Collects every repetition of every benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace polhode::bench {

/// Keeps the repetitions of every benchmark.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

  bool empty() const { return samples_.empty(); }
  bool failed() const { return failed_; }

  /// Not a number where nothing was measured.
  double median(const std::string& benchmark, const std::string& counter) const;
  /// Interquartile range.
  double spread(const std::string& benchmark, const std::string& counter) const;

 private:
  double quantile(const std::string& benchmark, const std::string& counter, double fraction) const;

  std::map<std::pair<std::string, std::string>, std::vector<double>> samples_;
  bool failed_ = false;
};

}  // namespace polhode::bench
