#include "driver/statistics.hpp"

#include <algorithm>
#include <limits>

#include "driver/cells.hpp"
#include "output/records.hpp"

namespace polhode {
namespace {

constexpr std::int64_t block_size = 1024;

/// Of some values: how many, their mean, the sum of squares about it, the least and the largest.
struct Moments {
  double count = 0, mean = 0, squares = 0;
  double least = std::numeric_limits<double>::infinity(), largest = -least;

  Moments() = default;
  explicit Moments(std::span<const double> values) : count(static_cast<double>(values.size())) {
    if (values.empty()) return;
    double sum = 0;
    for (const double value : values) sum += value;
    mean = sum / count;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const auto [low, high] = std::ranges::minmax(values);
    least = low;
    largest = high;
  }
};

/// Chan, Golub & LeVeque 1983, eq. (1.5).
Moments merge(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  Moments both;
  const double difference = b.mean - a.mean;
  both.count = a.count + b.count;
  both.mean = a.mean + difference * (b.count / both.count);
  both.squares = a.squares + b.squares + difference * difference * (a.count * b.count / both.count);
  both.least = std::min(a.least, b.least);
  both.largest = std::max(a.largest, b.largest);
  return both;
}

/// Merges neighbours as soon as they stand for equally many blocks: a tree whose shape follows from their number.
class Tree {
 public:
  void add(Moments moments) {
    for (std::uint64_t carry = added_++; carry & 1u; carry >>= 1) {
      moments = merge(stack_.back(), moments);
      stack_.pop_back();
    }
    stack_.push_back(moments);
  }
  Moments total() const {
    Moments moments;
    for (auto part = stack_.rbegin(); part != stack_.rend(); ++part) moments = merge(*part, moments);
    return moments;
  }

 private:
  std::uint64_t added_ = 0;
  std::vector<Moments> stack_;
};

}  // namespace

Statistics::Statistics(const RunSpec& spec)
    : spec_(spec),
      record_(statistics_record_bytes(spec.statistics->observables.size(), spec.statistics->bins) / sizeof(double)) {}

std::span<const double> Statistics::record(const double* columns, std::span<const std::int64_t> steps,
                                           std::int64_t step) {
  const std::vector<int>& observables = spec_.statistics->observables;
  const auto n = static_cast<std::int64_t>(steps.size());
  const int dim = spec_.system->dim;
  std::fill(record_.begin(), record_.end(), 0.0);
  std::vector<Tree> trees(observables.size());
  std::vector<std::vector<double>> values(observables.size());
  std::vector<double> x(dim);
  for (std::int64_t first = 0; first < n; first += block_size) {
    for (auto& list : values) list.clear();
    for (std::int64_t k = first; k < std::min(first + block_size, n); ++k) {
      if (steps[k] < step) continue;
      for (int i = 0; i < dim; ++i) x[i] = columns[i * n + k];
      for (std::size_t o = 0; o < observables.size(); ++o) {
        const double value = value_of(spec_, observables[o], x.data());
        values[o].push_back(value);
        count(o, value);
      }
    }
    for (std::size_t o = 0; o < observables.size(); ++o) trees[o].add(Moments(values[o]));
  }

  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t o = 0; o < observables.size(); ++o) {
    const Moments all = trees[o].total();
    const bool any = all.count > 0;
    record_[0] = all.count;
    double* const place = &record_[1 + 4 * o];
    place[0] = any ? all.mean : unknown;
    place[1] = all.count > 1 ? all.squares / (all.count - 1) : unknown;
    place[2] = any ? all.least : unknown;
    place[3] = any ? all.largest : unknown;
  }
  return record_;
}

void Statistics::count(std::size_t observable, double value) {
  const StatisticsSpec& statistics = *spec_.statistics;
  if (statistics.bins == 0) return;
  double* const cells = &record_[1 + 4 * statistics.observables.size() + observable * (statistics.bins + 2)];
  const double low = statistics.low[observable], high = statistics.high[observable];
  if (value < low)
    ++cells[statistics.bins];
  else if (value < high)
    ++cells[cell_of(value, low, high, statistics.bins)];
  else
    ++cells[statistics.bins + 1];
}

}  // namespace polhode
