#include "integration/sample.hpp"

#include <utility>

#include "integration/integration.hpp"

namespace polhode {
namespace {

/// Sink that keeps nothing.
class NullSink final : public Sink {
 public:
  explicit NullSink(const RunLayout& layout) : layout_(layout) {}

  const RunLayout& layout() const override { return layout_; }
  void append(const SectionPoints&) override {}
  void append_snapshots(std::span<const double>) override {}
  void append_statistics(std::span<const double>) override {}
  void append_final(const Batch&) override {}
  void for_each_final(const std::function<void(const Batch&)>&) const override {}

 private:
  RunLayout layout_;
};

}  // namespace

Sample take_sample(const ResolvedRun& run, const RunPlan& plan, std::vector<double> states, double seconds) {
  PreparedRun some{
      .run = run,
      .initial = {.starts = {run.system->dim, std::move(states)}, .points = {}, .findings = {}, .remarks = {}},
      .plan = plan,
      .chosen = {}};
  const std::int64_t n = some.n();
  if (some.run.spec.execution.backend != BackendChoice::reference) some.run.spec.execution.backend = BackendChoice::cpu;
  some.chosen = make_backend(some.run, plan);
  NullSink sink(some.layout(n, n));
  RunProgress last;
  const IntegrationReport done = integrate(some, *some.chosen.backend, sink, [&](const RunProgress& now) {
    last = now;
    return now.seconds < seconds;
  });
  return {.complete = done.complete,
          .trajectories = static_cast<double>(n),
          .steps = done.complete ? static_cast<double>(done.steps) : last.steps,
          .points = static_cast<double>(done.points),
          .seconds = done.complete ? done.seconds : last.seconds};
}

}  // namespace polhode
