#include "ensemble/section_starts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "ensemble/section_plane.hpp"
#include "error.hpp"
#include "wait_check.hpp"

namespace polhode {
namespace {

/// Throws InputError where n starts, which may be the first of more, cannot fit into the machine's memory. They are
/// gathered in a vector, which takes twice as much again while it grows.
void require_memory(std::int64_t n, const ResolvedRun& run) {
  static const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double bytes = static_cast<double>(n) * 3 * 8 * run.system->dim;
  if (bytes > physical)
    throw InputError(fmt::format(
        "the ensemble does not fit into memory ({} trajectories or more need {:.0f} GB of {:.0f}). Use fewer.", n,
        bytes / 1e9, physical / 1e9));
}

PlaneStarts plane_starts(const auto& starts) {
  return {starts.energy, starts.momentum, starts.branch, starts.axes, starts.solve, starts.base};
}

/// Points of the plane over which starts are looked for, in the order of the trajectories; at(points, k) is point k.
struct Points {
  std::int64_t count;
  std::array<double, 2> (*at)(const Points&, std::int64_t k);
  std::array<std::int64_t, 2> grid;  ///< numbers of points of a grid along u and v; zeros for a line
  Interval u, v;                     ///< window of the grid; or u and v at the two ends of the line
};

Points points_of(const SectionStarts& starts, const SectionPlane& plane) {
  const std::vector<Interval>& window = starts.window.empty() ? plane.box() : starts.window;
  return {starts.grid[0] * starts.grid[1],
          [](const Points& points, std::int64_t k) {
            const auto centre = [](const Interval& edges, std::int64_t i, std::int64_t cells) {
              const double place = static_cast<double>(2 * i + 1) / static_cast<double>(cells) - 1;  // in (-1, 1)
              const double middle = (edges[0] + edges[1]) / 2, half = (edges[1] - edges[0]) / 2;
              return middle + half * place;
            };
            return std::array{centre(points.u, k / points.grid[1], points.grid[0]),
                              centre(points.v, k % points.grid[1], points.grid[1])};
          },
          starts.grid, window[0], window[1]};
}

Points points_of(const LineStarts& starts, const SectionPlane&) {
  const std::vector<double>& ends = starts.ends.numbers;
  return {starts.count,
          [](const Points& points, std::int64_t k) {
            const double place =
                points.count == 1 ? 0.5 : static_cast<double>(k) / static_cast<double>(points.count - 1);
            return std::array{points.u[0] + place * (points.u[1] - points.u[0]),
                              points.v[0] + place * (points.v[1] - points.v[0])};
          },
          {},
          {ends[0], ends[2]},
          {ends[1], ends[3]}};
}

std::string in_words(const SectionStarts& starts) {
  return fmt::format("the {} x {} grid{}", starts.grid[0], starts.grid[1],
                     starts.window.empty() ? "" : " in ensemble.window");
}
std::string in_words(const LineStarts& starts) { return fmt::format("the {} on the line", starts.count); }
const char* noun(const SectionStarts&) { return "grid points"; }
const char* noun(const LineStarts&) { return "points of the line"; }
/// Whether the points cover less than the whole section.
bool is_part(const SectionStarts& starts) { return !starts.window.empty(); }
bool is_part(const LineStarts&) { return true; }
const char* advice(const SectionStarts& starts) {
  return is_part(starts) ? "Change ensemble.window, energy, momentum or branch"
                         : "Change ensemble.energy, momentum, branch or grid";
}
const char* advice(const LineStarts&) { return "Change ensemble.ends, energy, momentum or branch"; }

void add(PointCounts& counts, const SectionPlane::Found& found, int chosen) {
  for (int k = 0; k < max_chart_points; ++k) counts.on[k] += found.here >> k & 1u;
  counts.other_way += found.other_way >> chosen & 1u;
  counts.off_section += found.off_section;
}

std::string describe(const SectionPlane& plane, const PointCounts& counts, std::int64_t points, const char* noun) {
  const auto& names = plane.branches();
  const int chosen = plane.chosen();
  const auto have = [](std::int64_t count) { return count == 1 ? "has" : "have"; };
  const std::int64_t none = points - counts.on[chosen] - counts.other_way;
  std::string text = fmt::format("{} of {} {} {} a start on branch {}, {} {} none", counts.on[chosen], points, noun,
                                 have(counts.on[chosen]), names[chosen], none, have(none));
  const char* separator = "; ";
  const auto add = [&](const std::string& part) {
    text += separator + part;
    separator = ", ";
  };
  if (counts.other_way > 0)
    add(fmt::format("{} {} not cross the section in its direction", counts.other_way,
                    counts.other_way == 1 ? "does" : "do"));
  if (counts.off_section > 0) add(fmt::format("over {} no state of the section was found", counts.off_section));
  // A chart's first branch is there wherever one is; it is worth a word where there are several.
  const bool are_several = counts.on[1] > 0;
  for (int k = 0; k < static_cast<int>(names.size()); ++k)
    if (k != chosen && are_several && counts.on[k] > 0)
      add(fmt::format("{} {} a state on {}", counts.on[k], have(counts.on[k]), names[k]));
  return text;
}

/// Remark that the starts lie on the chart's section, if the run has another section; else empty, also without one.
std::string difference_of_sections(const ResolvedRun& run, const SectionPlane& plane) {
  const Chart& chart = *run.system->chart;
  const std::optional<SectionSpec>& section = run.spec.section;
  const bool is_up = plane.crosses_upwards() == (run.spec.method.step > 0);
  if (!section || (section->name == chart.observable && section->value == 0 &&
                   (section->direction == Direction::both || (section->direction == Direction::up) == is_up)))
    return "";
  return fmt::format("the starts lie on {} = 0, {}, not on the section of the run", chart.observable,
                     is_up ? "up" : "down");
}

template <class Starts>
[[noreturn]] void refuse_all(const Starts& starts, const SectionPlane& plane, const PointCounts& counts) {
  std::string more;
  if (const auto& box = plane.box(); !box.empty() && is_part(starts))
    more = fmt::format("; the section lies in [[{:.6g}, {:.6g}], [{:.6g}, {:.6g}]]", box[0][0], box[0][1], box[1][0],
                       box[1][1]);
  if (counts.other_way > 0) more += fmt::format("; {} do not cross it in its direction", counts.other_way);
  if (counts.off_section > 0)
    more += fmt::format("; over {} no state of the section was found from ensemble.base", counts.off_section);
  throw InputError(fmt::format("no start on the section (no point of {} has {} on branch {}{}). {}.", in_words(starts),
                               plane.level(), plane.branches()[plane.chosen()], more, advice(starts)));
}

/// Likely lower bound on the number of starts over the points: half of what a sample shows; 0 where the points are few.
std::int64_t likely_count(const ResolvedRun& run, const SectionPlane& plane, const Points& points) {
  constexpr std::int64_t sample = 4096;
  if (points.count < 64 * sample) return 0;
  std::vector<double> over_point(max_chart_points * run.system->dim);
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < sample; ++i) {
    // Scattered, so that it does not follow the columns of a grid.
    const std::int64_t stride = points.count / sample;
    const auto [u, v] = points.at(points, i * stride + i * 7919 % stride);
    found += plane.states(u, v, over_point.data()).here >> plane.chosen() & 1u;
  }
  return found * (points.count / sample) / 2;  // half: the sample is one
}

/// Result of likely_count(). Throws InputError where the share of this machine's processes in so many starts cannot fit
/// into its memory, before hours are spent on them.
std::int64_t count_that_fits(const ResolvedRun& run, const SectionPlane& plane, const Points& points,
                             const ProcessShare& share) {
  const std::int64_t likely = likely_count(run, plane, points);
  require_memory(likely / share.of * share.on_machine, run);
  return likely;
}

InitialStates collect(const ResolvedRun& run, const SectionPlane& plane, const Points& points,
                      const StartsProgress& progress, const ProcessShare& share) {
  count_that_fits(run, plane, points, share);
  const int dim = run.system->dim;
  const std::int64_t first = share.first(points.count), count = share.count(points.count);
  std::vector<double> states;
  std::int64_t n = 0;
  PointCounts counts;
  std::vector<double> over_point(max_chart_points * dim);
  WaitChecks check;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % starts_between_calls == 0) {
      check();
      if (progress) progress(i, count);
    }
    const auto [u, v] = points.at(points, first + i);
    const SectionPlane::Found found = plane.states(u, v, over_point.data());
    add(counts, found, plane.chosen());
    if (!(found.here >> plane.chosen() & 1u)) continue;
    const auto start = over_point.begin() + plane.chosen() * dim;
    states.insert(states.end(), start, start + dim);
    require_memory(++n * share.on_machine, run);
  }
  return {.starts = {dim, std::move(states)}, .points = counts, .findings = {}, .remarks = {}};
}

template <class Starts>
std::unique_ptr<SectionPlane> plane_of(const ResolvedRun& run, const Starts& starts) {
  return starts.axes.empty() ? make_chart_plane(run, plane_starts(starts))
                             : make_column_plane(run, plane_starts(starts));
}

template <class Starts>
InitialStates make(const ResolvedRun& run, const Starts& starts, const StartsProgress& progress,
                   const ProcessShare& share) {
  const auto plane = plane_of(run, starts);
  return collect(run, *plane, points_of(starts, *plane), progress, share);
}

template <class Starts>
std::int64_t least_number(const ResolvedRun& run, const Starts& starts, const ProcessShare& share) {
  const auto plane = plane_of(run, starts);
  return count_that_fits(run, *plane, points_of(starts, *plane), share);
}

template <class Starts>
std::vector<std::string> remarks(const ResolvedRun& run, const Starts& starts, const PointCounts& counts) {
  const auto plane = plane_of(run, starts);
  if (counts.on[plane->chosen()] == 0) refuse_all(starts, *plane, counts);
  std::vector<std::string> all{describe(*plane, counts, points_of(starts, *plane).count, noun(starts))};
  if (starts.axes.empty())
    if (std::string remark = difference_of_sections(run, *plane); !remark.empty()) all.push_back(std::move(remark));
  return all;
}

}  // namespace

InitialStates make_section_starts(const ResolvedRun& run, const SectionStarts& starts, const StartsProgress& progress,
                                  const ProcessShare& share) {
  return make(run, starts, progress, share);
}
InitialStates make_section_starts(const ResolvedRun& run, const LineStarts& starts, const StartsProgress& progress,
                                  const ProcessShare& share) {
  return make(run, starts, progress, share);
}

std::int64_t least_count(const ResolvedRun& run, const SectionStarts& starts, const ProcessShare& share) {
  return least_number(run, starts, share);
}
std::int64_t least_count(const ResolvedRun& run, const LineStarts& starts, const ProcessShare& share) {
  return least_number(run, starts, share);
}

std::vector<std::string> section_remarks(const ResolvedRun& run, const SectionStarts& starts,
                                         const PointCounts& counts) {
  return remarks(run, starts, counts);
}
std::vector<std::string> section_remarks(const ResolvedRun& run, const LineStarts& starts, const PointCounts& counts) {
  return remarks(run, starts, counts);
}

}  // namespace polhode
