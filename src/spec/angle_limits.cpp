#include "spec/angle_limits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "error.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounded_pi = 1.001 * pi;  // pi as users may give it, with a few digits

constexpr const char* whole_turn = "Give [-3.141592653589793, 3.141592653589793] or less";

bool is_within_turn(const Interval& range) { return range[0] >= -rounded_pi && range[1] <= rounded_pi; }

/// Interval moved by whole turns, so that its middle is in [-pi, pi].
Interval without_turns(const Interval& range) {
  const double middle = range[0] / 2 + range[1] / 2, turns = middle - std::remainder(middle, 2 * pi);
  return {range[0] - turns, range[1] - turns};
}

}  // namespace

std::string interval_in_words(Angle angle) { return angle == Angle::wrapped ? "(-pi, pi]" : "[-pi, pi)"; }

void check_section_value(const Quantity& observable, double value) {
  if (observable.angle != Angle::wrapped || std::abs(value) <= pi) return;
  throw InputError(fmt::format("cannot use section.value = {} ({} is in {}). Give {}, which is equal modulo 2 pi.",
                               value, observable.name, interval_in_words(observable.angle),
                               std::remainder(value, 2 * pi)));
}

void check_angle_range(const char* table, const Quantity& observable, const Interval& range) {
  if (observable.angle == Angle::unbounded && range[1] - range[0] > 2 * rounded_pi)
    refuse(table, "range", fmt::format("{} is counted modulo 2 pi, and its range is wider", observable.name),
           whole_turn);
  if (observable.angle != Angle::wrapped || is_within_turn(range)) return;
  const Interval same = without_turns(range);
  refuse(
      table, "range",
      fmt::format("{} is in {}, and [{}, {}] is beyond", observable.name, interval_in_words(observable.angle), range[0],
                  range[1]),
      is_within_turn(same) ? fmt::format("Give [{}, {}], which is equal modulo 2 pi", same[0], same[1]) : whole_turn);
}

}  // namespace polhode
