#include "collectors/torch/measuring.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "collectors/torch/allocator.h"
#include "collectors/torch/boundary_watch.h"
#include "collectors/torch/call_recorder.h"
#include "collectors/torch/memory_watch.h"
#include "collectors/torch/module_weights.h"
#include "core/base/clock.h"
#include "core/measure/assemble.h"
#include "core/measure/count_json.h"
#include "core/measure/measurement_json.h"
#include "core/measure/repeat.h"

namespace nb = nanobind;

namespace sightline::torch_collector {
namespace {

// What was seen so far of the model that is being measured. Under the interpreter lock.
measure::Observations& observations() {
  static auto& seen = *new measure::Observations;
  return seen;
}

// The names are pairs of a path and a module, which live as long as calls are kept.
bool begin(const nb::list& names, std::vector<std::string> passed_over, bool describes_layers) {
  ListApart<NamedModule> modules;
  modules.reserve(nb::len(names));
  for (const nb::handle pair : names) {
    PyObject* module = nb::object(pair[1]).ptr();
    modules.push_back({nb::cast<const char*>(pair[0]), Py_TYPE(module)->tp_name, module});
  }
  if (!begin_calls(std::move(modules), std::move(passed_over), describes_layers)) return false;
  observations() = {};
  return true;
}

std::string end_count(bool without_data) {
  const nb::gil_scoped_release release;
  measure::CallRecord record = end_calls();
  record.without_data = without_data;
  return measure::count_json(record, measure::count(record));
}

// Hooks: what they return would take the place of the module's arguments or results. After an
// exception torch gives the second neither keywords nor result.
void hook_before(nb::handle module, nb::handle) { layer_started(module.ptr()); }

void hook_after(nb::handle module, nb::handle arguments, nb::handle keywords, nb::handle result) {
  if (!wants_shapes()) {
    layer_ended(module.ptr(), {}, {});
    return;
  }
  ValueShapes inputs;
  ValueShapes outputs;
  try {
    inputs = shapes_of({arguments.ptr(), keywords.ptr()});
    outputs = shapes_of({result.ptr()});
  } catch (...) {
    // A tensor of a kind that has no shape to tell.
  }
  layer_ended(module.ptr(), inputs, outputs);
}

std::vector<double> time_calls(const nb::callable& call, std::optional<std::size_t> runs) {
  constexpr double kNsInMs = 1e6;
  return measure::repeat(
      [&] {
        const std::uint64_t start_ns = Clock::now_ns();
        call();
        return static_cast<double>(Clock::now_ns() - start_ns) / kNsInMs;
      },
      runs);
}

void begin_memory(bool without_data) {
  using When = MemoryWatch::When;
  if (without_data) {
    install_dataless_allocator();
  } else {
    install_allocator();
  }
  MemoryWatch::instance().begin(without_data ? When::WhenLooked : When::Always);
  watch_boundaries(without_data);
}

std::uint64_t end_memory() {
  watch_boundaries(false);
  return MemoryWatch::instance().end();
}

std::vector<measure::Weights> weigh(const nb::list& names) {
  std::vector<measure::Weights> weights(1);
  for (const nb::handle pair : names) weights.push_back(weights_of(nb::object(pair[1]).ptr()));
  return weights;
}

std::string end_measurement(const nb::list& names, const std::string& model,
                            const std::string& inputs, std::uint64_t batch_size, bool training_mode,
                            std::optional<std::uint64_t> inference_peak,
                            std::optional<std::uint64_t> training_peak, bool without_data,
                            const std::vector<double>& times_ms) {
  measure::Observations seen = std::move(observations());
  seen.weights = weigh(names);
  seen.model = model;
  seen.inputs = inputs;
  seen.batch_size = batch_size;
  seen.training_mode = training_mode;
  seen.inference_peak = inference_peak;
  seen.training_peak = training_peak;
  seen.times_ms = times_ms;
  const nb::gil_scoped_release release;
  seen.record = end_calls();
  seen.record.without_data = without_data;
  return measure::measurement_json(measure::assemble(seen));
}

}  // namespace

void bind_measuring(nb::module_& module) {
  module.def("begin_calls", &begin, nb::arg("names"), nb::arg("passed_over"), nb::kw_only(),
             nb::arg("describes_layers"));
  module.def("watch_calls", &watch_calls);
  module.def("begin_optimizer_step", &begin_optimizer_step);
  module.def("end_count", &end_count, nb::kw_only(), nb::arg("without_data"));
  module.def("abandon_calls", [] { end_calls(); });

  module.def("layer_started", &hook_before, nb::arg("module").none(), nb::arg("arguments").none());
  module.def("layer_ended", &hook_after, nb::arg("module").none(), nb::arg("arguments").none(),
             nb::arg("keywords").none(), nb::arg("result").none() = nb::none());
  module.def("drop_layers", [] { take_layers(); });
  module.def("keep_layer_times", [] { observations().timed_layers.push_back(take_layers()); });
  module.def("keep_layer_peaks", [] { observations().peak_layers = take_layers(); });

  module.def(
      "shapes", [](nb::handle values) { return shapes_of({values.ptr()}).text; },
      nb::arg("values").none());
  module.def("time_calls", &time_calls, nb::arg("call"), nb::arg("runs").none());
  module.def("begin_memory", &begin_memory, nb::arg("without_data"));
  module.def("end_memory", &end_memory);
  module.def("end_measurement", &end_measurement, nb::arg("names"), nb::kw_only(), nb::arg("model"),
             nb::arg("inputs"), nb::arg("batch_size"), nb::arg("training_mode"),
             nb::arg("inference_peak").none(), nb::arg("training_peak").none(),
             nb::arg("without_data"), nb::arg("times_ms"));
}

}  // namespace sightline::torch_collector
