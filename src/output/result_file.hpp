// Readers of result files: for `polhode info`, and for starts from the end of another run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "output/h5.hpp"
#include "process_share.hpp"
#include "state_columns.hpp"

namespace polhode {

struct ResultInfo {
  struct Text {
    std::string name, value;
  };
  struct Array {
    std::string path;
    std::string type;  ///< "float64", "int64", "uint8", "text"
    h5::Shape shape;
  };
  struct StatusCount {
    int code;
    std::string meaning;
    std::int64_t count;
  };
  struct Drift {
    std::string invariant;
    struct Largest {
      double change = 0;
      std::int64_t trajectory = -1;  ///< first trajectory with this change; -1: the change is known for no trajectory
    };
    /// Largest changes over the trajectories that reached the end of the run or their terminal section, and over the
    /// others.
    Largest reached{}, early{};
    std::int64_t unknown = 0;  ///< number of trajectories that ended before the invariant was first compared
  };

  std::vector<Text> attributes;  ///< attributes of the file but `identity`, the configuration last
  std::vector<Text> parameters;
  std::vector<Array> arrays;
  std::vector<StatusCount> statuses;  ///< statuses that occur, each with the number of its trajectories
  std::vector<Drift> invariants;      ///< drifts of the invariants; empty if none were recorded
};

/// Reads what `polhode info` shows. Throws InputError if the file is unreadable, damaged or not a result of polhode.
/// Forks, so the program must not have other threads yet.
ResultInfo read_info(const std::filesystem::path& path);

/// The configuration that a result was made with, as TOML. Throws InputError where read_info() does, and where there is
/// none. Forks, so the program must not have other threads yet.
std::string read_configuration(const std::filesystem::path& path);

/// Calls read_states() of polhode/files/files.hpp after a child process has shown that the HDF5 library survives the
/// file. Forks, so the program must not have other threads yet.
std::vector<double> read_states_after_trial(const std::filesystem::path& path, const std::string& dataset, int dim);

/// Reads the share of a process of the states [n][dim] in a dataset. If the dataset names its columns, their names must
/// be columns.names, if these are known. Throws InputError where the states cannot be used.
std::vector<double> read_part(const std::filesystem::path& path, const std::string& dataset,
                              const StateColumns& columns, const ProcessShare& share);
std::vector<double> read_part_after_trial(const std::filesystem::path& path, const std::string& dataset,
                                          const StateColumns& columns, const ProcessShare& share);

}  // namespace polhode
