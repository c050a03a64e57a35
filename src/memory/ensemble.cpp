#include "polhode/core/ensemble.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"
#include "integration/callers_progress.hpp"
#include "integration/describe.hpp"
#include "integration/integration.hpp"
#include "integration/report.hpp"
#include "memory/array_sink.hpp"
#include "result/sizes.hpp"

namespace polhode {
namespace {

std::vector<double> refuse_file(const std::filesystem::path& path, const std::string&, int) {
  throw InputError("cannot read '" + path.string() +
                   "' (polhode::core reads no files). Give the states themselves, or what reads them.");
}

/// Lower bound on the bytes of a run's arrays, known before its starts are made.
double least_bytes(const ResolvedRun& run) {
  const std::int64_t least = least_count(run, {});
  return least > 0 ? array_bytes(describe(run, 0, {}), static_cast<double>(least), 0) : 0;
}

Result run_into_arrays(const PreparedRun& prepared, const Progress& progress, std::uint64_t most_bytes) {
  Backend& backend = *prepared.chosen.backend;
  // A slice no larger than the ensemble has small groups (result/section_blocks.hpp), whose records are given back
  // early.
  const std::int64_t n = prepared.n(), slice = std::clamp<std::int64_t>(n, 1, slice_of(prepared.run, backend));
  backend.require(std::min(n, slice));
  ArraySink sink(prepared.layout(n, slice),
                 describe(prepared, std::vector<std::int64_t>(count_cells(prepared.plan.selection))), most_bytes);

  const IntegrationReport done = integrate(prepared, backend, sink, progress);
  Result result;
  result.report = make_report(prepared, done, sink, 0);
  if (done.complete) sink.make_arrays(describe(prepared, done.counts), rows_of(prepared.initial.starts), result);
  return result;
}

}  // namespace

struct Ensemble::Parts {
  PreparedRun prepared;
  std::uint64_t most_bytes;
};

Ensemble::Ensemble(const RunSpec& spec, const ReadStates& read, std::uint64_t most_bytes)
    : parts_(with_errors([&] {
        ResolvedRun run = resolve(spec);
        require_memory(least_bytes(run), static_cast<double>(most_bytes));
        return std::make_unique<Parts>(Parts{prepare(std::move(run), read ? read : refuse_file), most_bytes});
      })) {}
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;
Ensemble::~Ensemble() = default;

RunReport Ensemble::report() const { return start_report(parts_->prepared); }

Result Ensemble::run(const Progress& progress) {
  return ask_caller(progress,
                    [&](const Progress& ask) { return run_into_arrays(parts_->prepared, ask, parts_->most_bytes); });
}

}  // namespace polhode
