// polhode convert: a configuration for another description of its system.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/converted.hpp"
#include "cli/output_file.hpp"
#include "output/result_file.hpp"

namespace polhode {

ExitCode convert_command(const Configuration& configuration, const std::string& to, const Overrides& overrides,
                         const ConvertOptions& options) {
  check_output_file(options.output, ".toml", "a configuration is TOML", options.force);
  const std::string text = converted_text(configuration, to, overrides, read_states_after_trial);
  write_output_file(options.output, text);
  if (options.output.empty()) fmt::print("{}", text);
  return ExitCode::done;
}

}  // namespace polhode
