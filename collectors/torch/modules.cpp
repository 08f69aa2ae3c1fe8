#include "collectors/torch/modules.h"

#include <string>
#include <unordered_map>

#include "collectors/torch/collector.h"
#include "collectors/torch/module_members.h"
#include "collectors/torch/parameters.h"

namespace sightline::torch_collector {
namespace {

// References that tell when a module is gone; by the address they guard.
auto& watchers = *new std::unordered_map<const void*, PyObject*>;

PyObject* on_module_gone(PyObject* address, PyObject*) {
  const void* module = PyLong_AsVoidPtr(address);
  if (record::Recorder* recorder = Collector::instance().recorder(); recorder != nullptr) {
    recorder->modules().forget(module);
  }
  if (const auto found = watchers.find(module); found != watchers.end()) {
    Py_DECREF(found->second);
    watchers.erase(found);
  }
  Py_RETURN_NONE;
}

void watch(PyObject* module) {
  static PyMethodDef method = {"module_gone", on_module_gone, METH_O, nullptr};
  PyObject* address = PyLong_FromVoidPtr(module);
  PyObject* callback = address == nullptr ? nullptr : PyCFunction_New(&method, address);
  PyObject* reference = callback == nullptr ? nullptr : PyWeakref_NewRef(module, callback);
  if (reference != nullptr) watchers[module] = reference;
  Py_XDECREF(callback);
  Py_XDECREF(address);
  PyErr_Clear();
}

bool training_of(PyObject* module) {
  PyObject* value = PyObject_GetAttrString(module, "training");
  const bool training = value == nullptr || PyObject_IsTrue(value) != 0;
  Py_XDECREF(value);
  PyErr_Clear();
  return training;
}

model::ModuleId add(record::Recorder& recorder, PyObject* module, model::ModuleId parent,
                    const std::string& name) {
  record::ModuleTable& table = recorder.modules();
  if (const model::ModuleId known = table.find(module); known != model::kNone) {
    if (parent != model::kNone && table.is_root(known)) table.set_parent(known, parent, name);
    return known;
  }
  record::ModuleTable::Entry entry;
  entry.address = module;
  entry.parent = parent;
  entry.name = name;
  entry.type = Py_TYPE(module)->tp_name;
  entry.training = training_of(module);
  for_each_tensor(member_dict(module, "_parameters"), [&](const at::Tensor& tensor) {
    if (remember_parameter(tensor, module)) entry.parameter_bytes += bytes_of(tensor);
  });
  for_each_tensor(member_dict(module, "_buffers"), [&](const at::Tensor& tensor) {
    remember_buffer(tensor);
    entry.buffer_bytes += bytes_of(tensor);
  });
  const model::ModuleId id = table.add(entry);
  watch(module);
  for_each_member(member_dict(module, "_modules"), [&](PyObject* key, PyObject* child) {
    const char* attribute = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : nullptr;
    add(recorder, child, id, attribute == nullptr ? "?" : attribute);
  });
  PyErr_Clear();
  return id;
}

}  // namespace

model::ModuleId register_modules(record::Recorder& recorder, PyObject* module,
                                 PyObject* outermost) {
  add(recorder, outermost, model::kNone, "");
  return add(recorder, module, model::kNone, "");
}

void forget_modules() {
  for (const auto& [module, reference] : watchers) Py_DECREF(reference);
  watchers.clear();
}

}  // namespace sightline::torch_collector
