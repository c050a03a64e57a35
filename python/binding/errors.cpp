#include "errors.hpp"

#include <array>
#include <exception>
#include <string>
#include <string_view>

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

/// A message with the keywords of `polhode.run` in place of the options of a command line.
std::string in_python(std::string text) {
  struct Option {
    std::string_view name, keyword;
  };
  constexpr std::array options{Option{"--force", "force=True"}, Option{"--resume", "resume=True"},
                               Option{" with -o", ""}};
  for (const auto& [name, keyword] : options) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + keyword.size())) {
      text.replace(at, name.size(), keyword);
    }
  }
  return text;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nanobind::object type = nanobind::module_::import_("polhode.errors").attr(class_of(error.code()));
    PyErr_SetString(type.ptr(), in_python(error.what()).c_str());
  }
}

}  // namespace

void translate_errors() { nanobind::register_exception_translator(translate); }

}  // namespace polhode::python
