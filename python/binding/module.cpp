// polhode._core: configurations in, arrays out. Nothing is computed here. The lock of the interpreter is not held while
// polhode works, and every Error is an exception of polhode.errors.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/command_line.hpp"
#include "cli/config.hpp"
#include "cli/list_json.hpp"
#include "cli/schema.hpp"
#include "errors.hpp"
#include "given.hpp"
#include "interpreter.hpp"
#include "measurements.hpp"
#include "modules/cache.hpp"
#include "modules/cxx_compiler.hpp"
#include "polhode/core/ensemble.hpp"
#include "polhode/files/files.hpp"
#include "result.hpp"
#include "version.hpp"
#include "wait_check.hpp"

namespace polhode::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Progress that looks for signals, and tells `report` if that is not None: it is called with the steps done and to do,
/// the points, the seconds and the steps done before, and stops the run where it returns False.
Progress progress_of(const nb::object& report) {
  return [report = report.ptr()](const RunProgress& now) {
    return with_lock([&] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (report == Py_None) return true;
      return !nb::handle(report)(now.steps, now.all, now.points, now.seconds, now.steps_before).is(nb::bool_(false));
    });
  };
}

/// Dictionary of texts and whatever belongs to them.
using Named = nb::typed<nb::dict, nb::str, nb::any>;

nb::typed<nb::tuple, Named, Named, Named> run(const std::string& text, const std::optional<States>& states,
                                              const nb::object& progress, std::uint64_t most_bytes) {
  const Progress tell_progress = progress_of(progress);
  Result result = without_lock(
      [&] { return Ensemble(configuration_of(text, states).run, read_states, most_bytes).run(tell_progress); });
  nb::dict report = report_of(result.report);
  return nb::make_tuple(report, arrays_of(result), attributes_of(result));
}

Named run_into_file(const std::string& text, const std::optional<States>& states, const std::string& file,
                    std::int64_t compression, bool resume, bool force, const nb::object& progress) {
  const Progress tell_progress = progress_of(progress);
  return report_of(without_lock([&] {
    return run_to_file(configuration_of(text, states).run, file,
                       {.compression = compression, .resume = resume, .force = force}, tell_progress);
  }));
}

/// Text of the configuration in a file of TOML or a result.
std::string configuration_in(const std::string& file) {
  const nb::gil_scoped_release unlocked;
  return read_config(file, {}).text;
}

/// Names of the systems that a text of TOML may mean, several of a family; one of the user's own can be listed from now
/// on.
std::vector<std::string> systems_in(const std::string& text) {
  const nb::gil_scoped_release unlocked;
  std::vector<std::string> names;
  for (const SystemEntry* const system : find_systems(read_own_names(text).system)) names.emplace_back(system->name);
  return names;
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

/// Exit code of a command line: its words, of which the first is the program's name.
int command(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const nb::gil_scoped_release unlocked;
  set_wait_check(nullptr);
  return run_command_line(static_cast<int>(words.size()), pointers.data());
}

}  // namespace
}  // namespace polhode::python

NB_MODULE(_core, module) {
  using namespace polhode::python;
  translate_errors();
  polhode::set_module_notice(write_notice);
  polhode::set_wait_check(check_signals);
  if (const auto python = polhode::python::nb::module_::import_("sys").attr("executable"); !python.is_none())
    polhode::set_own_python(polhode::python::nb::cast<std::string>(python));
  polhode::python::nb::module_::import_("atexit").attr("register")(polhode::python::nb::cpp_function(Works::end));
  module.attr("version") = polhode::program_version();
  module.def("schema", json_text<polhode::schema_json>, "JSON Schema of a configuration.");
  module.def("systems_in", systems_in, "configuration"_a,
             "Names of the systems of a configuration; one of the user's own can be listed from now on.");
  module.def("systems", json_text<polhode::systems_json>, "JSON of all systems.");
  module.def("methods", json_text<polhode::methods_json>, "JSON of all methods on each system.");
  module.def("sections", json_text<polhode::sections_json>, "JSON of what sections may be of, for each system.");
  module.def("backends", json_text<polhode::backends_json>, "JSON of all backends.");
  module.def("command", command, "words"_a, "Exit code of the command line that these words are.");
  module.def("configuration_in", configuration_in, "file"_a, "TOML of the configuration in a file, or of a result.");
  module.def("run", run, "configuration"_a, "states"_a.none(), "progress"_a.none(), "most_bytes"_a,
             "Report, arrays by path and attributes by path of a run in memory.");
  module.def("run_into_file", run_into_file, "configuration"_a, "states"_a.none(), "file"_a, "compression"_a,
             "resume"_a, "force"_a, "progress"_a.none(), "Report of a run whose result is a file.");
  add_measurements(module);
}
