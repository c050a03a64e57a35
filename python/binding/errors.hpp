// Errors of polhode as exceptions of Python.
#pragma once

#include <nanobind/nanobind.h>

namespace polhode::python {

/// Has every polhode::Error thrown as the class of python/polhode/errors.py for its exit code, with its message.
void translate_errors();

}  // namespace polhode::python
