// polhode._core: configurations in, arrays out. Nothing is computed here. The lock of the interpreter is not held while
// polhode works, and every Error is an exception of polhode.errors.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "cli/config.hpp"
#include "cli/list_json.hpp"
#include "cli/schema.hpp"
#include "errors.hpp"
#include "modules/cache.hpp"
#include "modules/process.hpp"
#include "polhode/core/ensemble.hpp"
#include "polhode/files/files.hpp"
#include "result.hpp"
#include "version.hpp"

namespace polhode::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// States [n][dim] of the caller's.
using States = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Configuration in a text of TOML; with `states`, its [ensemble] has from = "states", and one state that stands for
/// all of these.
Configuration configuration_of(const std::string& text, const std::optional<States>& states) {
  Configuration configuration = read_own_config(text, {});
  if (states) {
    Rows& rows = std::get<GivenStarts>(configuration.run.ensemble).states;
    rows.numbers.assign(states->data(), states->data() + states->size());
    rows.width = states->shape(1);
  }
  return configuration;
}

/// Exception of Python that a signal's handler has raised on this thread while polhode worked: polhode itself knows
/// that it was interrupted, and no more.
thread_local std::exception_ptr raised;

/// Looks for signals while kernels are compiled.
void check_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return;
  raised = std::make_exception_ptr(nb::python_error());
  throw Error(ExitCode::interrupted, "interrupted");
}

/// Does the work without the interpreter's lock.
template <class Work>
void without_lock(const Work& work) {
  const nb::gil_scoped_release unlocked;
  try {
    work();
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted && raised) std::rethrow_exception(std::exchange(raised, nullptr));
    throw;
  }
}

/// Progress that looks for signals, and tells `report` if that is not None: it is called with the steps done and to do,
/// the points, the seconds and the steps done before, and stops the run where it returns False.
Progress progress_of(const nb::object& report) {
  return [report = report.ptr()](const RunProgress& now) {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (report == Py_None) return true;
    return !nb::handle(report)(now.steps, now.all, now.points, now.seconds, now.steps_before).is(nb::bool_(false));
  };
}

nb::tuple run(const std::string& text, const std::optional<States>& states, const nb::object& progress,
              std::uint64_t most_bytes) {
  const Progress tell_progress = progress_of(progress);
  Result result;
  without_lock([&] {
    Ensemble ensemble(configuration_of(text, states).run, read_states);
    result = ensemble.run(tell_progress, most_bytes);
  });
  nb::dict report = report_of(result.report);
  return nb::make_tuple(report, arrays_of(result), attributes_of(result));
}

nb::dict run_into_file(const std::string& text, const std::optional<States>& states, const std::string& file,
                       std::int64_t compression, bool resume, bool force, const nb::object& progress) {
  const Progress tell_progress = progress_of(progress);
  RunReport report;
  without_lock([&] {
    report = run_to_file(configuration_of(text, states).run, file,
                         {.compression = compression, .resume = resume, .force = force}, tell_progress);
  });
  return report_of(report);
}

/// Text of the configuration in a file of TOML or a result.
std::string configuration_in(const std::string& file) {
  const nb::gil_scoped_release unlocked;
  return read_config(file, {}).text;
}

/// Text of JSON.
template <Json (*make)()>
std::string json_text() {
  const nb::gil_scoped_release unlocked;
  return make().dump();
}

/// Writes a line for people. What that raises, an interruption say, is raised by whoever looks for signals next.
void write_notice(const std::string& line) {
  const nb::gil_scoped_acquire lock;
  try {
    nb::module_::import_("polhode.progress").attr("notice")(line);
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt))
      PyErr_SetInterrupt();
    else
      error.discard_as_unraisable("a notice of polhode");
  }
}

}  // namespace
}  // namespace polhode::python

NB_MODULE(_core, module) {
  using namespace polhode::python;
  translate_errors();
  polhode::set_module_notice(write_notice);
  polhode::set_wait_check(check_signals);
  module.attr("version") = polhode::program_version();
  module.def("schema", json_text<polhode::schema_json>, "JSON Schema of a configuration.");
  module.def("systems", json_text<polhode::systems_json>, "JSON of all systems.");
  module.def("methods", json_text<polhode::methods_json>, "JSON of all methods on each system.");
  module.def("backends", json_text<polhode::backends_json>, "JSON of all backends.");
  module.def("configuration_in", configuration_in, "file"_a, "TOML of the configuration in a file, or of a result.");
  module.def("run", run, "configuration"_a, "states"_a.none(), "progress"_a.none(), "most_bytes"_a,
             "Report, arrays by path and attributes by path of a run in memory.");
  module.def("run_into_file", run_into_file, "configuration"_a, "states"_a.none(), "file"_a, "compression"_a,
             "resume"_a, "force"_a, "progress"_a.none(), "Report of a run whose result is a file.");
}
