#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/supervise/rules/series_names.h"
#include "core/supervise/rules/tensor_watcher.h"
#include "python/bindings/core.h"
#include "python/bindings/tensor_view.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::TensorWatcher;
using supervise::Verdict;

nb::dict dict_of(const Verdict& verdict) {
  nb::dict evidence;
  for (const auto& [name, value] : verdict.evidence) evidence[name.c_str()] = value;
  nb::dict row;
  row["rule"] = verdict.rule;
  row["severity"] = std::string(model::name_of(verdict.severity));
  row["step"] = verdict.step;
  row["module"] = verdict.module;
  row["tensor"] = verdict.tensor;
  row["topic"] = verdict.topic;
  row["evidence"] = evidence;
  row["cause"] = verdict.cause;
  row["advice"] = verdict.advice;
  return row;
}

void add(TensorWatcher& watcher, const std::string& module, const std::string& tensor,
         const std::string& topic, std::uint64_t step, const Array& array) {
  watcher.add({module, tensor, topic}, step, view_of(array));
}

void add_relu(TensorWatcher& watcher, const std::string& module, const std::string& tensor,
              const std::string& topic, std::uint64_t step, const Array& array) {
  watcher.add_units({module, tensor, topic}, step, view_of(array), supervise::kIdleShare, {});
}

nb::list end_step(TensorWatcher& watcher, std::uint64_t step) {
  nb::list rows;
  for (const Verdict& verdict : watcher.end_step(step)) rows.append(dict_of(verdict));
  return rows;
}

}  // namespace

void bind_watcher(nb::module_& module) {
  nb::class_<TensorWatcher>(module, "TensorWatcher")
      .def(nb::init<>())
      .def("add", &add, nb::arg("module"), nb::arg("tensor"), nb::arg("topic"), nb::arg("step"),
           nb::arg("array"))
      .def("add_relu", &add_relu, nb::arg("module"), nb::arg("tensor"), nb::arg("topic"),
           nb::arg("step"), nb::arg("array"))
      .def("add_number", &TensorWatcher::add_number, nb::arg("topic"), nb::arg("step"),
           nb::arg("value"))
      .def("end_step", &end_step, nb::arg("step"));
}

}  // namespace sightline::python
