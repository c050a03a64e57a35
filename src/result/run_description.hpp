// Description of a run in its result.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "polhode/method/status.hpp"
#include "spec/value.hpp"

namespace polhode {

/// A column of a state, an invariant or an observable.
struct Column {
  std::string name, unit = "1", meaning = "";
  std::string angle = "";   ///< "wrapped" or "unbounded" (system/description.hpp); empty for no angle
  bool is_wrapped = false;  ///< whether it is a wrapped angle: its moments are those on the circle
};

/// A parameter of the system with its value; a single number is stored as a scalar, several as an array.
struct ParameterValue {
  std::string name, unit, meaning;
  std::vector<double> value;
};

/// A setting with its value: a key of the configuration, an option of the method, or its order.
struct KeyValue {
  std::string attribute;  ///< name of the attribute of the result that has the value
  Value value;
};

/// The plane in which a section is drawn: coordinate i is signs[i] times the column columns[i].
struct Picture {
  std::vector<std::string> axes, columns;  ///< [2]
  std::vector<double> signs;               ///< [2]
  std::string side;  ///< column whose sign separates the two halves of the section; empty: no halves
};

/// Density: numbers of section points in the cells of a plane, [bins[0]][bins[1]].
struct Density {
  std::vector<Column> axes;       ///< [2], columns or observables
  std::vector<double> low, high;  ///< [2], ends of the axes
  std::vector<std::int64_t> bins, counts;
  std::int64_t outside = 0;  ///< points outside all cells
};

/// Statistics of the ensemble, recorded every `every` steps from the start on.
struct StatisticsDescription {
  std::int64_t every = 0;  ///< steps between two times
  std::vector<Column> observables;
  std::int64_t bins = 0;          ///< number of cells of a histogram; 0: no histograms
  std::vector<double> low, high;  ///< ranges of the histograms, [observables]; empty without histograms
};

/// Shadow energy at the snapshots (polhode/run/shadow_energy.hpp).
struct ShadowDescription {
  std::string unit;
  std::int64_t order;
  double time_after;  ///< time from a snapshot to the middle of the steps that its shadow energy is made of
  /// Function that computes the shadow energies values[n] of states [dim][n]; empty where there is no kernel.
  std::function<void(const double* states, std::int64_t n, double* values)> compute;
};

struct RunDescription {
  std::string version, git;               ///< version of the program
  std::string config;                     ///< the whole configuration, TOML
  std::string identity = {};              ///< identity (spec/resolved_run.hpp); empty: no run can go on from this one
  std::vector<KeyValue> settings;         ///< settings that are attributes of the result
  std::optional<std::string> header;      ///< header of a user's system: its file, and a hash of its content
  std::optional<std::string> section;     ///< section in words, e.g. "gamma3 = 0, up"; none: no /section
  bool section_points = true;             ///< whether the section points are stored one by one
  std::vector<int> section_columns = {};  ///< columns of a state that section points have, in this order; empty: all
  std::optional<Density> density = {};    ///< density of the section points
  std::optional<StatisticsDescription> statistics = {};
  std::optional<Picture> picture;  ///< plane in which the section is drawn, if there is one
  std::string backend, device, isa;
  std::string compiler = {};         ///< compiler of the kernel; empty without a kernel
  std::string created;               ///< time of the description, from utc_now()
  int sweeps = 0;                    ///< unconditional sweeps of an implicit step; the maximum over its stages
  double step = 0;                   ///< h, in the unit of time of the system
  std::int64_t steps = 0;            ///< steps of the whole run
  std::int64_t snapshots_every = 0;  ///< steps between snapshots; 0: no /snapshots
  std::optional<ShadowDescription> shadow = {};
  std::int64_t first_compared = 0;  ///< first step at which invariants are compared with their initial values
  std::int64_t earlier_every = 0;   ///< steps between comparisons of invariants, if final batches have
                                    ///< Batch::earlier_drift; else 0
  bool initial_states = true, final_states = true;  ///< whether there are /initial and /final
  std::vector<Column> columns;                      ///< columns of a state, [dim]
  std::vector<Column> invariants;                   ///< recorded invariants, [n_invariants]
  std::vector<ParameterValue> parameters;
  std::vector<std::string> statuses{std::begin(status_text), std::end(status_text)};  ///< meanings of the status codes
  int compression = 0;       ///< level of deflate for the large datasets, 0 (none) to 9
  std::int64_t threads = 0;  ///< threads that assemble the result; 0: one for each processor
};

/// The columns of the state of a section point.
std::vector<Column> section_columns(const RunDescription& run);

/// Current time (UTC) in ISO 8601, such as 2024-05-01T12:00:00Z.
std::string utc_now();

}  // namespace polhode
