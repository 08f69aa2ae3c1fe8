#include "collectors/torch/deaths.h"

namespace sightline::torch_collector {
namespace {

constexpr const char* kCountName = "sightline.deaths";

std::size_t* count_in(PyObject* capsule) {
  return static_cast<std::size_t*>(PyCapsule_GetPointer(capsule, kCountName));
}

PyObject* note_death(PyObject* capsule, PyObject*) {
  ++*count_in(capsule);
  Py_RETURN_NONE;
}

PyMethodDef note_death_method = {"note_death", note_death, METH_O, nullptr};

}  // namespace

Deaths::Deaths() {
  PyObject* capsule = PyCapsule_New(new std::size_t(0), kCountName,
                                    [](PyObject* dying) { delete count_in(dying); });
  if (capsule != nullptr) {
    count_ = count_in(capsule);
    callback_ = PyCFunction_New(&note_death_method, capsule);
    Py_DECREF(capsule);
  }
  if (callback_ == nullptr) count_ = nullptr;
  PyErr_Clear();
}

PyObject* Deaths::reference_to(PyObject* object) const {
  PyObject* reference = callback_ != nullptr ? PyWeakref_NewRef(object, callback_) : nullptr;
  PyErr_Clear();
  return reference;
}

}  // namespace sightline::torch_collector
