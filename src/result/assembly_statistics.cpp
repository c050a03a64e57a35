#include "result/assembly_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "result/annotations.hpp"
#include "result/assembly_blocks.hpp"
#include "result/records.hpp"

namespace polhode {
namespace {

/// Writes rows [time][width] of values computed from the record of a time; shape[0] is the number of times.
template <class T, class Value>
std::unique_ptr<ArrayWriter> write_rows(GroupWriter& group, const char* name, Element element, const Shape& shape,
                                        const Value& value) {
  auto array = group.create_array(name, element, shape);
  std::uint64_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= shape[i];
  const std::uint64_t rows = std::max<std::uint64_t>(size(block_elements) / width, 1);
  std::vector<T> block;
  for (std::uint64_t first = 0; first < shape[0]; first += rows) {
    block.clear();
    for (std::uint64_t t = first; t < std::min(first + rows, shape[0]); ++t)
      for (std::uint64_t i = 0; i < width; ++i) block.push_back(static_cast<T>(value(t, i)));
    array->write(first, block);
  }
  return array;
}

/// The merged records of all slices: numbers[slices][times][...].
class EnsembleStatistics {
 public:
  EnsembleStatistics(std::span<const double> numbers, std::uint64_t times, std::uint64_t slices)
      : all_(numbers), times_(times), slices_(slices), numbers_(numbers.size() / (times * slices)) {}

  Moments moments(std::uint64_t time, std::uint64_t observable) const {
    MomentTree tree;
    for (std::uint64_t s = 0; s < slices_; ++s) tree.add(get_moments(record(s, time), observable));
    return tree.total();
  }
  /// Sum over all slices of a count.
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

/// Columns with the squared units, for variances.
std::vector<Column> squared(std::vector<Column> columns) {
  for (Column& column : columns)
    if (column.unit != "1") column.unit = "(" + column.unit + ")^2";
  return columns;
}

}  // namespace

void write_statistics(GroupWriter& root, const RunDescription& description, std::span<const double> numbers,
                      std::int64_t slices) {
  const StatisticsDescription& run = *description.statistics;
  const std::int64_t last = description.steps / run.every;
  const std::uint64_t times = size(last + 1), observables = run.observables.size(), bins = size(run.bins);
  const EnsembleStatistics all(numbers, times, size(slices));
  const auto made = root.create_group("statistics");
  GroupWriter& group = *made;
  const auto names = group.create_array("observables", Element::text, {observables});
  names->write(names_of(run.observables));
  annotate(*names, "1", "names of the observables, the columns of the arrays beside");
  write_times(group, last + 1, run.every, description.step);
  const auto count =
      write_rows<std::int64_t>(group, "count", Element::int64, {times}, [&](auto t, auto) { return all.sum(t, 0); });
  annotate(*count, "1", "trajectories that have come so far");
  const auto write = [&](const char* name, const std::vector<Column>& columns, const auto& value) {
    annotate(*write_rows<double>(group, name, Element::float64, {times, observables},
                                 [&](auto t, auto o) { return value(all.moments(t, o)); }),
             columns);
  };
  write("mean", run.observables, [](const Moments& m) { return m.count > 0 ? m.mean : unknown; });
  write("variance", squared(run.observables),
        [](const Moments& m) { return m.count > 1 ? m.squares / (m.count - 1) : unknown; });
  write("minimum", run.observables, [](const Moments& m) { return m.count > 0 ? m.least : unknown; });
  write("maximum", run.observables, [](const Moments& m) { return m.count > 0 ? m.largest : unknown; });
  if (bins == 0) return;
  const std::uint64_t cells = 1 + 4 * observables;
  const auto histogram =
      write_rows<std::int64_t>(group, "histogram", Element::int64, {times, observables, bins},
                               [&](auto t, auto i) { return all.sum(t, cells + i / bins * (bins + 2) + i % bins); });
  annotate(*histogram, "1", "trajectories in each cell");
  histogram->set_attribute("low", run.low);
  histogram->set_attribute("high", run.high);
  annotate(
      *write_rows<std::int64_t>(group, "outside", Element::int64, {times, observables, 2},
                                [&](auto t, auto i) { return all.sum(t, cells + i / 2 * (bins + 2) + bins + i % 2); }),
      "1", "trajectories below and above all cells");
}

}  // namespace polhode
