#include "polhode/files/files.hpp"

#include "driver/run.hpp"
#include "integration/callers_progress.hpp"
#include "output/result_file.hpp"

namespace polhode {

RunReport run_to_file(const RunSpec& spec, const std::filesystem::path& file, const FileOptions& options,
                      const Progress& progress) {
  return ask_caller(progress, [&](const Progress& ask) {
    const Configuration configuration{
        .run = spec, .output = {.file = file, .compression = options.compression}, .text = {}, .source = {}};
    Ranks alone;
    const RunOptions switches{.resume = options.resume, .force = options.force};
    FileRunOutcome done = run(prepare_file_run(configuration, switches, read_part, alone), alone, ask);
    if (!done.stopped.empty()) done.report.remarks.push_back(done.stopped);
    return done.report;
  });
}

}  // namespace polhode
