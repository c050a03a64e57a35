// A run leaves the same bits however many segments are in flight, whichever of them overflow, and wherever it is
// interrupted, fails and is resumed.
#include "integration/integration.hpp"

#include <chrono>
#include <deque>
#include <random>
#include <thread>
#include <utility>

#include "backends/support.hpp"
#include "error.hpp"
#include "integration/prepare.hpp"

namespace polhode::test {
namespace {

RunSpec tops() {
  RunSpec run;
  run.system.name = "heavy-top";
  run.system.parameters["alpha"] = {0.44, 0.5, 1.0};
  run.method.name = "rattle";
  run.method.step = 0.05;
  RandomStarts starts;
  starts.count = 70;
  starts.distribution = Microcanonical{.energy = 1.0, .momentum = {}, .angular_momentum = {}};
  run.ensemble = starts;
  run.execution.steps = 60;
  run.execution.backend = BackendChoice::cpu;
  run.execution.threads = 2;
  run.section.emplace().name = "gamma3";
  run.density = DensitySpec{.axes = {"pi1", "pi2"}, .bins = {4, 5}, .range = {{{-2, 2}, {-2, 2}}}};
  run.statistics = StatisticsSpec{.every = 20, .observables = {"pi1"}, .bins = 0, .range = {}};
  run.record.snapshots = 15;
  return run;
}

/// How often has occurred what is to be tested.
struct Occurrences {
  int overflows = 0, forgotten_slices = 0, interruptions = 0, failed_writes = 0, resumed_slices = 0, checkpoints = 0;
};

/// What a run has left.
struct Records {
  SectionPoints points;
  std::vector<double> snapshots, statistics;
  std::vector<Batch> finals;
};

/// A folder in memory, which keeps what a checkpoint has made part of the run; some time, a call of it fails.
class Folder final : public Sink {
 public:
  explicit Folder(const RunLayout& layout) : layout_(layout) {}

  const RunLayout& layout() const override { return layout_; }
  std::optional<ResumePoint> resume() override {
    records = kept_;
    return point_;
  }
  void append(const SectionPoints& points) override {
    write();
    records.points.append(points);
  }
  void append_snapshots(std::span<const double> snapshots) override {
    write();
    records.snapshots.insert(records.snapshots.end(), snapshots.begin(), snapshots.end());
  }
  void append_statistics(std::span<const double> record) override {
    write();
    records.statistics.insert(records.statistics.end(), record.begin(), record.end());
  }
  void append_final(const Batch& slice) override {
    write();
    records.finals.push_back(slice);
  }
  void for_each_final(const std::function<void(const Batch&)>&) const override {}
  bool keeps_checkpoints() const override { return true; }
  void write_checkpoint(ResumePoint point) override {
    write();
    ++checkpoints;
    EXPECT_EQ(point.batch.n, point.position.step > 0 ? std::min(layout_.slice, layout_.n - point.position.first) : 0);
    EXPECT_EQ(point.position.first, std::min(layout_.n, layout_.slice * std::ssize(records.finals)));
    EXPECT_EQ(std::accumulate(point.counts.begin(), point.counts.end(), std::int64_t{0}), records.points.size());
    point_ = std::move(point);
    point_->points = records.points.size();
    kept_ = records;
  }

  Records records;
  int calls_left = -1;  ///< until one fails; negative: none does
  int checkpoints = 0;

 private:
  void write() {
    if (calls_left == 0) throw IoError("the disk is full");
    --calls_left;
    if (checkpoints % 3 == 2) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

  RunLayout layout_;
  Records kept_;
  std::optional<ResumePoint> point_;
};

/// Another backend ahead of which its segments are started. Some of them overflow: then whatever is queued behind does
/// nothing. In every step it drops one crossing.
class Ahead final : public Backend {
 public:
  Ahead(Backend& behind, std::size_t depth, unsigned seed, Occurrences& occurrences)
      : behind_(behind), depth_(depth), random_(seed), occurrences_(occurrences) {}

  std::int64_t preferred_batch() const override { return behind_.preferred_batch(); }
  void load(Batch batch) override {
    EXPECT_LT(queue_.size(), depth_);
    if (overflowed_) {
      ++occurrences_.forgotten_slices;
    } else {
      behind_.load(std::move(batch));
    }
  }
  std::size_t most_in_flight() const override { return depth_; }
  void start(const Segment& segment, const BoundaryRequest& kept) override {
    EXPECT_LT(queue_.size(), depth_);
    auto overflow = std::make_shared<SegmentResult>();
    overflow->overflow = true;
    overflow->fill = 1.5;
    if (!overflowed_ && (segment.count == 1 || random_() % 4 > 0)) {
      behind_.start(segment, kept);
      queue_.push_back(behind_.finish());
      queue_.back()->unrefined = segment.count;
    } else {
      overflowed_ = true;
      queue_.push_back(overflow);
    }
  }
  LentResult finish() override {
    LentResult result = queue_.at(0);
    queue_.pop_front();
    if (!result->overflow) return result;
    ++occurrences_.overflows;
    queue_.clear();
    overflowed_ = false;
    return result;
  }
  std::vector<std::int64_t> counts() override {
    EXPECT_TRUE(queue_.empty());
    return behind_.counts();
  }
  void set_counts(std::vector<std::int64_t> counts) override { behind_.set_counts(std::move(counts)); }
  void store(Batch& batch) const override {
    EXPECT_TRUE(queue_.empty());
    behind_.store(batch);
  }
  std::string device() const override { return behind_.device(); }
  std::string isa() const override { return behind_.isa(); }

 private:
  Backend& behind_;
  std::size_t depth_;
  std::mt19937 random_;
  Occurrences& occurrences_;
  std::deque<LentResult> queue_;
  bool overflowed_ = false;
};

class IntegrationTest : public testing::Test {
 protected:
  Folder folder() const { return Folder(prepared_.layout(prepared_.n(), 32)); }

  /// Sessions that end in all kinds of ways until the run is complete.
  IntegrationReport integrate_in_sessions(unsigned seed, std::size_t depth, Folder& folder, Occurrences& occurrences) {
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution<>(low, high)(random); };
    for (int session = 0;; ++session) {
      prepared_.run.spec.execution.segment = draw(1, 60);
      prepared_.run.spec.execution.checkpoint = draw(0, 1) * 1e9;
      const int what = session < 5 ? draw(0, 3) : 0;
      folder.calls_left = what == 1 ? draw(1, 40) : -1;
      int segments = what == 2 ? draw(1, 12) : -1;
      const ChosenBackend chosen = make_backend(prepared_.run, prepared_.plan);
      Ahead backend(*chosen.backend, depth, random(), occurrences);
      try {
        const IntegrationReport done =
            integrate(prepared_, backend, folder, [&](const RunProgress&) { return segments-- != 0; });
        if (done.begin.step > 0) ++occurrences.resumed_slices;
        if (done.complete) return done;
        ++occurrences.interruptions;
      } catch (const IoError&) {
        ++occurrences.failed_writes;
      }
    }
  }

  PreparedRun prepared_ = prepare(tops(), {});
};

TEST_F(IntegrationTest, LeavesTheSameBitsWithSegmentsInFlight) {
  Folder whole = folder();
  const IntegrationReport expected =
      integrate(prepared_, *prepared_.chosen.backend, whole, [](const RunProgress&) { return true; });
  ASSERT_TRUE(expected.complete);
  ASSERT_EQ(whole.records.finals.size(), 3u);
  ASSERT_GT(whole.records.points.size(), 20);
  const SectionPoints points = sorted(whole.records.points);
  for (const std::size_t depth : {1, 2}) {
    Occurrences occurrences;
    constexpr int runs = 100;
    for (int seed = 0; seed < runs && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", in flight " + std::to_string(depth));
      Folder folder = this->folder();
      const IntegrationReport done = integrate_in_sessions(static_cast<unsigned>(seed), depth, folder, occurrences);
      EXPECT_EQ(done.counts, expected.counts);
      EXPECT_EQ(done.points, expected.points);
      EXPECT_EQ(done.unrefined, std::ssize(whole.records.finals) * prepared_.run.spec.execution.steps);
      const SectionPoints found = sorted(folder.records.points);
      EXPECT_TRUE(same_bits(found.trajectory, points.trajectory) && same_bits(found.step, points.step));
      EXPECT_TRUE(same_bits(found.theta, points.theta) && same_bits(found.state, points.state));
      EXPECT_TRUE(same_bits(folder.records.snapshots, whole.records.snapshots));
      EXPECT_TRUE(same_bits(folder.records.statistics, whole.records.statistics));
      ASSERT_EQ(folder.records.finals.size(), whole.records.finals.size());
      for (std::size_t k = 0; k < whole.records.finals.size(); ++k)
        for_carried([](const CarriedColumn& column, const auto& a,
                       const auto& b) { EXPECT_TRUE(same_bits(a, b)) << column.name; },
                    folder.records.finals[k], whole.records.finals[k]);
      occurrences.checkpoints += folder.checkpoints;
    }
    // All of these have been tested, and not by luck.
    EXPECT_GT(occurrences.overflows, runs);
    EXPECT_GT(occurrences.interruptions, runs / 4);
    EXPECT_GT(occurrences.failed_writes, runs / 4);
    EXPECT_GT(occurrences.resumed_slices, runs / 4);
    EXPECT_GT(occurrences.checkpoints, runs);
    EXPECT_EQ(occurrences.forgotten_slices > runs / 10, depth > 1);
  }
}

}  // namespace
}  // namespace polhode::test
