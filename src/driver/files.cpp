#include "polhode/files/files.hpp"

#include <functional>

#include "driver/run.hpp"
#include "error.hpp"
#include "integration/callers_progress.hpp"

namespace polhode {

RunReport run_to_file(const RunSpec& spec, const std::filesystem::path& file, const FileOptions& options,
                      const Progress& progress) {
  CallersProgress ask(progress);
  const RunReport report = with_errors([&] {
    const Configuration configuration{.run = spec,
                                      .output = {.file = file, .compression = options.compression},
                                      .text = configuration_text(spec),
                                      .source = {}};
    Ranks alone;
    const Inputs inputs = make_inputs(configuration, {.resume = options.resume, .force = options.force}, alone);
    return run(inputs, alone, std::ref(ask)).report;
  });
  ask.rethrow();
  return report;
}

}  // namespace polhode
