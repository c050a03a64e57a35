// Specification of a run: names and values as in a configuration (docs/configuration.md lists units, bounds and
// defaults). Nothing here is checked.
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

#include "polhode/run/targets.hpp"

namespace polhode {

/// low, high.
using Interval = std::array<double, 2>;

/// A list of lists of equal length.
struct Rows {
  std::vector<double> numbers;  ///< [rows][width]
  std::size_t width = 0;
  bool operator==(const Rows&) const = default;
};

/// Value of a key of a configuration, or of an option of a method. monostate: none.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Rows>;

/// Default of a real number that must be given.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

struct SystemSpec {
  std::string name;                                       ///< of a system or of a family
  std::map<std::string, std::vector<double>> parameters;  ///< those without a default, and those that differ from it
  std::optional<std::string> header{};                    ///< user's file that has it; none: the program has
};

struct MethodSpec {
  std::string name;
  double step = not_given;               ///< h
  std::string solver;                    ///< empty: the default solver of the method
  std::map<std::string, Value> options;  ///< those that differ from their defaults, e.g. a composition
};

/// Starts on the section over the centres of grid cells in a plane: that of the system's chart or of two columns.
struct SectionStarts {
  std::array<std::int64_t, 2> grid{};
  std::vector<Interval> window;  ///< ranges of both coordinates; empty: the box around the whole section
  double energy = not_given, momentum = 0;
  std::string branch;  ///< empty: the first
  // Plane of two columns; empty: that of the chart.
  std::vector<std::string> axes;  ///< two columns
  std::string solve;              ///< the momentum column that is solved for, from the energy
  std::vector<double> base;       ///< [dim]: a state that supplies the other columns
};

/// Starts on the section over equidistant points of a line segment in such a plane, its ends included.
struct LineStarts {
  Rows ends;  ///< [2][2]
  std::int64_t count = 0;
  double energy = not_given, momentum = 0;
  std::string branch;
  std::vector<std::string> axes;
  std::string solve;
  std::vector<double> base;
};

/// Variables in the second half of a state.
enum class Variables { momentum, velocity };

struct GivenStarts {
  Rows states;  ///< [n][dim]
  Variables variables = Variables::momentum;
  std::string as{};            ///< the description of the system that they are states of; empty: the system itself
  std::optional<double> mu{};  ///< of that description, where it is reduced and the system is not
  bool at_rest = false;        ///< the centre of mass of a free system is brought to rest at the origin
};

struct FileStarts {
  std::filesystem::path path;
  std::string dataset = "/final/state";
  Variables variables = Variables::momentum;
  std::string as{};
  std::optional<double> mu{};
  bool at_rest = false;
};

struct Microcanonical {
  double energy = not_given;
  std::optional<double> momentum, angular_momentum;
};
struct Canonical {
  double temperature = not_given;
};
/// Gaussian about a state, projected onto the constraints.
struct Cloud {
  std::vector<double> state, width;  ///< [dim]; a width may be one number for all columns
};
/// A state rotated to attitudes that are uniform on SO(3).
struct RandomAttitudes {
  std::vector<double> state;
};

struct RandomStarts {
  std::int64_t count = 0;
  std::int64_t seed = 0;
  bool at_rest = false;
  std::variant<Microcanonical, Canonical, Cloud, RandomAttitudes> distribution;
};

/// One start: a shape at rest in a reduced system.
struct RelativeEquilibriumStarts {
  std::vector<double> near;  ///< [n_positions], where the search begins; empty: the shape of the system's example
};

using EnsembleSpec =
    std::variant<SectionStarts, LineStarts, GivenStarts, FileStarts, RandomStarts, RelativeEquilibriumStarts>;

enum class BackendChoice { automatic, reference, cpu, cuda };

struct ExecutionSpec {
  std::int64_t steps = 0;
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::binary64;
  std::int64_t threads = 0;  ///< 0: one for each processor
  std::int64_t segment = 0;  ///< steps; 0: automatic
  std::int64_t slice = 0;    ///< trajectories at a time; 0: automatic
  double checkpoint = 30;    ///< seconds between checkpoints; 0: after every segment
  /// Largest change of the energy, where invariants are compared, of a trajectory that goes on; none: no limit.
  std::optional<double> energy_limit{};
  std::optional<Isa> isa;  ///< none: the best that the machine has
};

enum class Direction { up, down, both };

struct SectionSpec {
  std::string name;  ///< a column or observable
  double value = 0;
  Direction direction = Direction::up;
  std::string where;                                ///< condition on the refined point, e.g. "pi1 > 0"; empty: none
  bool points = true;                               ///< store points one by one; otherwise only their density
  bool terminal = false;                            ///< a crossing ends its trajectory
  std::optional<std::vector<std::string>> columns;  ///< columns of the state that points keep; none: all
};

/// Cells in the plane of two columns or observables in which section points are counted.
struct DensitySpec {
  std::array<std::string, 2> axes;
  std::array<std::int64_t, 2> bins{};
  std::array<Interval, 2> range{};  ///< a cell includes its lower edge but not its upper one
};

/// Moments and histograms over the ensemble, recorded every `every` steps.
struct StatisticsSpec {
  std::int64_t every = 0;
  std::vector<std::string> observables;
  std::int64_t bins = 0;        ///< cells of each histogram; 0: none
  std::vector<Interval> range;  ///< ranges of the histograms, [observables]
};

struct RecordSpec {
  std::int64_t snapshots = 0;      ///< interval in steps; 0: none
  std::int64_t shadow_energy = 0;  ///< order of the shadow energy at the snapshots: 4, 6 or 8; 0: none
  bool invariants = true;
  std::int64_t invariants_every = 16;
  bool initial = true, final = true;  ///< the states there
};

struct RunSpec {
  SystemSpec system;
  MethodSpec method;
  EnsembleSpec ensemble;
  ExecutionSpec execution;
  std::optional<SectionSpec> section;
  std::optional<DensitySpec> density;  ///< density of the section
  std::optional<StatisticsSpec> statistics;
  RecordSpec record;
};

}  // namespace polhode
