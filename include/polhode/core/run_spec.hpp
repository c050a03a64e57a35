// What a run is: names and values, as a configuration gives them (docs/configuration.md has units, bounds and defaults
// of each). Nothing here is checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "polhode/run/units.hpp"

namespace polhode {

/// low, high.
using Interval = std::array<double, 2>;

/// A list of lists of equal length.
struct Rows {
  std::vector<double> numbers;  ///< [rows][width]
  std::size_t width = 0;
  bool operator==(const Rows&) const = default;
};

/// A real number that has to be given.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

struct SystemSpec {
  std::string name;                                       ///< or that of a family
  std::map<std::string, std::vector<double>> parameters;  ///< those that have no default, or not theirs
};

/// Of an option of a method.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

struct MethodSpec {
  std::string name;
  double step = not_given;                     ///< h
  std::string solver;                          ///< empty: the method's first
  std::map<std::string, OptionValue> options;  ///< those that do not have their defaults, e.g. a composition
};

/// Starts at the centres of grid cells in the plane of the section's chart.
struct SectionStarts {
  std::array<std::int64_t, 2> grid{};
  double energy = not_given, momentum = 0;
  std::string branch;  ///< empty: the chart's first
};

/// What the second half of a state holds.
enum class Variables { momentum, velocity };

struct GivenStarts {
  Rows states;  ///< [n][dim]
  Variables variables = Variables::momentum;
};

struct FileStarts {
  std::filesystem::path path;
  std::string dataset = "/final/state";
  Variables variables = Variables::momentum;
};

struct Microcanonical {
  double energy = not_given;
  std::optional<double> momentum, angular_momentum;
};
struct Canonical {
  double temperature = not_given;
};
/// Gaussian about a state; brought to the constraints.
struct Cloud {
  std::vector<double> state, width;  ///< [dim]; a width may be one number for all columns
};
/// A state turned to attitudes that are uniform on SO(3).
struct RandomAttitudes {
  std::vector<double> state;
};

struct RandomStarts {
  std::int64_t count = 0;
  std::int64_t seed = 0;
  std::variant<Microcanonical, Canonical, Cloud, RandomAttitudes> distribution;
};

using EnsembleSpec = std::variant<SectionStarts, GivenStarts, FileStarts, RandomStarts>;

enum class BackendChoice { automatic, reference, cpu, cuda };

struct IntegrationSpec {
  std::int64_t steps = 0;
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::binary64;
  std::int64_t threads = 0;  ///< 0: one for each processor
  std::int64_t segment = 0;  ///< steps; 0: automatic
  std::int64_t slice = 0;    ///< trajectories at a time; 0: automatic
  double checkpoint = 30;    ///< seconds between checkpoints; 0: after every segment
  std::optional<Isa> isa;    ///< none: the best that the machine has
};

enum class Direction { up, down, both };

struct SectionSpec {
  std::string name;  ///< of a column or observable
  double value = 0;
  Direction direction = Direction::up;
  std::string where;      ///< condition on the refined point, e.g. "pi1 > 0"; empty: none
  bool points = true;     ///< they are kept one by one; otherwise only their density is
  bool terminal = false;  ///< a trajectory ends where it crosses
};

/// The plane of two columns or observables in cells, in which section points are counted.
struct DensitySpec {
  std::array<std::string, 2> axes;
  std::array<std::int64_t, 2> bins{};
  std::array<Interval, 2> range{};  ///< a cell holds its lower edge and not its upper one
};

/// Moments and histograms over the ensemble, recorded every `every` steps.
struct StatisticsSpec {
  std::int64_t every = 0;
  std::vector<std::string> observables;
  std::int64_t bins = 0;        ///< cells of each histogram; 0: none
  std::vector<Interval> range;  ///< of the histograms, [observables]
};

struct RecordSpec {
  std::int64_t snapshots = 0;  ///< every so many steps; 0: none
  bool invariants = true;
  std::int64_t invariants_every = 16;
};

struct RunSpec {
  SystemSpec system;
  MethodSpec method;
  EnsembleSpec ensemble;
  IntegrationSpec integration;
  std::optional<SectionSpec> section;
  std::optional<DensitySpec> density;  ///< of the section
  std::optional<StatisticsSpec> statistics;
  RecordSpec record;
};

}  // namespace polhode
