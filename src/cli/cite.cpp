// polhode cite: the publications behind a result, as BibTeX.
#include <fmt/format.h>

#include <algorithm>

#include "cli/citation.hpp"
#include "cli/commands.hpp"
#include "cli/result_contents.hpp"
#include "output/result_file.hpp"

namespace polhode {

ExitCode cite_command(const std::filesystem::path& file) {
  read_info(file);  // accepts it
  const ResultContents contents = read_contents(file);
  const bool has_shadow_energy = std::ranges::any_of(
      contents.datasets, [](const DatasetContents& dataset) { return dataset.path == "/snapshots/shadow_energy"; });
  fmt::print("{}", citation_of(contents.attributes, has_shadow_energy, fmt::format("'{}'", file.string())));
  return ExitCode::done;
}

}  // namespace polhode
