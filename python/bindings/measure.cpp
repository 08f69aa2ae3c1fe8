#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <type_traits>

#include "core/measure/formulas/reading.h"
#include "core/measure/formulas/table.h"
#include "core/measure/layer_table.h"
#include "core/measure/measurement_json.h"
#include "core/measure/plugin/loaded_formulas.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"
#include "python/bindings/shared_object.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

std::string layer_table(const std::string& text, bool flat, std::optional<std::size_t> depth,
                        const std::string& sort) {
  const Result<model::Measurement> measurement = measure::read_measurement_json(text);
  if (!measurement) raise(measurement.error());
  const std::optional<measure::LayerSort> key = measure::layer_sort_named(sort);
  if (!key) {
    raise({ErrorKind::InvalidArgument,
           "cannot sort by \"" + sort +
               "\": use calls, parameters, macs, flops, activations, peak or time"});
  }
  return measure::layer_table(measurement.value(), {.flat = flat, .depth = depth, .sort = *key});
}

nb::object shape_object(const measure::Tensor& tensor) {
  nb::list sizes;
  for (const std::int64_t size : tensor.shape) sizes.append(size);
  return nb::tuple(sizes);
}

// A tensor is its shape; what no formula can use is None.
nb::object argument_object(const measure::Argument& argument) {
  return std::visit(
      [](const auto& value) -> nb::object {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<Value, measure::Tensor>) {
          return shape_object(value);
        } else if constexpr (std::is_same_v<Value, ListApart<measure::Tensor>>) {
          nb::list shapes;
          for (const measure::Tensor& tensor : value) shapes.append(shape_object(tensor));
          return shapes;
        } else {
          return nb::cast(value);
        }
      },
      argument);
}

nb::list argument_list(const ListApart<measure::Argument>& arguments) {
  nb::list list;
  for (const measure::Argument& argument : arguments) list.append(argument_object(argument));
  return list;
}

// The function does not raise, and returns multiply-accumulates and all arithmetic, or None.
measure::CostOrNothing ask(const nb::object& function, const measure::OperatorCall& call) {
  const nb::gil_scoped_acquire acquire;
  const nb::object answer = function(argument_list(call.arguments), argument_list(call.outputs));
  if (answer.is_none()) return std::nullopt;
  measure::Cost cost;
  cost.macs = nb::cast<std::uint64_t>(answer[0]);
  cost.flops = nb::cast<std::uint64_t>(answer[1]);
  cost.bytes = measure::traffic(call);
  return cost;
}

// Copies of a formula are made without the interpreter lock, so they share one object.
void add_formula(const std::string& name, nb::object function) {
  measure::add_formula(name, [held = shared(std::move(function))](
                                 const measure::OperatorCall& call) { return ask(*held, call); });
}

std::vector<std::string> load_formulas(const std::string& path) {
  Result<std::vector<std::string>> names = measure::load_formulas(path);
  if (!names) raise(names.error());
  return std::move(names).value();
}

}  // namespace

void bind_measure(nb::module_& module) {
  module.def("layer_table", &layer_table, nb::arg("measurement"), nb::kw_only(), nb::arg("flat"),
             nb::arg("depth").none(), nb::arg("sort"));
  module.def("time_summary", &measure::time_summary_json, nb::arg("times_ms"));
  module.def("add_formula", &add_formula, nb::arg("name"), nb::arg("formula"));
  module.def("load_formulas", &load_formulas, nb::arg("path"));
  module.def("remove_formula", &measure::remove_formula, nb::arg("name"));
}

}  // namespace sightline::python
