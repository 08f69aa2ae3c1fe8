// The tensors among nested Python values: tuples, lists, dictionaries, data classes. Needs the
// interpreter lock.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>

namespace sightline::torch_collector {

struct ValueShapes {
  std::string text;         // "1x3x224x224, 1x10"
  std::uint64_t bytes = 0;  // of these tensors, each once
};

// Of all values together; null is nothing.
ValueShapes shapes_of(std::initializer_list<PyObject*> values);

}  // namespace sightline::torch_collector
