#include "crosscheck/differences.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace polhode {
namespace {

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Distance of two doubles, counted in steps from a double to the next: doubles are ordered as their bits but for the
/// sign.
std::int64_t ulps_between(double a, double b) {
  const auto place = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  const std::int64_t low = std::min(place(a), place(b)), high = std::max(place(a), place(b));
  return low < 0 && high > std::numeric_limits<std::int64_t>::max() + low ? std::numeric_limits<std::int64_t>::max()
                                                                          : high - low;
}

}  // namespace

bool find_difference(const Batch& a, const Batch& b, std::int64_t step, Difference& found) {
  for (std::int64_t k = 0; k < a.n; ++k)
    for (int i = 0; i < a.dim; ++i) {
      const double x = a.state[i * a.n + k], y = b.state[i * a.n + k];
      if (same(x, y)) continue;
      found = {k, step, i, x, y, ulps_between(x, y)};
      return true;
    }
  for (std::int64_t k = 0; k < a.n; ++k) {
    bool equal = true;
    for_carried(
        [&](const CarriedColumn& column, const auto& x, const auto& y) {
          for (std::int64_t i = k; i < column.columns(a) * a.n; i += a.n)
            equal = equal && std::memcmp(&x[i], &y[i], sizeof(x[i])) == 0;
        },
        a, b);
    if (equal) continue;
    found = {.trajectory = k, .step = step};
    return true;
  }
  return false;
}

bool find_difference(const SectionPoints& a, const SectionPoints& b, PointDifference& found) {
  using Kind = PointDifference::Kind;
  std::int64_t crossing = 0;
  for (std::int64_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    const auto place = [k](const SectionPoints& points) {  // past the end: after all others
      constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
      return k < points.size() ? std::pair(points.trajectory[k], points.step[k]) : std::pair(never, never);
    };
    const auto [trajectory, step] = std::min(place(a), place(b));
    // The points before are the same in both.
    crossing = k > 0 && a.trajectory[k - 1] == trajectory ? crossing + 1 : 0;
    found = {.trajectory = trajectory, .crossing = crossing, .step = step};
    if (place(a) != place(b)) {
      found.kind = place(a) < place(b) ? Kind::only_in_a : Kind::only_in_b;
      return true;
    }
    const auto differ = [&](double x, double y) {
      found.a = x;
      found.b = y;
      found.ulps = ulps_between(x, y);
      return !same(x, y);
    };
    for (found.column = 0; found.column < a.dim; ++found.column)
      if (differ(a.state[k * a.dim + found.column], b.state[k * a.dim + found.column])) return true;
    found.column = -1;
    found.kind = Kind::time;
    if (differ(a.theta[k], b.theta[k])) return true;
  }
  return false;
}

bool have_steps(const Recording& a, const Recording& b) {
  const std::vector<std::int64_t>&of_a = a.states.back().steps, &of_b = b.states.back().steps;
  for (std::size_t k = 0; k < of_a.size(); ++k)
    if (of_a[k] > 0 && of_b[k] > 0) return true;
  return false;
}

bool is_single(const Recording& recording) {
  return std::ranges::all_of(recording.states, [](const Batch& batch) {
    return std::ranges::all_of(batch.state, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
  });
}

bool find_first_difference(Backend& a, Backend& b, const Batch& start, std::int64_t steps, Difference& found) {
  Batch common = start, x, y;
  SectionPoints ignored;
  Advance advance_a(a, steps), advance_b(b, steps);
  std::int64_t done = 0, length = 256;
  while (done < steps) {
    const std::int64_t end = std::min(done + length, steps);
    a.load(common);
    b.load(common);
    advance_a(done, end, ignored);
    advance_b(done, end, ignored);
    a.store(x);
    b.store(y);
    if (!find_difference(x, y, end, found)) {
      common = x;
      done = end;
    } else if (end == done + 1) {
      return true;
    } else {
      length = std::max<std::int64_t>(1, (end - done) / 2);
    }
  }
  return false;
}

}  // namespace polhode
