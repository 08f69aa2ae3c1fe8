// An extension module for the test of the frame readers: the stack as we read it, while the
// interpreter lock is released.
#include <vector>

#include "collectors/python/frames.h"

namespace {

PyObject* stack(PyObject*, PyObject* module_call_code) {
  thread_local std::vector<sightline::record::RawFrame> frames(sightline::record::kMaxStackDepth);
  std::size_t count = 0;
  bool truncated = false;
  sightline::record::Position position;
  Py_BEGIN_ALLOW_THREADS;
  position = sightline::python::current_position();
  count = sightline::python::read_stack(frames.data(), module_call_code, truncated);
  Py_END_ALLOW_THREADS;
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

PyObject* reader(PyObject*, PyObject*) {
  return PyUnicode_FromString(sightline::python::reader_name());
}

PyMethodDef methods[] = {{"stack", stack, METH_O, nullptr},
                         {"reader", reader, METH_NOARGS, nullptr},
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
