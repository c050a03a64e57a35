// Refines captured crossings: solves for the fraction theta in (0, 1] of the step at which the observable has the
// section's value (run/bracket.hpp, of long steps run/long_search.hpp), along the same step map, so that the point lies
// on the manifold that the map preserves.
//
// An angle that jumps from pi to -pi changes its sign without a zero, and is not a crossing.
#pragma once

#include <cstdint>

#include "polhode/observer/section.hpp"
#include "polhode/run/bracket.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/partial_step.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// The brackets of the registers that a T consists of, searched one by one: those of a whole pack have four times as
/// many values as there are registers.
template <class T>
class Brackets {
  using Register = typename Parts<T>::Part;
  static constexpr int width = lanes_of<Register>;

 public:
  T theta;  ///< the next point at which to evaluate f

  POLHODE_HD Brackets(const T& f_low, const T& f_high, const T& tolerance) {
    for (int i = 0; i < Parts<T>::count; ++i) {
      parts_[i] = {Parts<T>::get(f_low, i), Parts<T>::get(f_high, i), Parts<T>::get(tolerance, i)};
      Parts<T>::set(theta, i, parts_[i].theta);
    }
  }

  /// Takes f at theta, chooses the next theta and returns the lanes that are done; k as in Bracket. Registers without a
  /// lane to do are skipped.
  POLHODE_HD LaneBits<T> add(LaneBits<T> todo, const T& f, const Mask<T>& valid, int k) {
    LaneBits<T> done = 0;
    for (int i = 0; i < Parts<T>::count; ++i) {
      const std::uint64_t todo_here = std::uint64_t{todo} >> (i * width) & ((std::uint64_t{1} << width) - 1);
      if (!todo_here) continue;
      const Register f_here = Parts<T>::get(f, i);
      const std::uint64_t done_here = mask_bits(parts_[i].add(f_here, Parts<T>::get_mask(valid, i)));
      done |= static_cast<LaneBits<T>>(done_here << (i * width));
      if (!without(todo_here, done_here)) continue;
      parts_[i].move_on(f_here, k);
      Parts<T>::set(theta, i, parts_[i].theta);
    }
    return done;
  }
  /// Outcome of a lane that the last add() returned.
  POLHODE_HD double outcome(int lane) const {
    return static_cast<double>(lane_of(parts_[lane / width].outcome, lane % width));
  }

 private:
  Bracket<Register> parts_[Parts<T>::count];
};

/// Refines crossings first, ..., first + lanes - 1 of a list of `count` in place. The model, with plan.parameters, and
/// what stages have in common are constructed by the caller once for many calls: their construction has divisions, and
/// a call is only a few steps.
template <class Map, class T>
POLHODE_HD void refine(const typename Map::System::template Model<T>& model, const Plan& plan,
                       const CommonOf<Map, Real<T>>& common, const CrossingView& list, std::int64_t count,
                       std::int64_t first) {
  const LaneRange<T> crossings{first, count};
  PartialStep<Map, T> step(model, plan, common, list, crossings);
  Brackets<T> brackets(step.f_at_start(), crossings.load(list.theta), step.tolerance());

  auto todo = static_cast<LaneBits<T>>(mask_bits(Mask<T>(true)));
  if (crossings.count() < lanes_of<T>) todo &= (LaneBits<T>{1} << crossings.count()) - 1;
  for (int k = 0; k < max_refinements && todo; ++k) {
    step.go(brackets.theta);
    LaneBits<T> done = brackets.add(todo, step.f(), step.valid, k);
    if (k == max_refinements - 1) done = todo;
    done &= todo;
    todo ^= done;
    // Stored now, because the next steps of these lanes are meaningless.
    for (std::uint64_t bits = done; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      list.theta[first + lane] = brackets.outcome(lane);
      step.keep(lane);
    }
  }
}

/// The same of long steps, as a kernel of its own: both searches together would not fit into the registers of a GPU.
template <class Map, class T>
POLHODE_HD void refine_long(const typename Map::System::template Model<T>& model, const Plan& plan,
                            const CommonOf<Map, Real<T>>& common, const CrossingView& list, std::int64_t count,
                            std::int64_t first) {
  const LaneRange<T> crossings{first, count};
  PartialStep<Map, T> step(model, plan, common, list, crossings);
  const Mask<T> is_later = mask_from_lanes<T>(
      [&](int lane) POLHODE_LAMBDA { return lane < crossings.count() && list.step[first + lane] < 0; });
  LongSearch<T> search(step.sample_at_start(), {T(Real<T>(1)), crossings.load(list.theta), crossings.load(list.slope)},
                       step.tolerance(), is_later);
  auto todo = static_cast<LaneBits<T>>(mask_bits(Mask<T>(true)));
  if (crossings.count() < lanes_of<T>) todo &= (LaneBits<T>{1} << crossings.count()) - 1;
  for (int k = 1; todo; ++k) {
    step.go(search.theta);
    LaneBits<T> done = static_cast<LaneBits<T>>(mask_bits(search.add(step.sample_at_end(search.theta), step.valid)));
    if (k == max_long_refinements) done = todo;
    done &= todo;
    todo ^= done;
    if (done) step.drift(search.beyond);
    for (std::uint64_t bits = done; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      std::int64_t& n = list.step[first + lane];
      if (n < 0) n = -1 - n;
      list.theta[first + lane] = static_cast<double>(lane_of(search.outcome, lane));
      step.keep(lane);
    }
    if (todo) search.move_on(k);
  }
}

}  // namespace polhode::inline POLHODE_ISA
