// Attributes, parameters and datasets of a result file, as they are stored.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "output/h5.hpp"

namespace polhode {

struct ColumnContents {
  std::string name, unit, meaning;  ///< unit, meaning: empty if unknown
};

struct DatasetContents {
  std::string path, type;  ///< type: "float64", "int64", "uint8", "text" etc.
  h5::Shape shape;
  std::string unit, meaning;  ///< of a dataset without columns; empty if unknown
  std::vector<ColumnContents> columns;
};

struct ParameterContents {
  std::string name, unit, meaning;
  std::vector<double> value;
  bool is_list = false;
};

struct ResultContents {
  std::map<std::string, Attribute> attributes;  ///< attributes of the file, by name
  std::vector<ParameterContents> parameters;
  std::vector<DatasetContents> datasets;
};

/// Contents of a file that read_info() (output/result_file.hpp) has accepted. Columns, units and meanings are those
/// that the file has, else those of the catalog. Throws InputError for a damaged file. Forks, so the program must not
/// have other threads yet.
ResultContents read_contents(const std::filesystem::path& path);

}  // namespace polhode
