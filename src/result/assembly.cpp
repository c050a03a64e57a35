#include "result/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "contract.hpp"
#include "parallel_for.hpp"
#include "result/assembly_blocks.hpp"
#include "result/assembly_points.hpp"
#include "result/carried_datasets.hpp"
#include "result/damaged.hpp"
#include "result/final_records.hpp"
#include "result/section_blocks.hpp"

namespace polhode {
namespace {

/// Successive trajectories of one slice.
struct Range {
  std::int64_t first, count;
};

/// All trajectories of the share `result`, in ranges of at most `most` trajectories.
std::vector<Range> ranges(const RunRecords& result, std::int64_t most) {
  std::vector<Range> all;
  for (std::int64_t first = 0, count = 0; first < result.ensemble.n; first += count) {
    count = std::min({most, result.slice - first % result.slice, result.ensemble.n - first});
    all.push_back({first, count});
  }
  return all;
}

/// Shape of the final batches.
FinalShape final_shape(const RunRecords& result) {
  return {without_states_unless(result.description.final_states, result.ensemble),
          result.description.earlier_every > 0};
}

Batch final_of(const RunRecords& result, const Range& range) {
  return final_part(result.final.bytes, final_shape(result), result.slice, range.first, range.count);
}

void fill_initial(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads) {
  const auto state = find("/initial/state");
  const std::int64_t dim = result.ensemble.dim, rows = std::max<std::int64_t>(block_elements / dim, 1);
  parallel_for((result.ensemble.n + rows - 1) / rows, threads, [&](std::int64_t i) {
    const std::int64_t first = i * rows, count = std::min(rows, result.ensemble.n - first);
    state->write(size(position.trajectory + first), result.initial(first, count, dim));
  });
}

/// Writes columns [columns][n], in which all values are known, into n rows of an array from row `top` on.
void write_columns(RowWriter& array, std::int64_t top, std::int64_t n, const std::vector<double>& columns) {
  write_transposed(
      array, top, {0, n, 0, static_cast<std::int64_t>(array.shape()[1])},
      [&](std::int64_t i) { return columns.data() + i * n; },
      [](std::int64_t) { return std::numeric_limits<std::int64_t>::max(); });
}

/// Fills /final, /invariants and the datasets of carried columns.
void fill_final(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads) {
  const RunDescription& run = result.description;
  const auto find_if = [&](bool there, const char* path) { return there ? find(path) : nullptr; };
  const auto state = find_if(run.final_states, "/final/state"), time = find_if(run.final_states, "/final/time"),
             initial = find_if(!run.invariants.empty(), "/invariants/initial"),
             drift = find_if(!run.invariants.empty(), "/invariants/max_drift"),
             earlier = find_if(run.earlier_every > 0, "/invariants/drift_before_end");
  const bool with_section = run.section.has_value();
  std::vector<std::unique_ptr<RowWriter>> columns;
  for_carried_datasets(with_section, [&](const CarriedDataset& dataset) {
    columns.push_back(find(fmt::format("/{}/{}", dataset.group, dataset.name).c_str()));
  });
  const std::vector<Range> parts = ranges(result, block_elements / (result.ensemble.dim + 1));
  parallel_for(std::ssize(parts), threads, [&](std::int64_t i) {
    const Batch batch = final_of(result, parts[size(i)]);
    const std::int64_t top = position.trajectory + parts[size(i)].first;
    if (state) {
      std::vector<double> times;
      for (const std::int64_t steps : batch.steps) times.push_back(static_cast<double>(steps) * run.step);
      write_columns(*state, top, batch.n, batch.state);
      time->write(size(top), times);
    }
    for_carried_datasets(
        with_section,
        [&, column = columns.begin()](const CarriedDataset&, const auto& array) mutable {
          (*column++)->write(size(top), array);
        },
        batch);
    if (initial) write_columns(*initial, top, batch.n, batch.invariants);
    const auto write_drift = [&](RowWriter& array, const std::vector<double>& drifts, std::int64_t first_compared) {
      write_transposed(
          array, top, {0, batch.n, 0, batch.n_invariants},
          [&](std::int64_t column) { return drifts.data() + column * batch.n; },
          [&](std::int64_t k) { return batch.steps[size(k)] >= first_compared ? batch.n_invariants : 0; });
    };
    if (drift) write_drift(*drift, batch.max_drift, run.first_compared);
    if (earlier) write_drift(*earlier, batch.earlier_drift, run.earlier_every);
  });
}

/// States at step 0 of a range of trajectories, as columns [dim][range.count].
std::vector<double> initial_columns(const RunRecords& result, const Range& range) {
  const std::int64_t dim = result.ensemble.dim;
  const std::vector<double> rows = result.initial(range.first, range.count, dim);
  std::vector<double> columns(rows.size());
  for (std::int64_t k = 0; k < range.count; ++k)
    for (std::int64_t i = 0; i < dim; ++i) columns[size(i * range.count + k)] = rows[size(k * dim + i)];
  return columns;
}

/// Snapshots of a slice without those at step 0, [times][dim + n_invariants][slice.count].
const double* snapshots_of(const RunRecords& result, const Range& slice) {
  const RunDescription& run = result.description;
  const std::int64_t columns = result.ensemble.dim + result.ensemble.n_invariants;
  return result.snapshots.numbers().data() + slice.first * (run.steps / run.snapshots_every) * columns;
}

/// Writes the states (first_column = 0) or the invariants (first_column = dim) of a part of a slice, at the start and
/// at snapshots, into the slice's rows of an array. count: number of columns of the states, or of the invariants.
void fill_snapshots(RowWriter& array, const RunRecords& result, const Position& position, const Range& slice,
                    const Rectangle& of_slice, std::int64_t first_column, std::int64_t count, std::int64_t threads) {
  const RunDescription& run = result.description;
  const std::int64_t dim = result.ensemble.dim, columns = dim + result.ensemble.n_invariants;
  const double* const after = snapshots_of(result, slice);
  const std::vector<Rectangle> parts = rectangles(array.shape(), of_slice);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t part) {
    const Rectangle& rectangle = parts[size(part)];
    const Batch batch = final_of(result, {slice.first + rectangle.first, rectangle.rows});
    const std::vector<double> before =
        first_column > 0 ? batch.invariants : initial_columns(result, {slice.first + rectangle.first, rectangle.rows});
    const auto column = [&](std::int64_t i) {
      if (i < count) return std::as_const(before).data() + i * rectangle.rows;
      return after + ((i / count - 1) * columns + first_column + i % count) * slice.count + rectangle.first;
    };
    // Snapshots after the end of a trajectory are unknown.
    write_transposed(array, position.trajectory + slice.first, rectangle, column,
                     [&](std::int64_t k) { return (batch.steps[size(k)] / run.snapshots_every + 1) * count; });
  });
}

/// Parts of the snapshots of a slice, with those at step 0, that are written one after another: the whole; or, if
/// records are given back, some trajectories at a time where these are pages of memory, else some snapshots at a time.
std::vector<Rectangle> portions_of(const RunRecords& result, const Range& slice) {
  constexpr std::int64_t portions = 32, trajectories_of_pages = 1 << 14;
  const std::int64_t places = result.description.steps / result.description.snapshots_every + 1;
  if (!result.give_back) return {{0, slice.count, 0, places}};
  std::vector<Rectangle> all;
  const auto portion = [](std::int64_t whole) { return (whole + portions - 1) / portions; };
  if (slice.count >= trajectories_of_pages)
    for (std::int64_t row = 0, rows = portion(slice.count); row < slice.count; row += rows)
      all.push_back({row, std::min(rows, slice.count - row), 0, places});
  else
    for (std::int64_t place = 0, some = portion(places); place < places; place += some)
      all.push_back({0, slice.count, place, std::min(some, places - place)});
  return all;
}

/// Gives back the records of a portion that was written after those before it.
void give_back(const RunRecords& result, const Range& slice, const Rectangle& portion) {
  const std::int64_t columns = result.ensemble.dim + result.ensemble.n_invariants;
  const auto numbers = [&](std::int64_t first, std::int64_t begin, std::int64_t end) {
    result.give_back(reinterpret_cast<const std::byte*>(snapshots_of(result, slice) + first),
                     size(begin) * sizeof(double), size(end) * sizeof(double));
  };
  const std::int64_t last = portion.from + portion.places - 1;  // as a record: those of step 0 are none
  if (portion.rows == slice.count) {
    numbers(0, std::max<std::int64_t>(portion.from - 1, 0) * columns * slice.count, last * columns * slice.count);
  } else {
    for (std::int64_t column = 0; column < last * columns; ++column)
      numbers(column * slice.count, portion.first, portion.first + portion.rows);
  }
}

/// Part of the snapshots of a slice: the trajectories row, ..., row + rows - 1 of the slice at the snapshots place,
/// ..., place + places - 1, of which 0 is the start.
struct SnapshotPart {
  std::int64_t row, rows, place, places;
};

/// States [dim][places][rows] of a part of the snapshots of a slice; `unknown` after the end of a trajectory. ends:
/// final batch of the trajectories of the part.
std::vector<double> states_of(const RunRecords& result, const Range& slice, const Batch& ends,
                              const SnapshotPart& part) {
  const std::int64_t dim = result.ensemble.dim, columns = dim + result.ensemble.n_invariants;
  std::vector<double> states(size(dim * part.places * part.rows), unknown);
  for (std::int64_t p = 0; p < part.places; ++p) {
    const std::int64_t place = part.place + p;
    std::vector<double> initial;
    if (place == 0) initial = initial_columns(result, {slice.first + part.row, part.rows});
    for (std::int64_t i = 0; i < dim; ++i) {
      const double* const column =
          place == 0 ? initial.data() + i * part.rows
                     : snapshots_of(result, slice) + ((place - 1) * columns + i) * slice.count + part.row;
      for (std::int64_t k = 0; k < part.rows; ++k)
        if (place * result.description.snapshots_every <= ends.steps[size(k)])
          states[size((i * part.places + p) * part.rows + k)] = column[k];
    }
  }
  return states;
}

/// Writes the shadow energies of a part of a slice, at the start and at snapshots, into the slice's rows of an array.
void fill_shadow_energies(RowWriter& array, const RunRecords& result, const Position& position, const Range& slice,
                          const Rectangle& of_slice, std::int64_t threads) {
  const RunDescription& run = result.description;
  const std::int64_t most = std::max<std::int64_t>(block_elements / result.ensemble.dim, 1);  // states at a time
  const std::vector<Rectangle> parts = rectangles(array.shape(), of_slice);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t index) {
    const Rectangle& rectangle = parts[size(index)];
    std::vector<double> values(size(rectangle.places * rectangle.rows)), energies;
    for (SnapshotPart part{0, 0, 0, 0}; part.row < rectangle.rows; part.row += part.rows) {
      part.rows = std::min(most, rectangle.rows - part.row);
      const Batch ends = final_of(result, {slice.first + rectangle.first + part.row, part.rows});
      for (part.place = 0; part.place < rectangle.places; part.place += part.places) {
        part.places = std::min(std::max<std::int64_t>(most / part.rows, 1), rectangle.places - part.place);
        const std::vector<double> states = states_of(
            result, slice, ends, {rectangle.first + part.row, part.rows, rectangle.from + part.place, part.places});
        energies.resize(size(part.places * part.rows));
        run.shadow->compute(states.data(), std::ssize(energies), energies.data());
        for (std::int64_t p = 0; p < part.places; ++p)
          for (std::int64_t k = 0; k < part.rows; ++k) {
            const double energy = energies[size(p * part.rows + k)];
            values[size((part.place + p) * rectangle.rows + part.row + k)] = std::isnan(energy) ? unknown : energy;
          }
      }
    }
    write_transposed(
        array, position.trajectory + slice.first, rectangle,
        [&](std::int64_t i) { return std::as_const(values).data() + (i - rectangle.from) * rectangle.rows; },
        [&](std::int64_t) { return rectangle.from + rectangle.places; });
  });
}

void fill_snapshots(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads) {
  const std::int64_t dim = result.ensemble.dim, kept = result.ensemble.n_invariants;
  const auto state = find("/snapshots/state"),
             invariants = result.description.invariants.empty() ? nullptr : find("/snapshots/invariants"),
             shadow = result.description.shadow ? find("/snapshots/shadow_energy") : nullptr;
  for (const Range& slice : ranges(result, result.ensemble.n))
    for (const Rectangle& part : portions_of(result, slice)) {
      fill_snapshots(*state, result, position, slice, part, 0, dim, threads);
      if (invariants) fill_snapshots(*invariants, result, position, slice, part, dim, kept, threads);
      if (shadow) fill_shadow_energies(*shadow, result, position, slice, part, threads);
      if (result.give_back) give_back(result, slice, part);
    }
}

}  // namespace

std::int64_t count_points(const RunRecords& result) {
  if (!result.description.section || !result.description.section_points) return 0;
  std::int64_t points = 0;
  for (const Range& range : ranges(result, block_elements)) {
    const auto counts = section_counts(result.final.bytes, final_shape(result), result.slice, range.first, range.count);
    points = std::accumulate(counts.begin(), counts.end(), points);
  }
  return points;
}

void check_records(const RunRecords& result) {
  const RunDescription& run = result.description;
  const auto check = [](const Records& records, std::int64_t there, std::int64_t expected, const char* what) {
    if (there != expected) throw damaged(records, fmt::format("{} {} instead of {}", there, what, expected));
  };
  const std::int64_t n = result.ensemble.n, slices = (n + result.slice - 1) / result.slice;
  check(result.final, result.final.count(), n, "trajectories");
  if (run.statistics)
    check(result.statistics, result.statistics.count(), slices * (run.steps / run.statistics->every + 1),
          "records of statistics");
  if (run.snapshots_every > 0)
    check(result.snapshots, result.snapshots.count(), n * (run.steps / run.snapshots_every), "records of snapshots");
  if (run.section && run.section_points) {
    std::int64_t points = 0;
    for (const SectionBlockView& block : read_section_blocks(result.section, section_columns(run).size()))
      points += block.points;
    check(result.section.front(), points, count_points(result), "section points");
  }
}

void fill_rows(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads) {
  const RunDescription& run = result.description;
  POLHODE_EXPECT(run.columns.size() == size(result.ensemble.dim) && result.slice > 0);
  POLHODE_EXPECT(run.invariants.empty() || run.invariants.size() == size(result.ensemble.n_invariants));
  POLHODE_EXPECT(!run.section || result.ensemble.n_sections == 1);
  if (result.ensemble.n == 0) return;  // a rank without a share
  if (run.initial_states) fill_initial(find, result, position, threads);
  fill_final(find, result, position, threads);
  if (run.section && run.section_points) fill_points(find, result, position, threads);
  if (run.snapshots_every > 0) fill_snapshots(find, result, position, threads);
}

}  // namespace polhode
