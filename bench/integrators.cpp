#include "integrators.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/serial_backend.hpp"
#include "polhode/method/status.hpp"

namespace polhode::bench {
namespace {

class RivalBackend final : public SerialBackend {
 public:
  RivalBackend(const Rival& rival, double h) : rival_(rival), h_(h) {}

  std::int64_t preferred_batch() const override { return 1024; }
  void load(Batch batch) override {
    batch_ = std::move(batch);
    states_ = interleaved(batch_);
  }
  void store(Batch& batch) const override {
    batch = batch_;
    for (std::int64_t k = 0; k < batch.n; ++k)
      for (int i = 0; i < batch.dim; ++i) batch.state[i * batch.n + k] = states_[k * batch.dim + i];
  }
  std::vector<std::int64_t> counts() override { return {}; }  // no density
  void set_counts(std::vector<std::int64_t>) override {}
  std::string device() const override { return "cpu"; }
  std::string isa() const override { return "native"; }

 protected:
  void compute(const Segment& segment, SegmentResult&) override {
    rival_.advance(states_.data(), batch_.n, segment.count, h_, parameters);
  }

 private:
  Rival rival_;
  double h_;
  Batch batch_;
  std::vector<double> states_;
};

std::string find_disagreement() {
  const Batch start = starts(64);
  constexpr int steps = 8;
  for (std::size_t i = 0; i + 1 < integrators().size(); ++i) {
    const Integrator &lower = integrators()[i], &higher = integrators()[i + 1];
    const auto difference = [&](int fraction) {
      return largest_difference(states_after(lower, start, fraction * steps, step / fraction),
                                states_after(higher, start, fraction * steps, step / fraction));
    };
    const double whole = difference(1), half = difference(2), order = std::log2(whole / half);
    if (!(std::abs(order - lower.order) < 0.2)) {
      char text[256];
      std::snprintf(text, sizeof text, "%s and %s differ by %.1e after %d steps, with order %.2f instead of %d",
                    lower.name.c_str(), higher.name.c_str(), whole, steps, order, lower.order);
      return text;
    }
  }
  return "";
}

}  // namespace

std::unique_ptr<Backend> make_rattle(Isa isa, int solver, Precision precision, double h, const Observers& observers,
                                     int threads) {
  CpuKernels kernels = rattle().kernels(solver, precision, isa);
  if (observers.section == Observers::Section::detected)
    kernels.refine = [](const Plan&, const CrossingView& list, std::int64_t, std::int64_t) { *list.count = 0; };
  return make_cpu_backend(plan(solver, precision, observers, h), kernels, isa, {.threads = threads});
}

std::unique_ptr<Backend> make_rival(const Rival& rival, double h) { return std::make_unique<RivalBackend>(rival, h); }

const std::vector<Integrator>& integrators() {
  static const std::vector<Integrator> all = [] {
    const SolverEntry& solver = rattle().solvers[default_solver];
    std::vector<Integrator> list = {
        {std::string("rattle/") + isa_names[static_cast<int>(best_isa())] + "/" + solver.name + "/double",
         rattle().properties().order,
         [](double h) { return make_rattle(best_isa(), default_solver, Precision::binary64, h); }}};
    for (const Rival& rival : {odeint_runge_kutta4, odeint_dormand_prince5, gsl_rk8pd})
      list.push_back({rival.name, rival.order, [rival](double h) { return make_rival(rival, h); }});
    return list;
  }();
  return all;
}

std::vector<double> states_after(const Integrator& integrator, const Batch& start, std::int64_t steps, double h) {
  const std::unique_ptr<Backend> backend = integrator.make(h);
  backend->load(start);
  backend->advance({0, steps});
  Batch batch;
  backend->store(batch);
  return all_ok(batch) ? interleaved(batch) : std::vector<double>();
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.empty() || a.size() != b.size()) return infinity;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!std::isfinite(difference)) return infinity;
    largest = std::max(largest, difference);
  }
  return largest;
}

const std::string& disagreement() {
  static const std::string found = find_disagreement();
  return found;
}

}  // namespace polhode::bench
