#include "result/run_description.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>

namespace polhode {

std::vector<Column> section_columns(const RunDescription& run) {
  if (run.section_columns.empty()) return run.columns;
  std::vector<Column> columns;
  for (const int column : run.section_columns) columns.push_back(run.columns[static_cast<std::size_t>(column)]);
  return columns;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace polhode
