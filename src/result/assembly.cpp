#include "result/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contract.hpp"
#include "polhode/method/status.hpp"
#include "result/annotations.hpp"
#include "result/assembly_blocks.hpp"
#include "result/assembly_coordinates.hpp"
#include "result/assembly_statistics.hpp"
#include "result/dimensions.hpp"
#include "result/final_records.hpp"
#include "result/records.hpp"

namespace polhode {
namespace {

/// Writes a setting as an attribute, if it has a value; lists of integers as reals, because attributes have no others.
void write_setting(GroupWriter& root, const std::string& name, const Value& setting) {
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Rows>)
          root.set_attribute(name, value.numbers);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          root.set_attribute(name, std::vector<double>(value.begin(), value.end()));
        else if constexpr (std::is_same_v<T, bool>)
          root.set_attribute(name, std::int64_t{value});
        else if constexpr (!std::is_same_v<T, std::monostate>)
          root.set_attribute(name, value);
      },
      setting);
}

void write_root(GroupWriter& root, const RunDescription& run) {
  root.set_attribute("schema", result_schema);
  root.set_attribute("program", "polhode");
  root.set_attribute("version", run.version);
  root.set_attribute("git", run.git);
  root.set_attribute("created", run.created);
  if (!run.config.empty()) root.set_attribute("config", run.config);
  for (const Setting& setting : run.settings) write_setting(root, setting.attribute, setting.value);
  if (run.plugin) root.set_attribute("plugin", *run.plugin);
  if (run.section) root.set_attribute("section", *run.section);
  root.set_attribute("backend", run.backend);
  root.set_attribute("device", run.device);
  root.set_attribute("isa", run.isa);
  root.set_attribute("sweeps", run.sweeps);
}

void write_parameters(GroupWriter& root, const std::vector<ParameterValue>& parameters) {
  const auto group = root.create_group("parameters");
  for (const ParameterValue& parameter : parameters) {
    Dimensions dimensions;
    if (parameter.value.size() != 1) dimensions.push_back({"", parameter.value.size()});
    const auto array = group->create_array(parameter.name, Element::float64, dimensions);
    array->write(0, parameter.value);
    annotate(*array, parameter.unit.c_str(), parameter.meaning.c_str());
  }
}

/// A result being written: all at once, or by ranks, each of which writes its rows after one of them has written the
/// rest.
struct Writing : RunResult {
  Share share;
  bool rest = true, rows = true;

  /// Number of trajectories whose rows are written now.
  std::int64_t rows_of_trajectories() const { return rows ? ensemble.n : 0; }

  Dimension trajectories() const { return trajectory_dimension(share.trajectories); }
  Dimension columns() const { return column_dimension(description); }
  Dimension invariants() const { return invariant_dimension(description); }
};

std::unique_ptr<ArrayWriter> create_state(GroupWriter& group, const Writing& result) {
  auto state = group.create_array("state", Element::float64, {result.trajectories(), result.columns()});
  annotate(*state, result.description.columns);
  return state;
}

void write_initial(GroupWriter& root, const Writing& result) {
  const auto group = root.create_group("initial");
  const auto state = create_state(*group, result);
  const std::int64_t dim = result.ensemble.dim, rows = std::max<std::int64_t>(block_elements / dim, 1);
  const std::int64_t n = result.rows_of_trajectories();
  for (std::int64_t first = 0; first < n; first += rows)
    state->write(size(result.share.first + first), result.initial(first, std::min(rows, n - first), dim));
}

/// Number of points that the run has selected of each trajectory, whether the result has the points themselves or not.
std::unique_ptr<ArrayWriter> create_section_count(GroupWriter& section, const Writing& result) {
  auto count = section.create_array("count", Element::int64, {result.trajectories()});
  annotate(*count, "1",
           "points of each trajectory on the section: crossings that were solved for and meet its condition");
  return count;
}

/// The final batch of the slice that begins with a trajectory.
Batch final_of(const Writing& result, std::int64_t first) {
  return final_batch(result.final.bytes.data(), without_states_unless(result.description.final_states, result.ensemble),
                     result.slice, first);
}

/// Writes /final, /status, /invariants and /section/count, slice by slice. section: null if the run has none.
void write_final(GroupWriter& root, GroupWriter* section, const Writing& result) {
  const RunDescription& run = result.description;
  const Dimension n = result.trajectories();
  std::unique_ptr<ArrayWriter> state, time;
  if (run.final_states) {
    const auto final = root.create_group("final");
    state = create_state(*final, result);
    time = final->create_array("time", Element::float64, {n});
    annotate(*time, "time", "time of the state: steps times h");
  }
  const auto status = root.create_group("status");
  const auto code = status->create_array("code", Element::uint8, {n});
  code->set_attribute("unit", "1");
  code->set_attribute("meaning", std::vector<std::string>(std::begin(status_text), std::end(status_text)));
  const auto step = status->create_array("step", Element::int64, {n});
  annotate(*step, "1", "completed steps");
  std::unique_ptr<ArrayWriter> initial, drift, count;
  if (section) count = create_section_count(*section, result);
  if (!run.invariants.empty()) {
    const auto group = root.create_group("invariants");
    const auto names = group->create_array("names", Element::text, {result.invariants()});
    if (result.rest) names->write(names_of(run.invariants));
    annotate(*names, "1", "names of the invariants, the columns of the arrays beside");
    initial = group->create_array("initial", Element::float64, {n, result.invariants()});
    drift = group->create_array("max_drift", Element::float64, {n, result.invariants()});
    annotate(*initial, run.invariants);
    annotate(*drift, run.invariants);
  }
  for (std::int64_t first = 0; first < result.rows_of_trajectories(); first += result.slice) {
    const Batch batch = final_of(result, first);
    const std::int64_t top = result.share.first + first;
    if (state) {
      std::vector<double> times;
      for (const std::int64_t steps : batch.steps) times.push_back(static_cast<double>(steps) * run.step);
      write_transposed(*state, top, batch.n, batch.state);
      time->write(size(top), times);
    }
    code->write(size(top), batch.code);
    step->write(size(top), batch.steps);
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

/// Permutation that sorts the records of a slice's points by (trajectory, step). A stable counting sort by trajectory
/// is enough, because the records of each trajectory are in the order of steps already. The points begin at record
/// `from`.
std::vector<std::int64_t> merge_order(const Records& records, std::int64_t from, std::int64_t first, std::int64_t n) {
  const auto trajectory = [&](std::int64_t i) {
    return head_of(records.bytes.data() + static_cast<std::size_t>(i) * records.record_bytes).trajectory - first;
  };
  std::vector<std::int64_t> next(size(n) + 1, 0);  // at first the number of points of the trajectory before
  std::int64_t end = from;
  for (; end < records.count(); ++end) {
    const std::int64_t id = trajectory(end);
    if (id >= n) break;  // of a later slice
    if (id < 0) throw damaged(records, fmt::format("a point of trajectory {} among later ones", first + id));
    ++next[size(id) + 1];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<std::int64_t> order(size(end - from));
  for (std::int64_t i = from; i < end; ++i) order[size(next[size(trajectory(i))]++)] = i;
  return order;
}

void write_picture(GroupWriter& section, const Picture& picture) {
  section.set_attribute("axes", picture.axes);
  section.set_attribute("axis_columns", picture.columns);
  section.set_attribute("axis_signs", picture.signs);
  section.set_attribute("side", picture.side);
}

void write_section(GroupWriter& group, const Writing& result) {
  const Records& records = result.section;
  const Dimension points = point_dimension(result.share.points);
  const int dim = result.ensemble.dim;
  const auto states = group.create_array("state", Element::float64, {points, result.columns()});
  const auto trajectories = group.create_array("trajectory", Element::int64, {points});
  const auto times = group.create_array("time", Element::float64, {points});
  const auto steps = group.create_array("step", Element::int64, {points});
  annotate(*states, result.description.columns);
  annotate(*trajectories, "1", "number of the trajectory, from 0");
  annotate(*times, "time", "time of the crossing");
  annotate(*steps, "1", "whole steps before the crossing");
  if (!result.rows) return;

  const auto block = static_cast<std::size_t>(std::max<std::int64_t>(block_elements / dim, 1));
  std::vector<double> state, time;
  std::vector<std::int64_t> trajectory, step;
  std::int64_t written = 0;
  for (std::int64_t slice = 0; slice < result.ensemble.n; slice += result.slice) {
    const std::vector<std::int64_t> order =
        merge_order(records, written, slice, std::min(result.slice, result.ensemble.n - slice));
    SectionRecordHead last{-1, -1, 0};
    for (std::size_t first = 0; first < order.size(); first += block) {
      const std::size_t count = std::min(block, order.size() - first);
      state.resize(count * size(dim));
      time.resize(count);
      trajectory.resize(count);
      step.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const record = records.bytes.data() + size(order[first + i]) * records.record_bytes;
        const SectionRecordHead head = head_of(record);
        if (head.trajectory == last.trajectory && head.step < last.step) {
          throw damaged(records, fmt::format("trajectory {} has its points out of order", head.trajectory));
        }
        last = head;
        trajectory[i] = result.share.first + head.trajectory;
        step[i] = head.step;
        time[i] = (static_cast<double>(head.step) + head.theta) * result.description.step;
        std::memcpy(&state[i * size(dim)], record + sizeof(head), size(dim) * sizeof(double));
      }
      const std::uint64_t top = size(result.share.first_point + written);
      states->write(top, state);
      trajectories->write(top, trajectory);
      times->write(top, time);
      steps->write(top, step);
      written += static_cast<std::int64_t>(count);
    }
  }
  if (written < records.count()) {
    const std::int64_t id = head_of(records.bytes.data() + size(written) * records.record_bytes).trajectory;
    throw damaged(records, fmt::format("a point of trajectory {} of {}", id, result.ensemble.n));
  }
}

void write_density(GroupWriter& section, const Density& density) {
  for (int axis = 0; axis < 2; ++axis) write_cells(section, density, axis);
  const auto counts =
      section.create_array("density", Element::int64, {cell_dimension(density, 0), cell_dimension(density, 1)});
  counts->write(0, density.counts);
  annotate(*counts, "1", "section points in each cell");
  counts->set_attribute("axes", names_of(density.axes));
  counts->set_attribute("low", density.low);
  counts->set_attribute("high", density.high);
  counts->set_attribute("outside", density.outside);
}

void write_snapshots(GroupWriter& root, const Writing& result) {
  const RunDescription& run = result.description;
  const BatchShape& ensemble = result.ensemble;
  const std::int64_t dim = ensemble.dim, kept = ensemble.n_invariants, later = run.steps / run.snapshots_every;
  const auto group = root.create_group("snapshots");
  const Dimension times = snapshot_dimension(run);
  if (result.rest) write_times(*group, times, run.snapshots_every, run.step);

  const auto create = [&](const char* name, const Dimension& last, const std::vector<Column>& columns) {
    auto array = group->create_array(name, Element::float64, {result.trajectories(), times, last});
    annotate(*array, columns);
    return array;
  };
  const auto states = create("state", result.columns(), run.columns);
  std::unique_ptr<ArrayWriter> invariants;
  if (!run.invariants.empty()) invariants = create("invariants", result.invariants(), run.invariants);
  for (std::int64_t first = 0; first < result.rows_of_trajectories(); first += result.slice) {
    const Batch batch = final_of(result, first);
    const std::int64_t n = batch.n;
    const std::vector<double> rows = result.initial(first, n, dim);
    std::vector<double> start(size(n * dim));
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t i = 0; i < dim; ++i) start[size(i * n + k)] = rows[size(k * dim + i)];
    const auto* const after = result.snapshots.numbers().data() + first * later * (dim + kept);
    // Columns `left` to `left + count` of every snapshot, preceded by the start.
    const auto write = [&](ArrayWriter& array, std::int64_t left, std::int64_t count,
                           const std::vector<double>& before) {
      const auto column = [&](std::int64_t i) {
        if (i < count) return before.data() + i * n;
        return after + ((i / count - 1) * (dim + kept) + left + i % count) * n;
      };
      // Snapshots after the end of a trajectory are unknown.
      write_transposed(array, result.share.first + first, n, column,
                       [&](std::int64_t k) { return (batch.steps[size(k)] / run.snapshots_every + 1) * count; });
    };
    write(*states, 0, dim, start);
    if (invariants) write(*invariants, dim, kept, batch.invariants);
  }
}

void write(GroupWriter& root, const Writing& result) {
  const RunDescription& run = result.description;
  POLHODE_EXPECT(run.columns.size() == size(result.ensemble.dim) && result.slice > 0);
  POLHODE_EXPECT(run.invariants.empty() || run.invariants.size() == size(result.ensemble.n_invariants));
  POLHODE_EXPECT(!run.section || result.ensemble.n_sections == 1);
  if (result.rest) {
    write_root(root, run);
    write_parameters(root, run.parameters);
    write_names(root, run);
  }
  if (run.initial_states) write_initial(root, result);
  std::unique_ptr<GroupWriter> section;
  if (run.section) section = root.create_group("section");
  write_final(root, section.get(), result);
  if (section) {
    if (run.picture) write_picture(*section, *run.picture);
    if (run.section_points) write_section(*section, result);
    if (run.density && result.rest) write_density(*section, *run.density);
  }
  if (run.statistics && result.rest)
    write_statistics(root, run, result.share.statistics, (result.share.trajectories + result.slice - 1) / result.slice);
  if (run.snapshots_every > 0) write_snapshots(root, result);
}

}  // namespace

void check_records(const RunResult& result) {
  const RunDescription& run = result.description;
  const auto check = [](const Records& records, std::int64_t expected, const char* what) {
    if (records.count() != expected)
      throw damaged(records, fmt::format("{} {} instead of {}", records.count(), what, expected));
  };
  const std::int64_t n = result.ensemble.n, slices = (n + result.slice - 1) / result.slice;
  check(result.final, n, "trajectories");
  if (run.statistics)
    check(result.statistics, slices * (run.steps / run.statistics->every + 1), "records of statistics");
  if (run.snapshots_every > 0) check(result.snapshots, n * (run.steps / run.snapshots_every), "records of snapshots");
}

void write_result(GroupWriter& root, const RunResult& result) {
  write(root, {result,
               {.trajectories = result.ensemble.n,
                .points = result.section.count(),
                .first = 0,
                .first_point = 0,
                .statistics = result.statistics.numbers()}});
}

void create_shared(GroupWriter& root, const RunResult& result, const Share& share) {
  write(root, {result, share, true, false});
}

void fill_shared(GroupWriter& root, const RunResult& result, const Share& share) {
  write(root, {result, share, false, true});
}

}  // namespace polhode
