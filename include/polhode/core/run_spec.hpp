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

/// An interval: low end, high end.
using Interval = std::array<double, 2>;

/// A list of lists of equal length.
struct Rows {
  std::vector<double> numbers;  ///< [rows][width]
  std::size_t width = 0;
  bool operator==(const Rows&) const = default;
};

/// Numbers, or formulas, by name.
using NamedNumbers = std::map<std::string, std::vector<double>>;
using NamedTexts = std::map<std::string, std::string>;

/// Value of a key of a configuration, or of an option of a method. monostate: none.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Rows, NamedNumbers, NamedTexts>;

/// Default of a real number that must be given.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

struct SystemSpec {
  std::string name;                     ///< of a system or of a family
  NamedNumbers parameters;              ///< others have their defaults
  std::optional<std::string> header{};  ///< user's file with the system; none: the program has it
  // A system of formulas, if it has a Hamiltonian. Its parameters are those given.
  std::string hamiltonian{};
  std::vector<std::string> coordinates{}, momenta{};
  std::vector<std::string> constraints{};       ///< formulas that are 0
  NamedTexts let{};                             ///< intermediate names
  NamedTexts observables{};                     ///< further observables
  NamedTexts conserved{};                       ///< what is conserved besides the energy
  std::string domain{};                         ///< condition without which a trajectory ends; empty: none
  std::vector<std::string> angles{};            ///< coordinates and observables that are angles
  std::vector<std::string> unbounded_angles{};  ///< observables that are angles and count turns
};

struct MethodSpec {
  std::string name;
  double step = not_given;               ///< h
  std::string solver;                    ///< empty: the default solver of the method
  std::map<std::string, Value> options;  ///< values by name, e.g. of "composition"; others have their defaults
};

/// Starts on the section over the centres of grid cells in a plane: that of the system's chart or of two columns.
struct SectionStarts {
  std::array<std::int64_t, 2> grid{};  ///< number of cells along each coordinate
  std::vector<Interval> window;        ///< ranges of both coordinates; empty: the box around the whole section
  double energy = not_given, momentum = 0;
  std::string branch;  ///< name of the branch over each point (docs/glossary.md); empty: the first branch
  // Plane of two columns; empty: that of the chart.
  std::vector<std::string> axes;  ///< two columns
  std::string solve;              ///< the momentum column that follows from the energy
  std::vector<double> base;       ///< [dim]: a state that supplies the other columns
};

/// Starts on the section over equidistant points of a line segment, both ends included. The segment lies in the plane
/// of the system's chart or of two columns; members called as in SectionStarts have the same meaning.
struct LineStarts {
  Rows ends;               ///< the two end points, [2][2]
  std::int64_t count = 0;  ///< number of points
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
  std::string as{};            ///< system that `states` are of, another description of the run's; empty: the run's own
  std::optional<double> mu{};  ///< parameter mu, a momentum, of the description `as`, if only that is reduced
  bool at_rest = false;        ///< whether the centre of mass of a free system is brought to rest at the origin
};

/// Starts at the states [n][dim] in a dataset of a file. variables, as, mu and at_rest: as in GivenStarts.
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
/// Gaussian distribution about a state, projected onto the constraints.
struct Cloud {
  std::vector<double> state, width;  ///< centre and standard deviations, [dim]; width may be one number for all columns
};
/// Copies of a state, rotated to attitudes that are uniform on SO(3).
struct RandomAttitudes {
  std::vector<double> state;
};

struct RandomStarts {
  std::int64_t count = 0;
  std::int64_t seed = 0;
  bool at_rest = false;
  std::variant<Microcanonical, Canonical, Cloud, RandomAttitudes> distribution;
};

/// One start of a reduced system: a relative equilibrium, whose shape does not change.
struct RelativeEquilibriumStarts {
  std::vector<double> near;  ///< [n_positions], shape at which the search begins; empty: that of the system's example
};

using EnsembleSpec =
    std::variant<SectionStarts, LineStarts, GivenStarts, FileStarts, RandomStarts, RelativeEquilibriumStarts>;

enum class BackendChoice { automatic, reference, cpu, cuda };

struct ExecutionSpec {
  std::int64_t steps = 0;
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::binary64;
  std::int64_t threads = 0;  ///< 0: one for each processor
  std::int64_t segment = 0;  ///< steps of a segment; 0: automatic
  std::int64_t slice = 0;    ///< trajectories of a slice; 0: automatic
  double checkpoint = 30;    ///< seconds between checkpoints; 0: after every segment
  /// Limit to the change |H - H(0)|: a trajectory that is beyond it when invariants are compared ends. none: no limit.
  std::optional<double> energy_limit{};
  std::optional<Isa> isa;  ///< instruction set; none: the best that the machine has
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
  bool initial = true, final = true;  ///< whether the states at the start, and at the end, are recorded
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
