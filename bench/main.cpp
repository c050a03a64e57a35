// polhode-bench: measures, then prints ratios. Takes Google Benchmark's options, and --json FILE.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "backend/cuda/cuda_backend.hpp"
#include "composed.hpp"
#include "constrained.hpp"
#include "cuda_measurements.hpp"
#include "equal_error.hpp"
#include "exponential.hpp"
#include "json_output.hpp"
#include "measurements.hpp"
#include "reduced.hpp"
#include "report.hpp"

namespace {

using namespace polhode::bench;

struct Arguments {
  std::vector<std::string> benchmark;  ///< Google Benchmark's
  std::string json;                    ///< file, or empty
};

/// What suits a noisy machine comes first, so that the caller's own options override it.
Arguments parse(int argc, char** argv) {
  Arguments arguments{
      {argv[0], "--benchmark_repetitions=7", "--benchmark_min_time=0.1", "--benchmark_enable_random_interleaving=true"},
      ""};
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      arguments.json = argv[++i];
      arguments.benchmark.push_back("--benchmark_out_format=json");
      arguments.benchmark.push_back("--benchmark_out=" + arguments.json);
    } else {
      arguments.benchmark.push_back(argv[i]);
    }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) try {
  Arguments arguments = parse(argc, argv);
  std::vector<char*> pointers;
  for (std::string& s : arguments.benchmark) pointers.push_back(s.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

  register_benchmarks();
  register_equal_error_benchmarks();
  register_composed_benchmarks();
  register_exponential_benchmarks();
  register_constrained_benchmarks();
  register_description_benchmarks();
  register_cuda_benchmarks();
  const std::string without_cuda = polhode::cuda_problem();
  if (!without_cuda.empty()) std::fprintf(stderr, "polhode-bench: no cuda rows: %s.\n", without_cuda.c_str());
  benchmark::AddCustomContext("cuda", without_cuda.empty() ? cuda_device() : without_cuda);

  Collector collected;
  benchmark::RunSpecifiedBenchmarks(&collected);
  if (collected.empty()) return collected.failed() ? 1 : 0;
  const std::vector<Table> tables = report(collected);
  std::printf(
      "\nHeavy top of McLachlan & Scovel 1995, Figure 1, h = %g, and the examples of constrained systems; medians.\n",
      step);
  print(tables);
  if (!arguments.json.empty()) complete_json(arguments.json, tables);
  return collected.failed() ? 1 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "polhode-bench: %s\n", e.what());
  return 1;
}
