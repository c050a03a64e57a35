// Mask of the lanes that still advance. Lanes that end store their status and their completed steps in the batch.
#pragma once

#include <cstdint>

#include "polhode/method/status.hpp"
#include "polhode/run/carried.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T>
class LivingLanes {
 public:
  POLHODE_HD LivingLanes(std::int64_t first, const BatchView& in, const BatchView& out) : first_(first), out_(out) {
    mask_ = mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA {
      return first + lane < in.n && in.code[first + lane] == static_cast<std::uint8_t>(Status::ok);
    });
    frozen_ = !all(mask_);
    for (int lane = 0; lane < lanes_of<T> && first + lane < in.n; ++lane) {
      out.code[first + lane] = in.code[first + lane];
      out.steps[first + lane] = in.steps[first + lane];
    }
  }

  POLHODE_HD const Mask<T>& mask() const { return mask_; }
  /// Whether some lane does not advance.
  POLHODE_HD bool frozen() const { return frozen_; }

  /// Ends lanes after step n, each with its status(lane).
  template <class StatusOf>
  POLHODE_HD void end(std::uint64_t ending, std::int64_t n, const StatusOf& status) {
    for (std::uint64_t bits = ending; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      out_.code[first_ + lane] = static_cast<std::uint8_t>(status(lane));
      out_.steps[first_ + lane] = n;
    }
    mask_ = mask_ & mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA { return (ending >> lane & 1) == 0; });
    frozen_ = true;
  }
  /// Restores the previous state in lanes that have ended.
  template <class State>
  POLHODE_HD void hold(State& after, const State& before) const {
    after = select(mask_, after, before);
  }
  /// Stores n completed steps for the other lanes.
  POLHODE_HD void finish(std::int64_t n) const {
    for (std::uint64_t bits = mask_bits(mask_); bits != 0; bits &= bits - 1) out_.steps[first_ + lowest_bit(bits)] = n;
  }

 private:
  std::int64_t first_;
  const BatchView& out_;
  Mask<T> mask_;
  bool frozen_;
};

}  // namespace polhode::inline POLHODE_ISA
