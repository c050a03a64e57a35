#include "errors.hpp"

#include <exception>

#include "polhode/core/error.hpp"

namespace polhode::python {
namespace {

/// Name of the class in python/polhode/errors.py.
const char* class_of(ExitCode code) {
  switch (code) {
    case ExitCode::bad_input: return "InputError";
    case ExitCode::unavailable: return "BackendUnavailable";
    case ExitCode::io: return "FileError";
    default: return "Error";
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nanobind::object type = nanobind::module_::import_("polhode.errors").attr(class_of(error.code()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void translate_errors() { nanobind::register_exception_translator(translate); }

}  // namespace polhode::python
