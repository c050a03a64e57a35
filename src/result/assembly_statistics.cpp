#include "result/assembly_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "result/annotations.hpp"
#include "result/assembly_blocks.hpp"
#include "result/dimensions.hpp"
#include "result/records.hpp"

namespace polhode {
namespace {

/// Creates an array whose first dimension is time, writes its numbers, and returns it. value(time, i): the number at
/// index `time` of the first dimension and at index i of all others together.
template <class T, class Value>
std::unique_ptr<ArrayWriter> write_rows(GroupWriter& group, const char* name, Element element,
                                        const Dimensions& dimensions, const Value& value) {
  auto array = group.create_array(name, element, dimensions);
  const Shape shape = shape_of(dimensions);
  std::uint64_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= shape[i];
  const std::uint64_t most = std::max<std::uint64_t>(size(block_elements) / width, 1);
  array->fill([&](RowWriter& rows) {
    std::vector<T> block;
    for (std::uint64_t first = 0; first < shape[0]; first += most) {
      block.clear();
      for (std::uint64_t t = first; t < std::min(first + most, shape[0]); ++t)
        for (std::uint64_t i = 0; i < width; ++i) block.push_back(static_cast<T>(value(t, i)));
      rows.write(first, block);
    }
  });
  return array;
}

/// Statistics of the ensemble, merged from the records of all slices, numbers[slices][times][...].
class EnsembleStatistics {
 public:
  EnsembleStatistics(const StatisticsDescription& run, std::span<const double> numbers, std::uint64_t times,
                     std::uint64_t slices)
      : run_(run), all_(numbers), times_(times), slices_(slices), numbers_(numbers.size() / (times * slices)) {}

  bool is_wrapped(std::uint64_t observable) const { return run_.observables[observable].is_wrapped; }
  SampleMoments moments(std::uint64_t time, std::uint64_t observable) const {
    MomentTree tree(is_wrapped(observable));
    for (std::uint64_t s = 0; s < slices_; ++s) tree.add(get_moments(record(s, time), observable));
    return tree.total();
  }
  /// Sum over all slices of the count at index `place` of their records at a time.
  double sum(std::uint64_t time, std::uint64_t place) const {
    double all = 0;
    for (std::uint64_t s = 0; s < slices_; ++s) all += record(s, time)[place];
    return all;
  }

 private:
  std::span<const double> record(std::uint64_t slice, std::uint64_t time) const {
    return all_.subspan((slice * times_ + time) * numbers_, numbers_);
  }

  const StatisticsDescription& run_;
  std::span<const double> all_;
  std::uint64_t times_, slices_, numbers_;
};

/// Columns, with `note` added to the meaning of those that are wrapped angles.
std::vector<Column> on_circle(std::vector<Column> columns, const char* note) {
  for (Column& column : columns)
    if (column.is_wrapped) column.meaning += fmt::format("; {}", note);
  return columns;
}
std::vector<Column> of_means(const std::vector<Column>& observables) {
  return on_circle(observables, "the circular mean, the direction of R = mean of e^(i angle)");
}
/// Columns of the variances of observables, with the squared units.
std::vector<Column> of_variances(const std::vector<Column>& observables) {
  std::vector<Column> columns = on_circle(observables, "the square of the circular standard deviation, -2 log |R|");
  for (Column& column : columns)
    if (column.unit != "1") column.unit = "(" + column.unit + ")^2";
  return columns;
}

double mean_of(const SampleMoments& moments, bool is_wrapped) {
  return moments.count == 0 || (is_wrapped && !has_direction(moments)) ? unknown : moments.mean;
}
double variance_of(const SampleMoments& moments, bool is_wrapped) {
  if (moments.count < 2) return unknown;
  return is_wrapped ? circular_variance(moments) : moments.squares / (moments.count - 1);
}

}  // namespace

void write_statistics(GroupWriter& root, const RunDescription& description, std::span<const double> numbers,
                      std::int64_t slices) {
  const StatisticsDescription& run = *description.statistics;
  const Dimension times = time_dimension(description), observables = observable_dimension(run);
  const EnsembleStatistics all(run, numbers, times.size, size(slices));
  const auto made = root.create_group("statistics");
  GroupWriter& group = *made;
  const auto names = group.create_array("observables", Element::text, {observables});
  names->write(names_of(run.observables));
  annotate(*names, "1", "names of the observables, the columns of the arrays beside");
  write_times(group, times, run.every, description.step);
  const auto count =
      write_rows<std::int64_t>(group, "count", Element::int64, {times}, [&](auto t, auto) { return all.sum(t, 0); });
  annotate(*count, "1", "trajectories that have come so far");
  const auto write = [&](const char* name, const std::vector<Column>& columns, const auto& value) {
    annotate(*write_rows<double>(group, name, Element::float64, {times, observables},
                                 [&](auto t, auto o) {
                                   const double x = value(all.moments(t, o), all.is_wrapped(o));
                                   return x == x ? x : unknown;  // of values that overflow
                                 }),
             columns);
  };
  write("mean", of_means(run.observables), mean_of);
  write("variance", of_variances(run.observables), variance_of);
  write("minimum", run.observables, [](const SampleMoments& m, bool) { return m.count > 0 ? m.least : unknown; });
  write("maximum", run.observables, [](const SampleMoments& m, bool) { return m.count > 0 ? m.largest : unknown; });
  if (run.bins == 0) return;
  const std::uint64_t cells = 1 + 4 * observables.size, bins = size(run.bins);
  const auto histogram =
      write_rows<std::int64_t>(group, "histogram", Element::int64, {times, observables, bin_dimension(run)},
                               [&](auto t, auto i) { return all.sum(t, cells + i / bins * (bins + 2) + i % bins); });
  annotate(*histogram, "1", "trajectories in each cell");
  histogram->set_attribute("low", run.low);
  histogram->set_attribute("high", run.high);
  const auto sides = group.create_array("side", Element::text, {side_dimension()});
  sides->write({"below", "above"});
  annotate(*sides, "1", "sides of the range of a histogram");
  annotate(
      *write_rows<std::int64_t>(group, "outside", Element::int64, {times, observables, side_dimension()},
                                [&](auto t, auto i) { return all.sum(t, cells + i / 2 * (bins + 2) + bins + i % 2); }),
      "1", "trajectories below and above all cells");
}

}  // namespace polhode
