#include "output/statistics_group.hpp"

#include <limits>

#include "output/records.hpp"
#include "output/sequences.hpp"

namespace polhode {
namespace {

/// The records of all slices, put together: numbers[slices][times][...].
class EnsembleStatistics {
 public:
  EnsembleStatistics(std::span<const double> numbers, std::uint64_t times, std::uint64_t slices)
      : all_(numbers), times_(times), slices_(slices), numbers_(numbers.size() / (times * slices)) {}

  Moments moments(std::uint64_t time, std::uint64_t observable) const {
    MomentTree tree;
    for (std::uint64_t s = 0; s < slices_; ++s) tree.add(get_moments(record(s, time), observable));
    return tree.total();
  }
  /// Of a number that is a count.
  double sum(std::uint64_t time, std::uint64_t place) const {
    double all = 0;
    for (std::uint64_t s = 0; s < slices_; ++s) all += record(s, time)[place];
    return all;
  }

 private:
  std::span<const double> record(std::uint64_t slice, std::uint64_t time) const {
    return all_.subspan((slice * times_ + time) * numbers_, numbers_);
  }

  std::span<const double> all_;
  std::uint64_t times_, slices_, numbers_;
};

}  // namespace

void write_statistics(h5::File& file, const RunDescription& description, std::span<const double> numbers,
                      std::int64_t slices) {
  const StatisticsDescription& run = *description.statistics;
  const std::int64_t last = description.steps / run.every;
  const std::uint64_t times = size(last + 1), observables = run.observables.size(), bins = size(run.bins);
  const EnsembleStatistics all(numbers, times, size(slices));
  h5::Group group = file.create_group("statistics");
  group.create_dataset("observables", h5::Element::text, {observables}).write(run.observables);
  write_sequence(group, "time", last + 1,
                 [&](std::int64_t i) { return static_cast<double>(i * run.every) * description.step; });
  write_rows<std::int64_t>(group, "count", h5::Element::int64, {times}, [&](auto t, auto) { return all.sum(t, 0); });
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto write = [&](const char* name, const auto& value) {
    write_rows<double>(group, name, h5::Element::float64, {times, observables},
                       [&](auto t, auto o) { return value(all.moments(t, o)); });
  };
  write("mean", [](const Moments& m) { return m.count > 0 ? m.mean : unknown; });
  write("variance", [](const Moments& m) { return m.count > 1 ? m.squares / (m.count - 1) : unknown; });
  write("minimum", [](const Moments& m) { return m.count > 0 ? m.least : unknown; });
  write("maximum", [](const Moments& m) { return m.count > 0 ? m.largest : unknown; });
  if (bins == 0) return;
  const std::uint64_t cells = 1 + 4 * observables;
  h5::Dataset histogram =
      write_rows<std::int64_t>(group, "histogram", h5::Element::int64, {times, observables, bins},
                               [&](auto t, auto i) { return all.sum(t, cells + i / bins * (bins + 2) + i % bins); });
  histogram.set_attribute("low", run.low);
  histogram.set_attribute("high", run.high);
  write_rows<std::int64_t>(group, "outside", h5::Element::int64, {times, observables, 2},
                           [&](auto t, auto i) { return all.sum(t, cells + i / 2 * (bins + 2) + bins + i % 2); });
}

}  // namespace polhode
