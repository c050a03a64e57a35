#include "output/finished_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "output/failure.hpp"
#include "output/h5.hpp"
#include "polhode/method/status.hpp"
#include "result/carried_datasets.hpp"

namespace polhode {
namespace {

constexpr std::int64_t most_points = 1 << 18;                 // of the section, read at a time
constexpr std::int64_t most_numbers = std::int64_t{1} << 25;  // of snapshots, read at a time

std::string text_of(const h5::File& file, const char* name) {
  if (!file.has_attribute(name)) return "";
  const Attribute value = file.attribute(name);
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : "";
}

class FileOfEarlierRun final : public EarlierRun {
 public:
  FileOfEarlierRun(const std::filesystem::path& path, const RunLayout& layout, double h, std::int64_t invariants_every)
      : path_(path),
        file_(h5::File::open(path)),
        shape_(layout),
        statistics_bytes_(layout.statistics_bytes),
        section_columns_(layout.section_columns),
        h_(h),
        invariants_every_(invariants_every),
        steps_(read_finished_run(path).steps),
        earlier_drift_(file_.find_dataset("/invariants/drift_before_end")),
        snapshots_(file_.find_dataset("/snapshots/state")),
        snapshot_invariants_(file_.find_dataset("/snapshots/invariants")),
        statistics_times_(file_.find_dataset("/statistics/time")),
        point_trajectories_(file_.find_dataset("/section/trajectory")) {}

  std::int64_t steps() const override { return steps_; }

  Batch end_of(std::int64_t first, std::int64_t count) override {
    const std::lock_guard lock(mutex_);
    BatchShape shape = shape_;
    shape.n = count;
    Batch batch(shape);
    if (count == 0) return batch;
    read_columns("/final/state", first, count, batch.state);
    read_columns("/invariants/initial", first, count, batch.invariants);
    read_columns(earlier_drift_ ? "/invariants/drift_before_end" : "/invariants/max_drift", first, count,
                 batch.max_drift);
    for (double& drift : batch.max_drift)
      if (std::isnan(drift)) drift = 0;  // never compared so far
    for_carried_datasets(
        shape.n_sections > 0,
        [&](const CarriedDataset& dataset, auto& array) {
          read(fmt::format("/{}/{}", dataset.group, dataset.name).c_str(), first, std::span(array));
        },
        batch);
    // A longer run does not compare its energies after this step.
    if (steps_ % invariants_every_ != 0)
      for (std::int64_t k = 0; k < count; ++k)
        if (batch.code[at(k)] == static_cast<std::uint8_t>(Status::energy_changed) && batch.steps[at(k)] == steps_)
          batch.code[at(k)] = static_cast<std::uint8_t>(Status::ok);
    return batch;
  }

  std::int64_t hand_over(std::int64_t first, std::int64_t count, std::int64_t before, Sink& sink) override {
    const std::lock_guard lock(mutex_);
    hand_over_snapshots(first, count, sink);
    if (statistics_times_) {
      // Their place only: the rows of the file are copied into the result.
      const std::vector<double> nothing(statistics_bytes_ / sizeof(double));
      for (std::uint64_t t = 0; t < statistics_times_->shape().front(); ++t) sink.append_statistics(nothing);
    }
    return hand_over_points(first, count, before, sink);
  }

  std::vector<std::int64_t> counts() override {
    const std::lock_guard lock(mutex_);
    const h5::Dataset density = file_.dataset("/section/density");
    const h5::Shape shape = density.shape();
    std::vector<std::int64_t> counts(shape[0] * shape[1]);
    density.read(0, counts);
    const Attribute outside = density.attribute("outside");
    counts.push_back(std::get<std::int64_t>(outside));
    return counts;
  }

 private:
  static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

  template <class T>
  void read(const char* name, std::int64_t first, std::span<T> rows) const {
    file_.dataset(name).read(static_cast<std::uint64_t>(first), rows);
  }
  /// Reads rows first, ..., first + count - 1 of the dataset `name`, and stores them as columns [columns][count], for
  /// which `columns` has its size already.
  void read_columns(const char* name, std::int64_t first, std::int64_t count, std::vector<double>& columns) const {
    std::vector<double> rows(columns.size());
    read(name, first, std::span(rows));
    const std::int64_t width = static_cast<std::int64_t>(rows.size()) / count;
    for (std::int64_t k = 0; k < count; ++k)
      for (std::int64_t i = 0; i < width; ++i) columns[at(i * count + k)] = rows[at(k * width + i)];
  }

  /// Appends the snapshots of `count` trajectories from `first` on to the sink, but for those of the start; each call
  /// of the sink has the snapshots of several times.
  void hand_over_snapshots(std::int64_t first, std::int64_t count, Sink& sink) const {
    if (!snapshots_) return;
    const auto times = static_cast<std::int64_t>(snapshots_->shape()[1]);
    const std::int64_t dim = shape_.dim, columns = dim + shape_.n_invariants;
    const std::int64_t some = std::max<std::int64_t>(1, most_numbers / (count * columns));
    std::vector<double> block, snapshots;
    for (std::int64_t t = 1; t < times; t += some) {
      const std::int64_t here = std::min(some, times - t);
      snapshots.resize(at(here * columns * count));
      const auto take = [&](const h5::Dataset& from, std::int64_t left, std::int64_t width) {
        block.resize(at(count * here * width));
        from.read_block({at(first), at(t), 0}, {at(count), at(here), at(width)}, block);
        for (std::int64_t k = 0; k < count; ++k)
          for (std::int64_t s = 0; s < here; ++s)
            for (std::int64_t i = 0; i < width; ++i)
              snapshots[at((s * columns + left + i) * count + k)] = block[at((k * here + s) * width + i)];
      };
      take(*snapshots_, 0, dim);
      if (snapshot_invariants_) take(*snapshot_invariants_, dim, shape_.n_invariants);
      sink.append_snapshots(snapshots);
    }
  }

  /// Index of the first section point of `trajectory` or of a later one, or the number of points if there is none:
  /// points are in the order of trajectories.
  std::int64_t first_point(std::int64_t trajectory) const {
    std::int64_t low = 0, high = static_cast<std::int64_t>(point_trajectories_->shape().front());
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      std::int64_t found = 0;
      point_trajectories_->read(static_cast<std::uint64_t>(middle), std::span(&found, 1));
      if (found < trajectory)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::int64_t hand_over_points(std::int64_t first, std::int64_t count, std::int64_t before, Sink& sink) const {
    if (!point_trajectories_) return 0;
    const std::int64_t begin = first_point(first), end = first_point(first + count);
    SectionPoints points{.dim = shape_.dim};
    std::vector<double> times, states;
    for (std::int64_t k = begin; k < end; k += most_points) {
      const std::int64_t here = std::min(most_points, end - k);
      points.resize(here);
      times.resize(at(here));
      read("/section/trajectory", k, std::span(points.trajectory));
      read("/section/step", k, std::span(points.step));
      read("/section/time", k, std::span(times));
      const auto width = section_columns_.empty() ? at(shape_.dim) : section_columns_.size();
      states.resize(at(here) * width);
      read("/section/state", k, std::span(states));
      for (std::size_t j = 0; j < at(here); ++j) {
        points.trajectory[j] -= before;
        points.theta[j] = fraction_of_step(times[j], points.step[j]);
        for (std::size_t i = 0; i < width; ++i)
          points.state[j * at(shape_.dim) + (section_columns_.empty() ? i : at(section_columns_[i]))] =
              states[j * width + i];
      }
      sink.append(points);
    }
    return end - begin;
  }

  /// Least theta >= 0 for which (step + theta) h, computed in double as for the result, is `time`. Throws InputError
  /// where there is none.
  double fraction_of_step(double time, std::int64_t step) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr int ulps = 4;  // the roundings of the product and of time / h move that by less
    const auto whole = static_cast<double>(step);
    double sum = time / h_;  // step + theta
    for (int i = 0; i < ulps; ++i) sum = std::nextafter(sum, -infinity);
    sum = std::max(sum, whole);
    for (int i = 0; i <= 2 * ulps; ++i, sum = std::nextafter(sum, infinity))
      if (sum * h_ == time) return sum - whole;
    throw cannot_read(path_, fmt::format("/section/time has {}, which is no time of step {}", time, step),
                      "Use --force to start the run again.");
  }

  std::filesystem::path path_;
  h5::File file_;
  BatchShape shape_;
  std::size_t statistics_bytes_;
  std::vector<int> section_columns_;
  double h_;
  std::int64_t invariants_every_, steps_;
  /// Datasets that a file may lack. They are looked for by the constructor: it runs on the thread that has opened the
  /// file, and on others the library prints an error for each dataset that it does not find.
  std::optional<h5::Dataset> earlier_drift_, snapshots_, snapshot_invariants_, statistics_times_, point_trajectories_;
  std::mutex mutex_;  ///< lock for every use of the file: HDF5 serves one thread at a time
};

}  // namespace

FinishedRun read_finished_run(const std::filesystem::path& path) {
  const h5::File file = h5::File::open(path);
  if (text_of(file, "program") != "polhode")
    throw cannot_read(path, "not written by polhode", "Use --force to replace it.");
  FinishedRun run{.identity = text_of(file, "identity"), .created = text_of(file, "created")};
  if (file.has_attribute("steps")) {
    const Attribute steps = file.attribute("steps");
    if (const auto* number = std::get_if<std::int64_t>(&steps)) run.steps = *number;
  }
  return run;
}

std::unique_ptr<EarlierRun> open_finished_run(const std::filesystem::path& path, const RunLayout& layout, double h,
                                              std::int64_t invariants_every) {
  return std::make_unique<FileOfEarlierRun>(path, layout, h, invariants_every);
}

}  // namespace polhode
