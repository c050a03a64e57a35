#include "output/assembly.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract.hpp"
#include "output/assembly_blocks.hpp"
#include "output/assembly_statistics.hpp"
#include "output/final_records.hpp"
#include "output/h5.hpp"
#include "output/records.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

using h5::Element;

/// As an attribute, if it has a value; whole numbers in a list as reals, of which attributes have lists.
void write_setting(h5::File& file, const std::string& name, const Value& setting) {
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Rows>)
          file.set_attribute(name, value.numbers);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          file.set_attribute(name, std::vector<double>(value.begin(), value.end()));
        else if constexpr (std::is_same_v<T, bool>)
          file.set_attribute(name, std::int64_t{value});
        else if constexpr (!std::is_same_v<T, std::monostate>)
          file.set_attribute(name, value);
      },
      setting);
}

void write_root(h5::File& file, const RunDescription& run) {
  file.set_attribute("schema", result_schema);
  file.set_attribute("program", "polhode");
  file.set_attribute("version", run.version);
  file.set_attribute("git", run.git);
  file.set_attribute("created", run.created);
  file.set_attribute("config", run.config);
  for (const Setting& setting : run.settings) write_setting(file, setting.attribute, setting.value);
  if (run.plugin) file.set_attribute("plugin", *run.plugin);
  if (run.section) file.set_attribute("section", *run.section);
  file.set_attribute("backend", run.backend);
  file.set_attribute("device", run.device);
  file.set_attribute("isa", run.isa);
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

/// A result that is being written: all of it at once, or by ranks that write their rows once one of them has written
/// the rest.
struct Writing : RunResult {
  Share share;
  bool rest = true, rows = true;

  /// How many of the trajectories have rows to be written now.
  std::int64_t rows_of_trajectories() const { return rows ? ensemble.n : 0; }
};

h5::Dataset create_state(h5::Group& group, const Writing& result) {
  h5::Dataset state =
      group.create_dataset("state", Element::float64, {size(result.share.trajectories), size(result.ensemble.dim)});
  state.set_attribute("columns", result.description.columns);
  return state;
}

void write_initial(h5::File& file, const Writing& result) {
  h5::Group group = file.create_group("initial");
  h5::Dataset state = create_state(group, result);
  const std::uint64_t dim = size(result.ensemble.dim), rows = std::max<std::uint64_t>(size(block_elements) / dim, 1);
  const std::uint64_t n = size(result.rows_of_trajectories());
  for (std::uint64_t first = 0; first < n; first += rows)
    state.write(size(result.share.first) + first, result.initial.subspan(first * dim, std::min(rows, n - first) * dim));
}

/// How many points the run has taken of each trajectory, in the file one by one or not.
h5::Dataset create_section_count(h5::Group& section, const Writing& result) {
  h5::Dataset count = section.create_dataset("count", Element::int64, {size(result.share.trajectories)});
  count.set_attribute(
      "meaning", "points of each trajectory on the section: crossings that were solved for and meet its condition");
  return count;
}

/// /final, /status, /invariants and /section/count, slice by slice. section: of a run with one.
void write_final(h5::File& file, h5::Group* section, const Writing& result) {
  const RunDescription& run = result.description;
  const std::uint64_t n = size(result.share.trajectories);
  h5::Group final = file.create_group("final"), status = file.create_group("status");
  h5::Dataset state = create_state(final, result), time = final.create_dataset("time", Element::float64, {n});
  h5::Dataset code = status.create_dataset("code", Element::uint8, {n});
  code.set_attribute("meaning", std::vector<std::string>(std::begin(status_text), std::end(status_text)));
  h5::Dataset step = status.create_dataset("step", Element::int64, {n});
  std::optional<h5::Dataset> initial, drift, count;
  if (section) count.emplace(create_section_count(*section, result));
  if (!run.invariants.empty()) {
    h5::Group group = file.create_group("invariants");
    h5::Dataset names = group.create_dataset("names", Element::text, {run.invariants.size()});
    if (result.rest) names.write(run.invariants);
    initial.emplace(group.create_dataset("initial", Element::float64, {n, run.invariants.size()}));
    drift.emplace(group.create_dataset("max_drift", Element::float64, {n, run.invariants.size()}));
  }
  const Mapping records = result.final.map();
  for (std::int64_t first = 0; first < result.rows_of_trajectories(); first += result.slice) {
    const Batch batch = final_batch(records.data(), result.ensemble, result.slice, first);
    const std::int64_t top = result.share.first + first;
    std::vector<double> times;
    for (const std::int64_t steps : batch.steps) times.push_back(static_cast<double>(steps) * run.step);
    write_transposed(state, top, batch.n, batch.state);
    time.write(size(top), times);
    code.write(size(top), batch.code);
    step.write(size(top), batch.steps);
    if (initial) write_transposed(*initial, top, batch.n, batch.invariants);
    if (drift)
      write_transposed(*drift, top, batch.n, batch.max_drift, [&](std::int64_t k) {
        return batch.steps[size(k)] >= run.first_compared ? batch.n_invariants : 0;
      });
    if (count) count->write(size(top), batch.section_count);
  }
}

SectionRecordHead head_of(const std::byte* record) {
  SectionRecordHead head;
  std::memcpy(&head, record, sizeof(head));
  return head;
}

/// The places of the records of a slice's points in the order of (trajectory, step): a stable counting sort by
/// trajectory, within which the journal has the order of steps already. The points are those from record `from` on.
std::vector<std::int64_t> merge_order(const Journal& journal, const std::byte* records, std::int64_t from,
                                      std::int64_t first, std::int64_t n) {
  const auto trajectory = [&](std::int64_t i) {
    return head_of(records + static_cast<std::size_t>(i) * journal.record_bytes()).trajectory - first;
  };
  std::vector<std::int64_t> next(size(n) + 1, 0);  // at first the number of points of the trajectory before
  std::int64_t end = from;
  for (; end < journal.records(); ++end) {
    const std::int64_t id = trajectory(end);
    if (id >= n) break;  // of a later slice
    if (id < 0) throw damaged(journal, fmt::format("a point of trajectory {} among later ones", first + id));
    ++next[size(id) + 1];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<std::int64_t> order(size(end - from));
  for (std::int64_t i = from; i < end; ++i) order[size(next[size(trajectory(i))]++)] = i;
  return order;
}

void write_picture(h5::Group& section, const Picture& picture) {
  section.set_attribute("axes", picture.axes);
  section.set_attribute("axis_columns", picture.columns);
  section.set_attribute("axis_signs", picture.signs);
  section.set_attribute("side", picture.side);
}

void write_section(h5::Group& group, const Writing& result) {
  const Journal& journal = result.section;
  const std::int64_t points = result.share.points;
  const int dim = result.ensemble.dim;
  h5::Dataset states = group.create_dataset("state", Element::float64, {size(points), size(dim)});
  h5::Dataset trajectories = group.create_dataset("trajectory", Element::int64, {size(points)});
  h5::Dataset times = group.create_dataset("time", Element::float64, {size(points)});
  h5::Dataset steps = group.create_dataset("step", Element::int64, {size(points)});
  if (!result.rows) return;

  const Mapping records = journal.map();
  const auto block = static_cast<std::size_t>(std::max<std::int64_t>(block_elements / dim, 1));
  std::vector<double> state, time;
  std::vector<std::int64_t> trajectory, step;
  std::int64_t written = 0;
  for (std::int64_t slice = 0; slice < result.ensemble.n; slice += result.slice) {
    const std::vector<std::int64_t> order =
        merge_order(journal, records.data(), written, slice, std::min(result.slice, result.ensemble.n - slice));
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
        trajectory[i] = result.share.first + head.trajectory;
        step[i] = head.step;
        time[i] = (static_cast<double>(head.step) + head.theta) * result.description.step;
        std::memcpy(&state[i * size(dim)], record + sizeof(head), size(dim) * sizeof(double));
      }
      const std::uint64_t top = size(result.share.first_point + written);
      states.write(top, state);
      trajectories.write(top, trajectory);
      times.write(top, time);
      steps.write(top, step);
      written += static_cast<std::int64_t>(count);
    }
  }
  if (written < journal.records()) {
    const std::int64_t id = head_of(records.data() + size(written) * journal.record_bytes()).trajectory;
    throw damaged(journal, fmt::format("a point of trajectory {} of {}", id, result.ensemble.n));
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

void write_snapshots(h5::File& file, const Writing& result) {
  const RunDescription& run = result.description;
  const BatchShape& ensemble = result.ensemble;
  const std::int64_t dim = ensemble.dim, kept = ensemble.n_invariants, later = run.steps / run.snapshots_every;
  h5::Group group = file.create_group("snapshots");
  if (result.rest)
    write_sequence(group, "time", later + 1,
                   [&](std::int64_t i) { return static_cast<double>(i * run.snapshots_every) * run.step; });

  const auto create = [&](const char* name, std::int64_t count) {
    return group.create_dataset(name, Element::float64,
                                {size(result.share.trajectories), size(later + 1), size(count)});
  };
  h5::Dataset states = create("state", dim);
  std::optional<h5::Dataset> invariants;
  if (kept > 0) invariants.emplace(create("invariants", kept));
  const Mapping records = result.snapshots.map(), final = result.final.map();
  for (std::int64_t first = 0; first < result.rows_of_trajectories(); first += result.slice) {
    const Batch batch = final_batch(final.data(), ensemble, result.slice, first);
    const std::int64_t n = batch.n;
    std::vector<double> start(size(n * dim));
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t i = 0; i < dim; ++i) start[size(i * n + k)] = result.initial[size((first + k) * dim + i)];
    const auto* const after = reinterpret_cast<const double*>(records.data()) + first * later * (dim + kept);
    // Columns `left` to `left + count` of every snapshot, the start before them.
    const auto write = [&](h5::Dataset& dataset, std::int64_t left, std::int64_t count,
                           const std::vector<double>& before) {
      const auto column = [&](std::int64_t i) {
        if (i < count) return before.data() + i * n;
        return after + ((i / count - 1) * (dim + kept) + left + i % count) * n;
      };
      // A trajectory that has ended is nowhere.
      write_transposed(dataset, result.share.first + first, n, column,
                       [&](std::int64_t k) { return (batch.steps[size(k)] / run.snapshots_every + 1) * count; });
    };
    write(states, 0, dim, start);
    if (invariants) write(*invariants, dim, kept, batch.invariants);
  }
}

void write(h5::File& file, const Writing& result) {
  const RunDescription& run = result.description;
  POLHODE_EXPECT(run.columns.size() == size(result.ensemble.dim) && result.slice > 0);
  POLHODE_EXPECT(run.invariants.empty() || run.invariants.size() == size(result.ensemble.n_invariants));
  POLHODE_EXPECT(!run.section || result.ensemble.n_sections == 1);
  if (result.rest) {
    write_root(file, run);
    write_parameters(file, run.parameters);
  }
  write_initial(file, result);
  std::optional<h5::Group> section;
  if (run.section) section.emplace(file.create_group("section"));
  write_final(file, section ? &*section : nullptr, result);
  if (section) {
    if (run.picture) write_picture(*section, *run.picture);
    if (run.section_points) write_section(*section, result);
    if (run.density && result.rest) write_density(*section, *run.density);
  }
  if (run.statistics && result.rest)
    write_statistics(file, run, result.share.statistics, (result.share.trajectories + result.slice - 1) / result.slice);
  if (run.snapshots_every > 0) write_snapshots(file, result);
}

}  // namespace

std::span<const double> numbers_of(const Journal& journal, const Mapping& records) {
  const std::size_t numbers = size(journal.records()) * journal.record_bytes() / sizeof(double);
  return {reinterpret_cast<const double*>(records.data()), numbers};
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

void check_journals(const RunResult& result) {
  const RunDescription& run = result.description;
  const auto check = [](const Journal& journal, std::int64_t records, const char* what) {
    if (journal.records() != records)
      throw damaged(journal, fmt::format("{} {} instead of {}", journal.records(), what, records));
  };
  const std::int64_t n = result.ensemble.n, slices = (n + result.slice - 1) / result.slice;
  check(result.final, n, "trajectories");
  if (run.statistics)
    check(*result.statistics, slices * (run.steps / run.statistics->every + 1), "records of statistics");
  if (run.snapshots_every > 0) check(result.snapshots, n * (run.steps / run.snapshots_every), "records of snapshots");
}

void assemble(const std::filesystem::path& path, const RunResult& result) {
  check_journals(result);
  std::unique_ptr<Mapping> statistics;
  if (result.statistics) statistics.reset(new Mapping(result.statistics->map()));
  const Share all{.trajectories = result.ensemble.n,
                  .points = result.section.records(),
                  .first = 0,
                  .first_point = 0,
                  .statistics = statistics ? numbers_of(*result.statistics, *statistics) : std::span<const double>{}};
  h5::File file = h5::File::create(path, result.description.compression);
  write(file, {result, all});
  file.close();
}

void create_shared(const std::filesystem::path& path, const RunResult& result, const Share& share) {
  h5::File file = h5::File::create(path, 0, h5::File::Storage::when_created);
  write(file, {result, share, true, false});
  file.close();
}

void fill_shared(h5::File& file, const RunResult& result, const Share& share) {
  write(file, {result, share, false, true});
}

}  // namespace polhode
