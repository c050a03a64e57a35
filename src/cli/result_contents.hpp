// What a result file says of itself and of its datasets, as it is stored.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "output/h5.hpp"

namespace polhode {

struct ColumnContents {
  std::string name, unit, meaning;  ///< empty where they are not known
};

struct DatasetContents {
  std::string path, type;  ///< "float64", "int64", "uint8", "text"
  h5::Shape shape;
  std::string unit, meaning;  ///< of a dataset without columns; empty where they are not known
  std::vector<ColumnContents> columns;
};

struct ParameterContents {
  std::string name, unit, meaning;
  std::vector<double> value;
  bool is_list = false;
};

struct ResultContents {
  std::map<std::string, h5::Value> attributes;  ///< of the file
  std::vector<ParameterContents> parameters;
  std::vector<DatasetContents> datasets;
};

/// Columns, units and meanings are those of the file or, where it does not say, of the catalog. InputError as of
/// read_info(), which has checked that the file is a result.
ResultContents read_contents(const std::filesystem::path& path);

}  // namespace polhode
