#include "measurements.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/order.hpp"
#include "accuracy/work_precision.hpp"
#include "cli/accuracy_json.hpp"
#include "cli/bench_json.hpp"
#include "cli/citation.hpp"
#include "cli/converted.hpp"
#include "cli/crosscheck_json.hpp"
#include "error.hpp"
#include "given.hpp"
#include "interpreter.hpp"
#include "polhode/files/files.hpp"
#include "spec/key.hpp"
#include "throughput/throughput.hpp"

namespace polhode::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Progress of a measurement: looks for signals, and tells `report`, if that is not None, what is done, how much of it
/// and of how much.
auto telling(const nb::object& report) {
  return [report = nb::handle(report)](const std::string& what, std::int64_t done, std::int64_t all) {
    with_lock([&] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!report.is_none()) report(what, done, all);
    });
  };
}

/// Enumerators of their names; throws InputError for a name that is none.
template <class Enum, class Names>
std::vector<Enum> choices_of(const std::vector<std::string>& given, const Names& names, const char* what) {
  std::vector<Enum> choices;
  for (const std::string& name : given) {
    const auto found = std::find(std::begin(names), std::end(names), name);
    if (found == std::end(names))
      throw InputError(
          fmt::format("unknown {} '{}' (there are {}). Choose one of these.", what, name, fmt::join(names, ", ")));
    choices.push_back(static_cast<Enum>(found - std::begin(names)));
  }
  return choices;
}

std::string crosscheck_json(const std::string& text, const std::optional<States>& states,
                            const std::vector<std::string>& backends, const std::vector<std::string>& isas,
                            std::int64_t trajectories, std::int64_t steps, bool step_halving, bool with_single,
                            const nb::object& report) {
  const auto tell = telling(report);
  return without_lock([&] {
    const CrosscheckOptions options{
        .backends = choices_of<BackendChoice>(backends, choice_names<BackendChoice>, "backend"),
        .isas = choices_of<Isa>(isas, isa_names, "instruction set"),
        .trajectories = trajectories,
        .steps = steps,
        .step_halving = step_halving,
        .with_single = with_single};
    return to_json(crosscheck(resolve(configuration_of(text, states).run), options, read_states, tell)).dump();
  });
}

Orbits orbits_of(const Configuration& configuration, std::int64_t trajectories, std::int64_t steps) {
  const ResolvedRun run = resolve(configuration.run);
  const InitialStates initial = make_initial_states(run, read_states);
  return {run, sample_of(initial.starts, trajectories), steps};
}

std::string order_json(const std::string& text, const std::optional<States>& states, std::int64_t trajectories,
                       std::int64_t steps, const nb::object& report) {
  const auto tell = telling(report);
  return without_lock([&] {
    const Orbits orbits = orbits_of(configuration_of(text, states), trajectories, steps);
    const OrderReport measured = measure_order(orbits, [&](double step, std::int64_t done, std::int64_t all) {
      tell(fmt::format("steps of {:g}", step), done, all);
    });
    return to_json(orbits, measured).dump();
  });
}

std::string workprec_json(const std::string& text, const std::optional<States>& states,
                          const std::vector<std::string>& methods, std::int64_t trajectories, std::int64_t steps,
                          const nb::object& report) {
  const auto tell = telling(report);
  return without_lock([&] {
    const Orbits orbits = orbits_of(configuration_of(text, states), trajectories, steps);
    return to_json(orbits, measure_work_precision(orbits, methods, tell)).dump();
  });
}

std::string bench_json(const std::string& text, const std::optional<States>& states,
                       const std::vector<std::string>& backends, std::int64_t repetitions, std::int64_t steps,
                       const nb::object& report) {
  const auto tell = telling(report);
  return without_lock([&] {
    const RunSpec spec = configuration_of(text, states).run;
    std::vector<Throughput> measured;
    for (const BackendChoice backend : choices_of<BackendChoice>(backends, choice_names<BackendChoice>, "backend"))
      measured.push_back(measure_throughput(spec, backend, {.repetitions = repetitions, .steps = steps}, read_states,
                                            [&](const std::string& what) { tell(what, 0, 0); }));
    return to_json(resolve(spec), measured, repetitions).dump();
  });
}

std::string converted(const std::string& text, const std::optional<States>& states, const std::string& to) {
  return without_lock([&] { return converted_text(configuration_of(text, states), to, {}, read_states); });
}

std::string citation(const Attributes& attributes, bool has_shadow_energy, const std::string& result) {
  return without_lock([&] { return citation_of(attributes, has_shadow_energy, result); });
}

}  // namespace

void add_measurements(nb::module_& module) {
  module.def("crosscheck", crosscheck_json, "configuration"_a, "states"_a.none(), "backends"_a, "isas"_a,
             "trajectories"_a, "steps"_a, "step_halving"_a, "with_single"_a, "progress"_a.none(),
             "JSON of a comparison of backends.");
  module.def("order", order_json, "configuration"_a, "states"_a.none(), "trajectories"_a, "steps"_a,
             "progress"_a.none(), "JSON of the order that a method is seen to have.");
  module.def("workprec", workprec_json, "configuration"_a, "states"_a.none(), "methods"_a, "trajectories"_a, "steps"_a,
             "progress"_a.none(), "JSON of errors, time and work of methods.");
  module.def("bench", bench_json, "configuration"_a, "states"_a.none(), "backends"_a, "repetitions"_a, "steps"_a,
             "progress"_a.none(), "JSON of the speed of a run.");
  module.def("converted", converted, "configuration"_a, "states"_a.none(), "to"_a,
             "TOML of the configuration for another description of its system.");
  module.def("citation", citation, "attributes"_a, "has_shadow_energy"_a, "result"_a,
             "BibTeX of the publications behind a result with these attributes.");
}

}  // namespace polhode::python
