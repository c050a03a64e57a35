// Planes over whose points the states of a section lie, at a given energy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Settings that starts over a grid and starts over a line have in common.
struct PlaneStarts {
  double energy, momentum;
  const std::string& branch;
  const std::vector<std::string>& axes;
  const std::string& solve;
  const std::vector<double>& base;
};

class SectionPlane {
 public:
  /// States over a point of the plane, as bits: bit k for the state on branches()[k].
  struct Found {
    unsigned here = 0;         ///< states that cross the section in its direction; over a chart, all states
    bool off_section = false;  ///< whether no state of the section was found, whatever its energy
    unsigned other_way = 0;    ///< states that cross the section in the other direction, or touch it
  };

  virtual ~SectionPlane() = default;
  /// Names of the branches over a point, at most max_chart_points: "+" and "-", or those on one side of a chart.
  const std::vector<std::string>& branches() const { return branches_; }
  /// Index in branches() of the branch that ensemble.branch chooses.
  int chosen() const { return chosen_; }
  /// The box around the whole section, as the ranges of u and v, for a chart; empty for a plane of two columns.
  const std::vector<Interval>& box() const { return box_; }
  /// Whether the states on the chosen branch of a chart cross its section upwards as time increases.
  bool crosses_upwards() const { return crosses_upwards_; }
  /// Conserved quantities that all states have in common, in words.
  virtual std::string level() const = 0;
  /// States over the point (u, v): x[k][dim] is the state on branch k, where Found has one. x: [max_chart_points][dim].
  virtual Found states(double u, double v, double* x) const = 0;

 protected:
  std::vector<std::string> branches_;
  int chosen_ = 0;
  bool crosses_upwards_ = true;
  std::vector<Interval> box_;
};

/// The plane of the system's chart. Throws InputError where no state of its section has the energy or the momentum.
std::unique_ptr<SectionPlane> make_chart_plane(const ResolvedRun& run, const PlaneStarts& starts);

/// The plane of two columns. Its states() throws InputError where, with these columns given, the section and the
/// constraints are not independent.
std::unique_ptr<SectionPlane> make_column_plane(const ResolvedRun& run, const PlaneStarts& starts);

}  // namespace polhode
