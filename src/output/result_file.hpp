// Reads result files: for `polhode info`, and to start an ensemble where another has ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "output/h5.hpp"

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
    double worst;             ///< over the trajectories in which it is known
    std::int64_t trajectory;  ///< the first that has it; negative if it is known in none
    std::int64_t unknown;     ///< trajectories that ended before it was first compared
  };

  std::vector<Text> attributes;  ///< the configuration last
  std::vector<Text> parameters;
  std::vector<Array> arrays;
  std::vector<StatusCount> statuses;  ///< those that occur
  std::vector<Drift> invariants;      ///< empty if they were not recorded
};

/// InputError if the file is unreadable, damaged or not a result of polhode.
ResultInfo read_info(const std::filesystem::path& path);

/// read_states() of polhode/files/files.hpp, once a child process has shown that the HDF5 library survives the file. It
/// forks: for a program that has no other threads yet.
std::vector<double> read_states_with_care(const std::filesystem::path& path, const std::string& dataset, int dim);

}  // namespace polhode
