// A device that integrates the toy. What has not been written yet, or may no longer be read, is scribbled over.
#pragma once

#include <algorithm>

#include "pipeline/fake_streams.hpp"
#include "pipeline/toy_run.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::test {

class FakeDevice {
  static constexpr std::uint64_t scribble = 0xdead'beef'dead'beef;
  static constexpr ToyPoint scribbled_point{-1, -1, scribble};

 public:
  using Stream = FakeStream;
  using Event = FakeEvent;
  using HostBatch = ToyBatch;

  struct Batch {
    std::size_t n = 0;  ///< as the host knows it: what has been queued will make it so
    ToyBatch columns;
  };
  /// In memory of the host.
  struct Results {
    std::int64_t crossings = 0, selected = 0, lost = 0;
    std::vector<ToyPoint> points;  ///< [capacity]
    ToyBatch boundary;
    ToyCounts counts;
  };
  struct Slot {
    std::size_t n = 0;  ///< as the host knows it
    std::int64_t crossings = 0, selected = 0, lost = 0;
    std::vector<ToyPoint> points;  ///< [capacity]
    ToyCounts counts;
    Results host;
  };

  FakeEvent before_segments, before_copies;  ///< are waited for by what is queued once they are set
  int segments_computed = 0;

  FakeDevice(const ToyRun& run, std::int64_t capacity, Schedule& schedule)
      : before_segments(schedule),
        before_copies(schedule),
        toy_(run.toy),
        capacity_(capacity),
        schedule_(schedule),
        captured_(capacity, scribbled_point),
        counts_(Toy::cells, 0) {}

  FakeStream make_stream() { return FakeStream(schedule_, schedule_.draw(1u << 30)); }
  FakeEvent make_event() { return FakeEvent(schedule_); }
  Batch make_batch() { return {}; }
  Slot make_slot() {
    const std::vector<ToyPoint> unwritten(capacity_, scribbled_point);
    return {.points = unwritten, .counts = {}, .host = {.points = unwritten, .boundary = {}, .counts = {}}};
  }

  void upload(FakeStream& stream, const ToyBatch& host, Batch& batch) {
    batch.n = host.state.size();
    staged_ = host;
    stream.queue([&] {
      batch.columns = staged_;
      scribble_over(staged_);
    });
  }

  void propagate(FakeStream& stream, const Segment& segment, const Batch& in, Batch& out, Slot& slot) {
    slot.n = out.n = in.n;
    slot.host.crossings = slot.host.selected = slot.host.lost = -1;
    std::ranges::fill(slot.host.points, scribbled_point);
    scribble_over(slot.host.boundary);
    std::ranges::fill(slot.host.counts, -1);
    stream.wait(before_segments);
    stream.queue([&] {
      if (overflowed_) return;
      slot.crossings = 0;
      std::ranges::fill(captured_, scribbled_point);
      out.columns = in.columns;
      scribble_over(out.columns);
    });
    for (const int half : {0, 1}) {  // others may come between
      stream.queue([this, segment, half, n = in.n, &in, &out, &slot] {
        if (overflowed_) return;
        for (std::size_t k = half * (n / 2); k < (half == 0 ? n / 2 : n); ++k)
          propagate(segment, in.columns, out.columns, k, slot);
      });
    }
  }

  void check(FakeStream& stream, Slot& slot) {
    stream.queue([&] { overflowed_ = overflowed_ || slot.crossings > capacity_; });
  }

  void select(FakeStream& stream, Batch& batch, Slot& slot) {
    stream.queue([&] {
      if (overflowed_) return;
      ++segments_computed;
      slot.selected = slot.lost = 0;
      std::ranges::fill(slot.points, scribbled_point);
      for (std::int64_t k = 0; k < std::min(slot.crossings, capacity_); ++k) {
        const auto [trajectory, step, state] = captured_[k];
        const std::uint64_t point = Toy::refined(state);
        slot.lost += Toy::is_lost(point);
        if (Toy::is_lost(point) || !Toy::is_selected(point)) continue;
        ++batch.columns.points.at(trajectory);
        ++counts_[Toy::cell(point)];
        slot.points[slot.selected++] = {trajectory, step, point};
      }
    });
  }

  void keep_counts(FakeStream& stream, Slot& slot) {
    stream.queue([&] { slot.counts = counts_; });
  }

  void copy_numbers(FakeStream& stream, Slot& slot) {
    stream.queue([&] {
      slot.host.crossings = slot.crossings;
      slot.host.selected = slot.selected;
      slot.host.lost = slot.lost;
    });
  }

  void copy_results(FakeStream& stream, Slot& slot) {
    stream.wait(before_copies);
    const std::int64_t half = slot.host.selected / 2, rest = slot.host.selected - half;
    stream.queue([=, &slot] { std::copy_n(slot.points.begin(), half, slot.host.points.begin()); });
    stream.queue([=, &slot] { std::copy_n(slot.points.begin() + half, rest, slot.host.points.begin() + half); });
  }

  void copy_boundary(FakeStream& stream, const Batch& batch, Slot& slot) {
    stream.queue([&] { slot.host.boundary = batch.columns; });
    stream.queue([&] { slot.host.counts = slot.counts; });
  }

  void go_back(FakeStream& stream, Batch& batch, Slot& slot) {
    batch.n = slot.n;
    stream.queue([&] { overflowed_ = false; });
  }

  static ToySelection selection(const Slot& slot) {
    return {slot.host.lost, {slot.host.points.begin(), slot.host.points.begin() + slot.host.selected}};
  }
  static ToyBoundary boundary(const Slot& slot) { return {slot.host.boundary, slot.host.counts}; }

  double fill(const Slot& slot) const {
    return static_cast<double>(slot.host.crossings) / static_cast<double>(capacity_);
  }

 private:
  static void scribble_over(ToyBatch& batch) {
    std::ranges::fill(batch.state, scribble);
    std::ranges::fill(batch.points, -1);
  }

  void propagate(const Segment& segment, const ToyBatch& in, ToyBatch& out, std::size_t k, Slot& slot) {
    std::uint64_t state = in.state.at(k);
    for (std::int64_t step = segment.first; step < segment.first + segment.count; ++step) {
      state = Toy::step(state);
      if (!toy_.crosses(state)) continue;
      if (slot.crossings < capacity_) captured_[slot.crossings] = {static_cast<std::int64_t>(k), step, state};
      ++slot.crossings;
    }
    out.state.at(k) = state;
    out.points.at(k) = in.points.at(k);
  }

  Toy toy_;
  std::int64_t capacity_;
  Schedule& schedule_;
  ToyBatch staged_;
  std::vector<ToyPoint> captured_;  ///< [capacity], of the segment that is computed
  ToyCounts counts_;
  bool overflowed_ = false;
};

}  // namespace polhode::test
