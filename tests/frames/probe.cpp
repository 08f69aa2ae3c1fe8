// An extension module for the test of the frame readers: the stack as we read it, while the
// interpreter lock is released.
#include <vector>

#include "collectors/python/frames.h"

namespace {

using sightline::record::OpenCall;
using sightline::record::RawFrame;
using sightline::record::Stack;
using Frames = std::vector<RawFrame>;

thread_local Frames before;          // the stack that was read last, innermost first
thread_local std::size_t known = 0;  // frames that the newest reading took from it

std::vector<OpenCall> calls_on(const Frames& stack) {
  std::vector<OpenCall> calls;
  for (std::size_t outer = 0; outer < stack.size(); ++outer) {
    const RawFrame& frame = stack[stack.size() - 1 - outer];
    if (frame.call != 0) calls.push_back({frame, outer});
  }
  return calls;
}

// Whether the frames that a reading left out are those of the stack before.
bool completes(const Frames& whole, const Frames& partial, const Stack& stack) {
  const auto differs = [&](std::size_t index) {
    const bool is_read = index < stack.count - stack.known;
    return !(whole[index] ==
             (is_read ? partial[index] : before[before.size() - (whole.size() - index)]));
  };
  if (stack.count != whole.size()) return false;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (differs(i)) return false;
  }
  return true;
}

PyObject* stack(PyObject*, PyObject* module_call_code) {
  thread_local Frames frames(sightline::record::kMaxStackDepth);
  thread_local Frames partial(sightline::record::kMaxStackDepth);
  const std::vector<OpenCall> open = calls_on(before);
  std::size_t count = 0;
  Stack read;
  bool truncated = false;
  sightline::record::Position position;
  Py_BEGIN_ALLOW_THREADS;
  position = sightline::python::current_position();
  count = sightline::python::read_stack(frames.data(), module_call_code, {}, truncated).count;
  read = sightline::python::read_stack(partial.data(), module_call_code, open, truncated);
  Py_END_ALLOW_THREADS;
  const Frames whole(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count));
  if (!completes(whole, partial, read)) {
    return PyErr_Format(PyExc_RuntimeError, "what was left out is not what was there before");
  }
  before = whole;
  known = read.known;
  PyObject* list = PyList_New(0);
  for (std::size_t i = 0; i < count; ++i) {
    const sightline::record::ResolvedFrame frame = sightline::python::resolve_code(frames[i]);
    auto* module = static_cast<PyObject*>(const_cast<void*>(frames[i].module));
    PyObject* row = Py_BuildValue("(ssIOK)", frame.file.c_str(), frame.function.c_str(), frame.line,
                                  module == nullptr ? Py_None : module,
                                  static_cast<unsigned long long>(frames[i].call));
    PyList_Append(list, row);
    Py_DECREF(row);
  }
  PyObject* result = Py_BuildValue("(NO)", list, truncated ? Py_True : Py_False);
  return position.frame == nullptr ? PyErr_Format(PyExc_RuntimeError, "no position") : result;
}

PyObject* frames_not_read(PyObject*, PyObject*) { return PyLong_FromSize_t(known); }

PyObject* reader(PyObject*, PyObject*) {
  return PyUnicode_FromString(sightline::python::reader_name());
}

PyMethodDef methods[] = {{"stack", stack, METH_O, nullptr},
                         {"reader", reader, METH_NOARGS, nullptr},
                         {"frames_not_read", frames_not_read, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "frames_probe",
                          nullptr,
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_frames_probe() { return PyModule_Create(&definition); }
