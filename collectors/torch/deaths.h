// Counts Python objects that have died, so that a table with their addresses need not be looked
// through to know that all of them are there. Needs the interpreter's lock.
#pragma once

#include <Python.h>

#include <cstddef>

namespace sightline::torch_collector {

class Deaths {
 public:
  Deaths();
  ~Deaths() { Py_XDECREF(callback_); }
  Deaths(const Deaths&) = delete;
  Deaths& operator=(const Deaths&) = delete;

  // A new weak reference; while it lives, the death of the object is counted. Null, with no error
  // set, if the object has none.
  PyObject* reference_to(PyObject* object) const;

  std::size_t count() const { return count_ != nullptr ? *count_ : 0; }

 private:
  PyObject* callback_ = nullptr;  // owns the count: references may outlive this
  const std::size_t* count_ = nullptr;
};

}  // namespace sightline::torch_collector
