// Ten thousand heavy tops from memory to memory: no file is read or written.
//
//     find_package(polhode REQUIRED)
//     add_executable(ensemble ensemble.cpp)
//     target_link_libraries(ensemble PRIVATE polhode::core)
//
// The arrays are those of the file that `polhode run` writes, to the bit. Given their names, the program writes their
// bytes to standard output instead of a report: ./ensemble /section/state >points
#include <cstdio>
#include <string>

#include "polhode/core/ensemble.hpp"

namespace {

/// Tops of one energy, of any motion: where they cross gamma3 = 0 upward, and how they spread over gamma3 in time.
polhode::RunSpec tops() {
  polhode::RunSpec run;
  run.system.name = "heavy-top";
  run.system.parameters["alpha"] = {0.44, 0.5, 1.0};
  run.method.name = "rattle";
  run.method.step = 0.05;
  polhode::RandomStarts starts;
  starts.count = 10000;
  starts.distribution = polhode::Microcanonical{.energy = 1.0, .momentum = {}, .angular_momentum = {}};
  run.ensemble = starts;
  run.execution.steps = 400;
  run.section.emplace().name = "gamma3";
  polhode::StatisticsSpec& statistics = run.statistics.emplace();
  statistics.every = 50;
  statistics.observables = {"gamma3"};
  statistics.bins = 20;
  statistics.range = {{-1, 1}};
  return run;
}

std::string describe(const polhode::Array& array) {
  const char* const types[] = {"float64", "int64", "uint8", "text"};
  std::string text = types[array.values.index()];
  for (const std::uint64_t size : array.shape) text += " " + std::to_string(size);
  return text;
}

void write_bytes(const polhode::Elements<std::string>& lines) {
  for (const std::string& line : lines) std::puts(line.c_str());
}
void write_bytes(const auto& numbers) { std::fwrite(numbers.data(), sizeof(numbers[0]), numbers.size(), stdout); }

bool same_bits(const polhode::Result& a, const polhode::Result& b) {
  return a.values<double>("/final/state") == b.values<double>("/final/state") &&
         a.values<double>("/section/state") == b.values<double>("/section/state") &&
         a.values<std::int64_t>("/statistics/histogram") == b.values<std::int64_t>("/statistics/histogram");
}

void report(const polhode::Result& result) {
  const polhode::RunReport& report = result.report;
  std::printf("%lld trajectories of %s by %s, %lld steps, on %s\n", static_cast<long long>(report.trajectories),
              report.system.c_str(), report.method.c_str(), static_cast<long long>(report.steps),
              report.backend.c_str());
  std::printf("%lld section points, energy conserved to %.1e\n", static_cast<long long>(report.done.points),
              report.drifts.front().largest);
  for (const auto& [name, array] : result.arrays) std::printf("  %s %s\n", name.c_str(), describe(array).c_str());
}

void demonstrate() {
  polhode::Ensemble ensemble(tops());
  const polhode::Result result = ensemble.run();
  report(result);
  std::printf("again, with the same bits: %s\n", same_bits(result, ensemble.run()) ? "yes" : "no");

  // Stopped once some steps have been taken.
  const polhode::Result stopped = ensemble.run([](const polhode::RunProgress& now) { return now.steps == 0; });
  std::printf("stopped at step %lld of %lld, %zu arrays\n", static_cast<long long>(stopped.report.done.end.step),
              static_cast<long long>(stopped.report.steps), stopped.arrays.size());

  polhode::RunSpec standing = tops();
  standing.method.step = 0;
  try {
    polhode::Ensemble refused(standing);
  } catch (const polhode::Error& error) {
    std::printf("refused, exit code %d: %s\n", static_cast<int>(error.code()), error.what());
  }
}

void write_arrays(int count, char** names) {
  const polhode::Result result = polhode::Ensemble(tops()).run();
  for (int i = 0; i < count; ++i)
    std::visit([](const auto& values) { write_bytes(values); }, result.arrays.at(names[i]).values);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1)
      write_arrays(argc - 1, argv + 1);
    else
      demonstrate();
  } catch (const polhode::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
}
