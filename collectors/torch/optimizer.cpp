#include "collectors/torch/optimizer.h"

#include <torch/csrc/autograd/python_variable.h>

#include "collectors/torch/allocator.h"
#include "collectors/torch/parameters.h"
#include "collectors/torch/thread_state.h"

namespace sightline::torch_collector {
namespace {

constexpr int kStepsToTakeOver = 8;

PyObject* pacemaker = nullptr;  // a weak reference
int steps_without_pacemaker = 0;
bool marked_by_user = false;

bool is_alive(PyObject* reference) {
  return reference != nullptr && PyWeakref_GetObject(reference) != Py_None;
}

bool sets_the_pace(PyObject* optimizer) {
  if (marked_by_user) return false;
  if (is_alive(pacemaker)) {
    if (PyWeakref_GetObject(pacemaker) == optimizer) {
      steps_without_pacemaker = 0;
      return true;
    }
    if (++steps_without_pacemaker < kStepsToTakeOver) return false;
  }
  Py_XDECREF(pacemaker);
  pacemaker = PyWeakref_NewRef(optimizer, nullptr);
  PyErr_Clear();
  steps_without_pacemaker = 0;
  return pacemaker != nullptr;
}

void label_tensors(PyObject* object) {
  if (THPVariable_Check(object)) {
    const at::Tensor& tensor = THPVariable_Unpack(object);
    if (tensor.defined() && tensor.has_storage()) {
      label_storage(*tensor.storage().unsafeGetStorageImpl(), model::Category::Optimizer);
    }
    return;
  }
  if (!PyDict_Check(object)) return;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(object, &position, &key, &value) != 0;) {
    label_tensors(value);
  }
}

void remember_groups(PyObject* optimizer) {
  PyObject* groups = PyObject_GetAttrString(optimizer, "param_groups");
  for (Py_ssize_t i = 0; groups != nullptr && PyList_Check(groups) && i < PyList_GET_SIZE(groups);
       ++i) {
    PyObject* group = PyList_GET_ITEM(groups, i);
    PyObject* params = PyDict_Check(group) ? PyDict_GetItemString(group, "params") : nullptr;
    if (params == nullptr || !PyList_Check(params)) continue;
    for (Py_ssize_t j = 0; j < PyList_GET_SIZE(params); ++j) {
      PyObject* param = PyList_GET_ITEM(params, j);
      if (THPVariable_Check(param)) remember_parameter(THPVariable_Unpack(param), nullptr);
    }
  }
  Py_XDECREF(groups);
}

void label_memory(PyObject* optimizer, record::ModuleTable& modules) {
  remember_groups(optimizer);
  label_parameters(modules);
  PyObject* state = PyObject_GetAttrString(optimizer, "state");
  if (state != nullptr) label_tensors(state);
  Py_XDECREF(state);
  PyErr_Clear();
}

}  // namespace

void optimizer_stepped(PyObject* optimizer) {
  Visit visit;
  if (!visit) return;
  // Labels matter for the blocks of a new peak, and what nobody saw being made wants one too.
  if (visit.recorder().memory().peaked_this_step() || !Collector::instance().observing()) {
    label_memory(optimizer, visit.recorder().modules());
  }
  if (sets_the_pace(optimizer)) visit.thread().end_step({});
}

void step_marked() {
  Visit visit;
  if (!visit) return;
  marked_by_user = true;
  record::Recorder& recorder = visit.recorder();
  if (recorder.memory().peaked_this_step()) label_parameters(recorder.modules());
  visit.thread().end_step(visit.read_stack());
}

void forget_pace() {
  Py_XDECREF(pacemaker);
  pacemaker = nullptr;
  steps_without_pacemaker = 0;
  marked_by_user = false;
}

}  // namespace sightline::torch_collector
