// polhode info: what a result file holds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "output/result_file.hpp"

namespace polhode {

ExitCode info_command(const std::filesystem::path& file) {
  const ResultInfo info = read_info(file);
  fmt::print("{}\n", file.string());
  for (const auto& attribute : info.attributes)
    if (attribute.name != "config") fmt::print("  {:<12} {}\n", attribute.name, attribute.value);
  fmt::print("parameters\n");
  for (const auto& parameter : info.parameters) fmt::print("  {:<12} {}\n", parameter.name, parameter.value);
  fmt::print("data\n");
  for (const auto& array : info.arrays)
    fmt::print("  {:<24} {} [{}]\n", array.path, array.type, fmt::join(array.shape, ", "));
  fmt::print("statuses\n");
  for (const auto& status : info.statuses) fmt::print("  {} {} ({})\n", status.count, status.meaning, status.code);
  if (!info.invariants.empty()) fmt::print("largest changes of invariants\n");
  for (const auto& drift : info.invariants) {
    const bool is_known = drift.trajectory >= 0;
    fmt::print("  {:<16} {}", drift.invariant,
               is_known ? fmt::format("{:.2e} (trajectory {})", drift.worst, drift.trajectory) : "unknown");
    if (is_known && drift.unknown > 0)
      fmt::print(", unknown in {} {}", drift.unknown, drift.unknown == 1 ? "trajectory" : "trajectories");
    fmt::print("\n");
  }
  for (const auto& attribute : info.attributes)
    if (attribute.name == "config") fmt::print("configuration\n{}\n", attribute.value);
  return ExitCode::done;
}

}  // namespace polhode
