#include "integration/statistics.hpp"

#include <algorithm>

#include "polhode/observer/cells.hpp"
#include "result/moments.hpp"
#include "result/records.hpp"

namespace polhode {
namespace {

/// Of the state x[dim].
double value_of(const ResolvedRun& run, int observable, const double* x) {
  return observable < run.system->dim ? x[observable] : run.system->observe(run.parameters.data(), observable, x);
}

}  // namespace

Statistics::Statistics(const ResolvedRun& run)
    : run_(run), record_(statistics_record_bytes(run.observables.size(), run.spec.statistics->bins) / sizeof(double)) {}

std::span<const double> Statistics::record(const double* columns, std::span<const std::int64_t> steps,
                                           std::int64_t step) {
  const std::vector<int>& observables = run_.observables;
  const auto n = static_cast<std::int64_t>(steps.size());
  const int dim = run_.system->dim;
  std::fill(record_.begin(), record_.end(), 0.0);
  std::vector<MomentTree> trees(observables.size());
  std::vector<std::vector<double>> values(observables.size());
  std::vector<double> x(dim);
  for (std::int64_t first = 0; first < n; first += MomentTree::block) {
    for (auto& list : values) list.clear();
    for (std::int64_t k = first; k < std::min(first + MomentTree::block, n); ++k) {
      if (steps[k] < step) continue;
      for (int i = 0; i < dim; ++i) x[i] = columns[i * n + k];
      for (std::size_t o = 0; o < observables.size(); ++o) {
        const double value = value_of(run_, observables[o], x.data());
        values[o].push_back(value);
        count(o, value);
      }
    }
    for (std::size_t o = 0; o < observables.size(); ++o) trees[o].add(Moments(values[o]));
  }

  for (std::size_t o = 0; o < observables.size(); ++o) put_moments(trees[o].total(), o, record_);
  return record_;
}

void Statistics::count(std::size_t observable, double value) {
  const StatisticsSpec& statistics = *run_.spec.statistics;
  if (statistics.bins == 0) return;
  double* const cells = &record_[1 + 4 * statistics.observables.size() + observable * (statistics.bins + 2)];
  const auto [low, high] = statistics.range[observable];
  if (value < low)
    ++cells[statistics.bins];
  else if (value < high)
    ++cells[cell_of(value, low, high, statistics.bins)];
  else
    ++cells[statistics.bins + 1];
}

}  // namespace polhode
