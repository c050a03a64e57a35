// polhode-bench: measures, then prints ratios. Takes Google Benchmark's options, and --json FILE.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "measurements.hpp"
#include "report.hpp"

namespace {

/// Google Benchmark's arguments: what suits a noisy machine first, so that the caller's own options override it.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> all = {argv[0], "--benchmark_repetitions=7", "--benchmark_min_time=0.1",
                                  "--benchmark_enable_random_interleaving=true"};
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      all.push_back("--benchmark_out_format=json");
      all.push_back(std::string("--benchmark_out=") + argv[++i]);
    } else {
      all.push_back(argv[i]);
    }
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> strings = arguments(argc, argv);
  std::vector<char*> pointers;
  for (std::string& s : strings) pointers.push_back(s.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

  if (const std::string problem = polhode::bench::disagreement_with_odeint(); !problem.empty()) {
    std::fprintf(stderr, "polhode-bench: %s\n", problem.c_str());
    return 1;
  }
  polhode::bench::register_benchmarks();
  polhode::bench::Collector collected;
  benchmark::RunSpecifiedBenchmarks(&collected);
  if (!collected.empty()) polhode::bench::print_report(collected);
  return collected.failed() ? 1 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "polhode-bench: %s\n", e.what());
  return 1;
}
