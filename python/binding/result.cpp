#include "result.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace polhode::python {
namespace {

namespace nb = nanobind;

template <class T>
nb::object values_of(std::vector<T, Unset<T>>&& values, const Shape& shape) {
  auto kept = std::make_unique<Elements<T>>(std::move(values));
  const std::vector<std::size_t> sizes(shape.begin(), shape.end());
  const T* const data = kept->data();
  const nb::capsule owner(kept.release(), [](void* vector) noexcept { delete static_cast<Elements<T>*>(vector); });
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, sizes.size(), sizes.data(), owner));
}
nb::object values_of(std::vector<std::string>&& values, const Shape&) { return nb::cast(values); }

nb::dict of_change(const RunReport::Change& change) {
  nb::dict dict;
  dict["largest"] = change.largest;
  dict["trajectory"] = change.trajectory;
  return dict;
}

nb::list drifts_of(const RunReport& report) {
  nb::list drifts;
  for (const RunReport::Drift& drift : report.drifts) {
    nb::dict dict = of_change(drift);
    dict["invariant"] = drift.invariant;
    dict["early"] = of_change(drift.early);
    drifts.append(dict);
  }
  return drifts;
}

/// Statuses that trajectories ended with.
nb::list endings_of(const RunReport& report) {
  nb::list endings;
  for (int code = 0; code < n_statuses; ++code) {
    const Ending& ending = report.of(static_cast<Status>(code));
    if (ending.count == 0) continue;
    nb::dict dict;
    dict["code"] = code;
    dict["meaning"] = report.meanings.at(static_cast<std::size_t>(code));
    dict["is_result"] = is_result(static_cast<Status>(code), report.open);
    dict["count"] = ending.count;
    dict["first"] = ending.first;
    dict["step"] = ending.step;
    endings.append(dict);
  }
  return endings;
}

}  // namespace

nb::dict report_of(const RunReport& report) {
  nb::dict dict;
  dict["trajectories"] = report.trajectories;
  dict["steps"] = report.steps;
  dict["step"] = report.step;
  dict["system"] = report.system;
  dict["method"] = report.method;
  dict["solver"] = report.solver;
  dict["section"] = report.section;
  dict["backend"] = report.backend;
  dict["device"] = report.device;
  dict["isa"] = report.isa;
  dict["table"] = report.table;
  dict["composition"] = report.composition;
  dict["remarks"] = report.remarks;
  dict["complete"] = report.done.complete;
  dict["points"] = report.done.points;
  dict["unrefined"] = report.done.unrefined;
  dict["seconds"] = report.done.seconds;
  dict["first_compared"] = report.first_compared;
  dict["unknown"] = report.unknown;
  dict["drifts"] = drifts_of(report);
  dict["round_off"] = report.round_off;
  dict["with_round_off"] = report.with_round_off;
  dict["missed"] = report.missed;
  dict["long_steps"] = report.long_steps;
  dict["endings"] = report.done.complete ? endings_of(report) : nb::list();
  return dict;
}

nb::dict arrays_of(Result& result) {
  nb::dict arrays;
  for (auto& [path, array] : result.arrays) {
    const auto move_out = [&](auto& values) { return values_of(std::move(values), array.shape); };
    arrays[path.c_str()] = nb::make_tuple(std::visit(move_out, array.values), array.attributes, array.dimensions);
  }
  return arrays;
}

nb::dict attributes_of(const Result& result) {
  nb::dict attributes;
  for (const auto& [path, of_group] : result.attributes) attributes[path.c_str()] = nb::cast(of_group);
  return attributes;
}

}  // namespace polhode::python
