#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensemble/section_plane.hpp"
#include "error.hpp"

namespace polhode {
namespace {

class ChartPlane final : public SectionPlane {
 public:
  ChartPlane(const ResolvedRun& run, const PlaneStarts& starts)
      : system_(*run.system), p_(run.parameters.data()), energy_(starts.energy), momentum_(starts.momentum) {
    const Chart& chart = *system_.chart;
    const ChartRange range = system_.chart_range(p_, energy_);
    if (energy_ < range.least_energy)
      throw InputError(
          fmt::format("no state of the section {} has energy {} (the least is {:.6g}). Change ensemble.energy.",
                      chart.section, energy_, range.least_energy));
    if (std::abs(momentum_) > range.most_momentum)
      throw InputError(
          fmt::format("no state of the section {} has momentum {} at energy {} (it is {:.6g} at most). Change "
                      "ensemble.momentum or energy.",
                      chart.section, momentum_, energy_, range.most_momentum));
    for (int i = 0; i < 2; ++i)
      box_.push_back({range.centre[i] - range.half_axes[i], range.centre[i] + range.half_axes[i]});

    const std::vector<std::string> all = branch_names(chart);
    const auto branch = static_cast<int>(std::ranges::find(all, starts.branch) - all.begin());
    side_ = branch / max_chart_points;
    chosen_ = branch % max_chart_points;
    crosses_upwards_ = side_ == 0 || chart.is_one_way;
    branches_.assign(std::begin(chart.branches[side_]), std::end(chart.branches[side_]));
  }

  std::string level() const override { return fmt::format("energy {} and momentum {}", energy_, momentum_); }
  Found states(double u, double v, double* x) const override {
    return {.here = (1u << system_.chart_states(p_, energy_, momentum_, side_, u, v, x)) - 1};
  }

 private:
  const SystemEntry& system_;
  const double* p_;
  double energy_, momentum_;
  int side_;
};

}  // namespace

std::unique_ptr<SectionPlane> make_chart_plane(const ResolvedRun& run, const PlaneStarts& starts) {
  return std::make_unique<ChartPlane>(run, starts);
}

}  // namespace polhode
