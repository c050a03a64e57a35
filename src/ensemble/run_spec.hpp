// What a run is, whatever front end it came from.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// ensemble.from = "random".
struct RandomSpec {
  enum class Distribution { microcanonical, canonical, cloud, attitudes };
  Distribution distribution = Distribution::microcanonical;
  std::int64_t count = 0;
  std::uint64_t seed = 0;
  Equilibrium equilibrium;     ///< microcanonical, canonical
  std::vector<double> centre;  ///< cloud and attitudes: the state [dim] that they are about
  std::vector<double> width;   ///< cloud: of the Gaussian, [dim]; its states are brought to the constraints
};
inline constexpr const char* distribution_names[] = {"microcanonical", "canonical", "cloud", "attitudes"};

struct EnsembleSpec {
  enum class From { section, states, file, random };
  From from = From::section;

  std::array<std::int64_t, 2> grid{};  ///< section: cells along each coordinate of the chart
  double energy = 0, momentum = 0;
  int branch = 0;  ///< index into branch_names

  std::vector<double> states;  ///< states: [n][dim]
  bool velocities = false;     ///< states and file: the second half of a state is q', not p

  std::filesystem::path path;  ///< file
  std::string dataset;

  RandomSpec random;
};

struct SectionSpec {
  int observable = 0;
  double value = 0;
  bool up = true, down = false;
  std::string where;      ///< condition.hpp; judged on the refined point
  bool points = true;     ///< they are kept one by one; otherwise only their density is
  bool terminal = false;  ///< a trajectory ends where it crosses
};

/// The plane of two columns or observables in cells, in which section points are counted.
struct DensitySpec {
  std::array<int, 2> observables{};
  std::array<std::int64_t, 2> bins{};
  std::array<double, 2> low{}, high{};  ///< low < high; a cell holds its lower edge and not its upper one
};
/// What is told of the ensemble's distribution every so many steps.
struct StatisticsSpec {
  std::int64_t every = 0;  ///< steps
  std::vector<int> observables;
  std::int64_t bins = 0;          ///< cells of each histogram; 0: none
  std::vector<double> low, high;  ///< of the histograms, [observables]; low < high
};
inline constexpr std::int64_t max_density_cells = std::int64_t{1} << 26;
inline constexpr std::int64_t max_histogram_cells = std::int64_t{1} << 20;

enum class BackendChoice { automatic, reference, cpu, cuda };
inline constexpr const char* backend_names[] = {"auto", "reference", "cpu", "cuda"};

struct RunSpec {
  const SystemEntry* system = nullptr;
  const MethodEntry* method = nullptr;
  int variant = 0;                 ///< index into method->variants
  std::vector<double> parameters;  ///< flat, in the order of system->parameters
  double step = 0;                 ///< h
  bool final_projection = false;   ///< the last momenta are lifted to the hidden constraint
  EnsembleSpec ensemble;

  std::int64_t steps = 0;
  BackendChoice backend = BackendChoice::automatic;
  Precision precision = Precision::binary64;
  std::optional<Isa> isa;    ///< empty: the best that the machine has
  int threads = 0;           ///< 0: one for each processor
  std::int64_t segment = 0;  ///< steps; 0: automatic
  std::int64_t slice = 0;    ///< trajectories at a time; 0: automatic
  double checkpoint = 30;    ///< seconds between checkpoints; 0: after every segment

  std::optional<SectionSpec> section;
  std::optional<DensitySpec> density;  ///< of the section
  std::optional<StatisticsSpec> statistics;
  std::int64_t snapshots = 0;  ///< every so many steps; 0: none
  bool invariants = true;
  std::int64_t invariants_every = 16;

  std::filesystem::path output;
  int compression = 0;                ///< of the output: deflate's level, 0 (none) to 9
  std::filesystem::path config_file;  ///< where it came from; may be empty
  std::string config;                 ///< the configuration in full, as it goes into the file
};

/// Throws InputError where a system has no chart of a section to start from.
void require_chart(const SystemEntry& system);

/// Throws InputError where a value is out of bounds or values do not fit together.
void validate(const RunSpec& spec);

/// What the fast backends need to know of a run that starts at states[n][dim].
Plan make_plan(const RunSpec& spec, const std::vector<double>& states);

/// Everything that must be the same for --resume, one "key = value" a line; backend: the one chosen, initial: the
/// states of the start [n][dim].
std::string identity(const RunSpec& spec, const Plan& plan, const std::string& backend,
                     const std::vector<double>& initial);

/// Which plugin it is, e.g. "libown.so, checksum 89abcdef01234567".
std::string describe_plugin(const PluginFile& plugin);

/// The section in words, e.g. "gamma3 = 0, up"; empty without one.
std::string describe_section(const RunSpec& spec);

}  // namespace polhode
