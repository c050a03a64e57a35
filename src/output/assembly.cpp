#include "output/assembly.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "output/failure.hpp"
#include "output/h5.hpp"
#include "output/records.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

using h5::Element;

constexpr std::int64_t block_elements = 1 << 22;  ///< 32 MiB of doubles

std::uint64_t size(std::int64_t n) { return static_cast<std::uint64_t>(n); }

InputError damaged(const Journal& journal, const std::string& why) {
  return cannot_read(journal.path(), fmt::format("the journal is damaged: {}", why), "Use --force to start again.");
}

/// Writes value(0) ... value(count - 1).
template <class Value>
void write_sequence(h5::Group& group, const char* name, std::int64_t count, const Value& value) {
  h5::Dataset dataset = group.create_dataset(name, Element::float64, {size(count)});
  std::vector<double> block;
  for (std::int64_t first = 0; first < count; first += block_elements) {
    block.resize(size(std::min(block_elements, count - first)));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = value(first + static_cast<std::int64_t>(i));
    dataset.write(size(first), block);
  }
}

/// The largest number of whole chunks that fits, at least one, of what there is.
std::int64_t whole_chunks(std::uint64_t chunk, std::int64_t room, std::uint64_t all) {
  const auto step = static_cast<std::int64_t>(chunk);
  return std::min(std::max<std::int64_t>(room / step, 1) * step,
                  std::max<std::int64_t>(static_cast<std::int64_t>(all), 1));
}

/// Fills a dataset [n, m] or [n, m, k] from columns: column(i) has the n values of place i of m k. In blocks of whole
/// chunks, with as many trajectories as there is room for: both sides are then gone through in long runs.
template <class Column>
void write_transposed(h5::Dataset& dataset, const Column& column) {
  constexpr std::int64_t tile = 8;  // columns at a time: whole cache lines on both sides
  const h5::Shape shape = dataset.shape(), chunk = h5::chunk_of(shape);
  const auto n = static_cast<std::int64_t>(shape[0]), m = static_cast<std::int64_t>(shape[1]);
  const std::int64_t k = shape.size() == 3 ? static_cast<std::int64_t>(shape[2]) : 1;
  const std::int64_t rows =
      whole_chunks(chunk[0], block_elements / (static_cast<std::int64_t>(chunk[1]) * k), shape[0]);
  const std::int64_t places = whole_chunks(chunk[1], block_elements / (rows * k), shape[1]);
  std::vector<double> block(size(rows * places * k));
  for (std::int64_t from = 0; from < m; from += places) {
    const std::int64_t width = std::min(places, m - from) * k;
    for (std::int64_t first = 0; first < n; first += rows) {
      const std::int64_t count = std::min(rows, n - first);
      for (std::int64_t left = 0; left < width; left += tile) {
        const std::int64_t columns = std::min(tile, width - left);
        std::array<const double*, tile> source{};
        for (std::int64_t i = 0; i < columns; ++i) source[i] = column(from * k + left + i) + first;
        for (std::int64_t row = 0; row < count; ++row) {
          for (std::int64_t i = 0; i < columns; ++i) block[row * width + left + i] = source[i][row];
        }
      }
      h5::Shape start{size(first), size(from)}, extent{size(count), size(width / k)};
      if (shape.size() == 3) {
        start.push_back(0);
        extent.push_back(size(k));
      }
      dataset.write_block(start, extent, std::span<const double>(block).first(size(count * width)));
    }
  }
}

/// The same from columns that follow one another in memory.
void write_transposed(h5::Dataset& dataset, const std::vector<double>& columns, std::int64_t n) {
  write_transposed(dataset, [&](std::int64_t i) { return columns.data() + i * n; });
}

void write_root(h5::File& file, const RunDescription& run) {
  file.set_attribute("schema", result_schema);
  file.set_attribute("program", "polhode");
  file.set_attribute("version", run.version);
  file.set_attribute("git", run.git);
  file.set_attribute("created", run.created);
  file.set_attribute("config", run.config);
  file.set_attribute("system", run.system);
  if (run.plugin) file.set_attribute("plugin", *run.plugin);
  file.set_attribute("method", run.method);
  if (run.solver) file.set_attribute("solver", *run.solver);
  if (run.section) file.set_attribute("section", *run.section);
  file.set_attribute("step", run.step);
  file.set_attribute("steps", run.steps);
  file.set_attribute("backend", run.backend);
  file.set_attribute("device", run.device);
  file.set_attribute("isa", run.isa);
  file.set_attribute("precision", run.precision);
  file.set_attribute("sweeps", run.sweeps);
}

void write_parameters(h5::File& file, const std::vector<ParameterValue>& parameters) {
  h5::Group group = file.create_group("parameters");
  for (const ParameterValue& parameter : parameters) {
    const bool single = parameter.value.size() == 1;
    h5::Dataset dataset = group.create_dataset(parameter.name, Element::float64,
                                               single ? h5::Shape{} : h5::Shape{parameter.value.size()});
    dataset.write(0, parameter.value);
    dataset.set_attribute("unit", parameter.unit);
    dataset.set_attribute("meaning", parameter.meaning);
  }
}

void write_state(h5::Group& group, const Batch& batch, const std::vector<std::string>& names) {
  h5::Dataset state = group.create_dataset("state", Element::float64, {size(batch.n), size(batch.dim)});
  state.set_attribute("columns", names);
  write_transposed(state, batch.state, batch.n);
}

void write_final(h5::File& file, const Batch& batch, const RunDescription& run) {
  h5::Group group = file.create_group("final");
  write_state(group, batch, run.columns);
  write_sequence(group, "time", batch.n,
                 [&](std::int64_t i) { return static_cast<double>(batch.steps[size(i)]) * run.step; });
}

void write_status(h5::File& file, const Batch& batch) {
  h5::Group group = file.create_group("status");
  h5::Dataset code = group.create_dataset("code", Element::uint8, {size(batch.n)});
  code.set_attribute("meaning", std::vector<std::string>(std::begin(status_text), std::end(status_text)));
  code.write(0, batch.code);
  group.create_dataset("step", Element::int64, {size(batch.n)}).write(0, batch.steps);
}

void write_invariants(h5::File& file, const Batch& batch, const std::vector<std::string>& names) {
  h5::Group group = file.create_group("invariants");
  group.create_dataset("names", Element::text, {names.size()}).write(names);
  const auto write = [&](const char* name, const std::vector<double>& values) {
    h5::Dataset dataset = group.create_dataset(name, Element::float64, {size(batch.n), names.size()});
    write_transposed(dataset, values, batch.n);
  };
  write("initial", batch.invariants);
  write("max_drift", batch.max_drift);
}

SectionRecordHead head_of(const std::byte* record) {
  SectionRecordHead head;
  std::memcpy(&head, record, sizeof(head));
  return head;
}

/// The records' places in the order of (trajectory, step): a stable counting sort by trajectory, within which the
/// journal has the order of steps already.
std::vector<std::int64_t> merge_order(const Journal& journal, const std::byte* records, std::int64_t n) {
  const auto trajectory = [&](std::int64_t i) {
    return head_of(records + static_cast<std::size_t>(i) * journal.record_bytes()).trajectory;
  };
  std::vector<std::int64_t> next(size(n) + 1, 0);  // at first the number of points of the trajectory before
  for (std::int64_t i = 0; i < journal.records(); ++i) {
    const std::int64_t id = trajectory(i);
    if (id < 0 || id >= n) throw damaged(journal, fmt::format("a point of trajectory {} of {}", id, n));
    ++next[size(id) + 1];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<std::int64_t> order(size(journal.records()));
  for (std::int64_t i = 0; i < journal.records(); ++i) order[size(next[size(trajectory(i))]++)] = i;
  return order;
}

void write_picture(h5::Group& section, const Picture& picture) {
  section.set_attribute("axes", picture.axes);
  section.set_attribute("axis_columns", picture.columns);
  section.set_attribute("axis_signs", picture.signs);
  section.set_attribute("side", picture.side);
}

void write_section(h5::Group& group, const Journal& journal, std::int64_t n, int dim, double h) {
  const std::int64_t points = journal.records();
  h5::Dataset states = group.create_dataset("state", Element::float64, {size(points), size(dim)});
  h5::Dataset trajectories = group.create_dataset("trajectory", Element::int64, {size(points)});
  h5::Dataset times = group.create_dataset("time", Element::float64, {size(points)});
  h5::Dataset steps = group.create_dataset("step", Element::int64, {size(points)});

  const Mapping records = journal.map();
  const std::vector<std::int64_t> order = merge_order(journal, records.data(), n);
  const auto block = static_cast<std::size_t>(std::max<std::int64_t>(block_elements / dim, 1));
  std::vector<double> state, time;
  std::vector<std::int64_t> trajectory, step;
  SectionRecordHead last{-1, -1, 0};
  for (std::size_t first = 0; first < order.size(); first += block) {
    const std::size_t count = std::min(block, order.size() - first);
    state.resize(count * size(dim));
    time.resize(count);
    trajectory.resize(count);
    step.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte* const record = records.data() + size(order[first + i]) * journal.record_bytes();
      const SectionRecordHead head = head_of(record);
      if (head.trajectory == last.trajectory && head.step < last.step) {
        throw damaged(journal, fmt::format("trajectory {} has its points out of order", head.trajectory));
      }
      last = head;
      trajectory[i] = head.trajectory;
      step[i] = head.step;
      time[i] = (static_cast<double>(head.step) + head.theta) * h;
      std::memcpy(&state[i * size(dim)], record + sizeof(head), size(dim) * sizeof(double));
    }
    states.write(first, state);
    trajectories.write(first, trajectory);
    times.write(first, time);
    steps.write(first, step);
  }
}

void write_density(h5::Group& section, const Density& density) {
  h5::Dataset counts =
      section.create_dataset("density", Element::int64, {size(density.bins[0]), size(density.bins[1])});
  counts.write(0, density.counts);
  counts.set_attribute("axes", density.axes);
  counts.set_attribute("low", density.low);
  counts.set_attribute("high", density.high);
  counts.set_attribute("outside", density.outside);
}

/// Writes rows [time][width] of values that follow from a time's record; shape[0] is the number of times.
template <class T, class Value>
h5::Dataset write_rows(h5::Group& group, const char* name, Element element, const h5::Shape& shape,
                       const Value& value) {
  h5::Dataset dataset = group.create_dataset(name, element, shape);
  std::uint64_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= shape[i];
  const std::uint64_t rows = std::max<std::uint64_t>(size(block_elements) / width, 1);
  std::vector<T> block;
  for (std::uint64_t first = 0; first < shape[0]; first += rows) {
    block.clear();
    for (std::uint64_t t = first; t < std::min(first + rows, shape[0]); ++t)
      for (std::uint64_t i = 0; i < width; ++i) block.push_back(static_cast<T>(value(t, i)));
    dataset.write(first, block);
  }
  return dataset;
}

void write_statistics(h5::File& file, const Journal& journal, const StatisticsDescription& run, double h,
                      std::int64_t last_step) {
  const std::uint64_t times = size(last_step / run.every + 1), observables = run.observables.size(),
                      bins = size(run.bins);
  if (size(journal.records()) != times) {
    throw damaged(journal, fmt::format("{} records of statistics instead of {}", journal.records(), times));
  }
  const Mapping records = journal.map();
  const std::size_t numbers = journal.record_bytes() / sizeof(double);
  const auto record = [&](std::uint64_t time) {
    return reinterpret_cast<const double*>(records.data()) + time * numbers;
  };
  h5::Group group = file.create_group("statistics");
  group.create_dataset("observables", Element::text, {observables}).write(run.observables);
  write_sequence(group, "time", static_cast<std::int64_t>(times),
                 [&](std::int64_t i) { return static_cast<double>(i * run.every) * h; });
  write_rows<std::int64_t>(group, "count", Element::int64, {times}, [&](auto t, auto) { return record(t)[0]; });
  constexpr const char* moments[] = {"mean", "variance", "minimum", "maximum"};
  for (std::size_t m = 0; m < std::size(moments); ++m)
    write_rows<double>(group, moments[m], Element::float64, {times, observables},
                       [&](auto t, auto o) { return record(t)[1 + 4 * o + m]; });
  if (bins == 0) return;
  const std::uint64_t cells = 1 + 4 * observables;
  h5::Dataset histogram =
      write_rows<std::int64_t>(group, "histogram", Element::int64, {times, observables, bins},
                               [&](auto t, auto i) { return record(t)[cells + i / bins * (bins + 2) + i % bins]; });
  histogram.set_attribute("low", run.low);
  histogram.set_attribute("high", run.high);
  write_rows<std::int64_t>(group, "outside", Element::int64, {times, observables, 2},
                           [&](auto t, auto i) { return record(t)[cells + i / 2 * (bins + 2) + bins + i % 2]; });
}

void write_snapshots(h5::File& file, const RunResult& result) {
  const RunDescription& run = result.description;
  const std::int64_t n = result.initial.n, dim = result.initial.dim, kept = result.final.n_invariants;
  const std::int64_t later = run.steps / run.snapshots_every;
  if (result.snapshots.records() != later) {
    throw damaged(result.snapshots, fmt::format("{} snapshots instead of {}", result.snapshots.records(), later));
  }
  h5::Group group = file.create_group("snapshots");
  write_sequence(group, "time", later + 1,
                 [&](std::int64_t i) { return static_cast<double>(i * run.snapshots_every) * run.step; });

  const Mapping records = result.snapshots.map();
  const auto* const after = reinterpret_cast<const double*>(records.data());
  // Columns `first` to `first + count` of every snapshot, the start before them.
  const auto write = [&](const char* name, std::int64_t first, std::int64_t count, const std::vector<double>& start) {
    h5::Dataset dataset = group.create_dataset(name, Element::float64, {size(n), size(later + 1), size(count)});
    write_transposed(dataset, [&](std::int64_t i) {
      if (i < count) return start.data() + i * n;
      return after + ((i / count - 1) * (dim + kept) + first + i % count) * n;
    });
  };
  write("state", 0, dim, result.initial.state);
  if (kept > 0) write("invariants", dim, kept, result.final.invariants);
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

void assemble(const std::filesystem::path& path, const RunResult& result) {
  const RunDescription& run = result.description;
  const Batch &initial = result.initial, &final = result.final;
  assert(run.columns.size() == size(initial.dim) && initial.dim == final.dim && initial.n == final.n);
  assert(run.invariants.empty() || run.invariants.size() == size(final.n_invariants));

  h5::File file = h5::File::create(path);
  write_root(file, run);
  write_parameters(file, run.parameters);
  {
    h5::Group group = file.create_group("initial");
    write_state(group, initial, run.columns);
  }
  write_final(file, final, run);
  write_status(file, final);
  if (!run.invariants.empty()) write_invariants(file, final, run.invariants);
  if (run.section) {
    h5::Group group = file.create_group("section");
    if (run.picture) write_picture(group, *run.picture);
    if (run.section_points) write_section(group, result.section, initial.n, initial.dim, run.step);
    if (run.density) write_density(group, *run.density);
  }
  if (run.statistics) write_statistics(file, *result.statistics, *run.statistics, run.step, run.steps);
  if (run.snapshots_every > 0) write_snapshots(file, result);
  file.close();
}

}  // namespace polhode
