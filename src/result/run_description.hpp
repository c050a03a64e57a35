// What a result says about its run, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/value.hpp"

namespace polhode {

/// A parameter of the system with the value it had; one number is stored as such, more as an array.
struct ParameterValue {
  std::string name, unit, meaning;
  std::vector<double> value;
};

/// A key of the configuration with the value it had.
struct Setting {
  std::string attribute;
  Value value;
};

/// The plane in which a section is drawn: coordinate i is signs[i] times the column columns[i].
struct Picture {
  std::vector<std::string> axes, columns;  ///< [2]
  std::vector<double> signs;               ///< [2]
  std::string side;                        ///< the column whose sign separates the two halves of the section
};

/// Section points counted in the cells of a plane: [bins[0]][bins[1]].
struct Density {
  std::vector<std::string> axes;  ///< [2], columns or observables
  std::vector<double> low, high;  ///< [2]
  std::vector<std::int64_t> bins, counts;
  std::int64_t outside = 0;  ///< points in no cell
};

/// Of the ensemble, every so many steps from the start on.
struct StatisticsDescription {
  std::int64_t every = 0;  ///< steps
  std::vector<std::string> observables;
  std::int64_t bins = 0;          ///< of each observable's histogram; 0: there are none
  std::vector<double> low, high;  ///< [observables], where there are histograms
};

struct RunDescription {
  std::string version, git;             ///< of the program
  std::string config;                   ///< the configuration in full; empty where the run came from code
  std::vector<Setting> settings;        ///< of the run, that are attributes of the result
  std::optional<std::string> plugin;    ///< file that the system came from, and its checksum
  std::optional<std::string> section;   ///< e.g. "gamma3 = 0, up"; without it there is no /section
  bool section_points = true;           ///< the points are there one by one
  std::optional<Density> density = {};  ///< of the section points
  std::optional<StatisticsDescription> statistics = {};
  std::optional<Picture> picture;  ///< where the system has a plane for this section
  std::string backend, device, isa;
  std::string created;                  ///< UTC, as utc_now() gives it
  int sweeps = 0;                       ///< unconditional sweeps of an implicit step; the most of any stage
  double step = 0;                      ///< h, in the unit of time of the system
  std::int64_t steps = 0;               ///< of the whole run
  std::int64_t snapshots_every = 0;     ///< 0: there are no /snapshots
  std::int64_t first_compared = 0;      ///< step after which invariants are first compared with their initial values
  std::vector<std::string> columns;     ///< [dim], of the state
  std::vector<std::string> invariants;  ///< [n_invariants]; empty if they were not recorded
  std::vector<ParameterValue> parameters;
  int compression = 0;  ///< deflate's level of the large datasets, 0 (none) to 9
};

/// The time of day in ISO 8601, such as 2024-05-01T12:00:00Z.
std::string utc_now();

}  // namespace polhode
