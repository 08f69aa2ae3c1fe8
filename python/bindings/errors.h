// Errors of the core become Python exceptions, here and nowhere else.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "core/base/result.h"

namespace sightline::python {

// Throws FileNotFoundError, ValueError or OSError, after the kind.
[[noreturn]] inline void raise(const Error& error) {
  PyObject* type = PyExc_OSError;
  if (error.kind == ErrorKind::NotFound) type = PyExc_FileNotFoundError;
  if (error.kind == ErrorKind::InvalidArgument) type = PyExc_ValueError;
  PyErr_SetString(type, error.message.c_str());
  throw nanobind::python_error();
}

}  // namespace sightline::python
