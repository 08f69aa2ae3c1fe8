// The tensors and children that a module keeps, read from its own dictionaries, and its mode. Needs
// the interpreter lock.
#pragma once

#include <Python.h>
#include <torch/csrc/autograd/python_variable.h>

namespace sightline::torch_collector {

// A member of the instance's own dictionary, borrowed; null if there is no such dictionary.
inline PyObject* member_dict(PyObject* module, const char* name) {
  PyObject* members = PyObject_GenericGetDict(module, nullptr);
  PyErr_Clear();
  if (members == nullptr) return nullptr;
  PyObject* found = PyDict_GetItemString(members, name);
  Py_DECREF(members);
  return found != nullptr && PyDict_Check(found) ? found : nullptr;
}

inline bool is_training(PyObject* module) {
  PyObject* value = PyObject_GetAttrString(module, "training");
  const bool training = value == nullptr || PyObject_IsTrue(value) != 0;
  Py_XDECREF(value);
  PyErr_Clear();
  return training;
}

template <typename Take>  // (name, value), both borrowed
void for_each_member(PyObject* dict, Take take) {
  if (dict == nullptr) return;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(dict, &position, &key, &value) != 0;) {
    if (value != Py_None) take(key, value);
  }
}

template <typename Take>
void for_each_tensor(PyObject* dict, Take take) {
  for_each_member(dict, [&](PyObject*, PyObject* value) {
    if (THPVariable_Check(value)) take(THPVariable_Unpack(value));
  });
}

}  // namespace sightline::torch_collector
