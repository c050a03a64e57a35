// Entries of systems with added observables.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "formula/added_observables.hpp"

namespace polhode {
namespace {

/// A system and a method with added observables, and what their entries point to.
struct Observed {
  AddedObservables added;
  std::string in_modules, in_kernels;  ///< code of all of them, and of those of kernels
  std::vector<Quantity> observables;
  SystemEntry system;
  MethodEntry method;
};

}  // namespace

ObservedEntries with_observables(const SystemEntry& system, const MethodEntry& method, AddedObservables added) {
  static std::mutex mutex;
  static std::map<std::tuple<const SystemEntry*, const MethodEntry*, std::string, int>, std::unique_ptr<Observed>> all;
  const std::lock_guard lock(mutex);
  const int n_added = static_cast<int>(added.all.size());
  auto& observed = all[{&system, &method, added.code(n_added), added.n_in_kernels}];
  if (!observed) {
    observed =
        std::make_unique<Observed>(Observed{.added = std::move(added),
                                            .in_modules = {},
                                            .in_kernels = {},
                                            .observables = {system.observables.begin(), system.observables.end()},
                                            .system = system,
                                            .method = method});
    const AddedObservables& kept = observed->added;
    observed->in_modules = kept.code(n_added);
    if (kept.n_in_kernels > 0) observed->in_kernels = kept.code(kept.n_in_kernels);
    for (const AddedObservables::One& one : kept.all)
      observed->observables.push_back({one.name.c_str(), one.unit.c_str(), one.text.c_str(), one.angle});
    observed->system.observables = observed->observables;
    observed->system.added = &kept;
    observed->method.added_in_kernels = kept.n_in_kernels > 0 ? observed->in_kernels.c_str() : nullptr;
    observed->method.added_in_system = observed->in_modules.c_str();
  }
  return {&observed->system, &observed->method};
}

double SystemEntry::observe(const double* p, int observable, const double* x) const {
  if (!added || observable < added->n_own) return own_observable(p, observable, x);
  return added->value(observable - added->n_own, p, [&](int k) { return own_observable(p, k, x); });
}

}  // namespace polhode
