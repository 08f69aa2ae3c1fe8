#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "core/measure/measurement_json.h"
#include "core/measure/status/measured_status.h"
#include "core/measure/status/registry.h"
#include "core/measure/status/shown_keys.h"
#include "core/measure/status/status_table.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using measure::FunctionId;
using measure::ModelStatus;
using measure::Notes;
using measure::Registry;
using Names = std::vector<std::string>;
// The id of the function, and the keys that it took from another one, which is named.
using Registered = std::pair<FunctionId, std::vector<std::pair<std::string, std::string>>>;

// Two functions that claim one key are a mistake of the program, not of an argument.
Registered registered(const Result<measure::Registration>& registration) {
  if (!registration) {
    PyErr_SetString(PyExc_RuntimeError, registration.error().message.c_str());
    throw nb::python_error();
  }
  Registered result{registration.value().function, {}};
  for (const measure::Replacement& replaced : registration.value().replaced) {
    result.second.emplace_back(replaced.key, replaced.function);
  }
  return result;
}

Registered add_function(Registry& registry, std::string name, Names keys,
                        const std::vector<std::pair<std::string, bool>>& keywords, bool overrides) {
  measure::StatusFunction function{std::move(name), std::move(keys), {}};
  for (const auto& [keyword, required] : keywords) function.keywords.push_back({keyword, required});
  return registered(registry.add(std::move(function), overrides));
}

void bind_registry(nb::module_& module) {
  nb::class_<Registry>(module, "StatusRegistry")
      .def(nb::init<>())
      .def(nb::init<const Registry&>())
      .def("__deepcopy__", [](const Registry& registry, nb::handle) { return Registry(registry); })
      .def("add", &add_function, nb::arg("name"), nb::arg("keys"), nb::arg("keywords"),
           nb::arg("override"))
      .def("extend",
           [](Registry& registry, FunctionId function, const std::string& key) {
             return registered(registry.extend(function, key));
           })
      .def("names", &Registry::keys)
      .def("function_of", &Registry::function_of)
      .def("overridden", &Registry::overridden)
      .def("keep", &Registry::keep)
      .def("is_computed", &Registry::is_computed)
      .def("set_computed", &Registry::set_computed)
      .def("forget_computed", &Registry::forget_computed)
      .def("accepted", &Registry::accepted)
      .def("missing", &Registry::missing)
      .def("complaints", &Registry::complaints);
}

void add_row(ModelStatus& status, std::string key, std::string label, std::string description,
             std::string comparative, std::string unit, std::optional<double> value,
             std::optional<double> shown, std::string text) {
  measure::Reading reading{std::move(unit), std::nullopt, std::move(text)};
  if (value && shown) reading.number = measure::Number{*value, *shown};
  status.rows.push_back({std::move(key), std::move(label), std::move(description),
                         std::move(comparative), std::move(reading)});
}

std::string table_of(const ModelStatus& model, const ModelStatus* other, bool descriptions) {
  const Notes notes = descriptions ? Notes::Descriptions : Notes::None;
  return other == nullptr ? one_model_table(model, notes) : two_model_table(model, *other, notes);
}

void bind_tables(nb::module_& module) {
  nb::class_<ModelStatus>(module, "ModelStatus")
      .def(
          "__init__",
          [](ModelStatus* self, std::string name, std::string backend) {
            new (self) ModelStatus{std::move(name), std::move(backend), {}};
          },
          nb::arg("name"), nb::arg("backend"))
      .def("add", &add_row, nb::kw_only(), nb::arg("key"), nb::arg("label"), nb::arg("description"),
           nb::arg("comparative"), nb::arg("unit"), nb::arg("value").none(),
           nb::arg("shown").none(), nb::arg("text"))
      .def("table", &table_of, nb::arg("other").none() = nb::none(), nb::kw_only(),
           nb::arg("descriptions") = false);
  module.def(
      "shown_keys",
      [](const Names& keys, const Names& secondary, Names order, Names excluded, bool leftovers) {
        return measure::shown_keys(keys, secondary,
                                   {std::move(order), std::move(excluded), leftovers});
      },
      nb::arg("keys"), nb::kw_only(), nb::arg("secondary"), nb::arg("order"), nb::arg("excluded"),
      nb::arg("leftovers"));
}

std::map<std::string, double> status_of_json(std::string_view json, bool include_weights,
                                             std::int64_t own_macs,
                                             std::int64_t own_parameter_bytes) {
  const Result<model::Measurement> measurement = measure::read_measurement_json(json);
  if (!measurement) raise(measurement.error());
  const auto weights =
      include_weights ? measure::FootprintWeights::Included : measure::FootprintWeights::LeftOut;
  return measure::measured_status(measurement.value(), weights, {own_macs, own_parameter_bytes});
}

}  // namespace

void bind_status(nb::module_& module) {
  bind_registry(module);
  bind_tables(module);
  module.def("measured_status", &status_of_json, nb::arg("json"), nb::kw_only(),
             nb::arg("include_weights"), nb::arg("own_macs") = 0,
             nb::arg("own_parameter_bytes") = 0);
}

}  // namespace sightline::python
