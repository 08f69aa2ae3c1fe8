// The lock of the interpreter, with the error that may be under way in the user's code kept safe.
#pragma once

#include <Python.h>

namespace sightline::torch_collector {

class InterpreterLock {
 public:
  InterpreterLock() : state_(PyGILState_Ensure()) { PyErr_Fetch(&type_, &value_, &trace_); }
  ~InterpreterLock() {
    PyErr_Restore(type_, value_, trace_);
    PyGILState_Release(state_);
  }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  PyGILState_STATE state_;
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* trace_ = nullptr;
};

}  // namespace sightline::torch_collector
