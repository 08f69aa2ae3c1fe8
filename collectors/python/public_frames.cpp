// The reader for interpreters whose frames we do not know: the public interface, with the lock.
// Slower, and it cannot tell two calls of a module from one place apart.
#include <Python.h>
#include <frameobject.h>

#include "collectors/python/frames.h"

#ifndef SIGHTLINE_NATIVE_FRAMES

namespace sightline::python {
namespace {

class Lock {
 public:
  Lock() : state_(PyGILState_Ensure()) {}
  ~Lock() { PyGILState_Release(state_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  PyGILState_STATE state_;
};

int offset_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  return PyFrame_GetLasti(frame);
#else
  return frame->f_lasti * 2;
#endif
}

const void* first_argument(PyFrameObject* frame) {
  PyObject* locals = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_locals");
  PyObject* self = locals == nullptr ? nullptr : PyMapping_GetItemString(locals, "self");
  Py_XDECREF(locals);
  Py_XDECREF(self);  // the frame holds it
  PyErr_Clear();
  return self;
}

}  // namespace

record::Position current_position() {
  if (PyGILState_GetThisThreadState() == nullptr) return {};
  const Lock lock;
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  if (frame == nullptr) return {};
  const record::Position position{
      frame, reinterpret_cast<const void*>(static_cast<std::intptr_t>(offset_of(frame)) + 1)};
  Py_DECREF(frame);
  return position;
}

record::Stack read_stack(record::RawFrame* frames, const void* module_call,
                         std::span<const record::OpenCall>, bool& truncated) {
  truncated = false;
  if (PyGILState_GetThisThreadState() == nullptr) return {};
  const Lock lock;
  std::size_t count = 0;
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  while (frame != nullptr && count < record::kMaxStackDepth) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    record::RawFrame& raw = frames[count++];
    raw = {};
    raw.code = code;
    raw.fingerprint = static_cast<std::uint32_t>(code->co_firstlineno);
    raw.offset = offset_of(frame);
    if (code == module_call) raw.module = first_argument(frame);
    Py_DECREF(code);  // the frame holds it
    PyFrameObject* outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  truncated = frame != nullptr;
  Py_XDECREF(frame);
  return {count, 0};
}

bool module_arguments(const void*, const void*, Arguments&) { return false; }

const char* reader_name() { return "public"; }

}  // namespace sightline::python

#endif
