#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>

#include "core/profile/breakdown.h"
#include "core/profile/report_json.h"
#include "core/profile/report_text.h"
#include "core/store/run_reader.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

model::Run read(const std::string& path) {
  Result<model::Run> run = [&] {
    const nb::gil_scoped_release release;
    return store::read_run(path);
  }();
  if (!run) raise(run.error());
  return std::move(run).value();
}

std::string steps_json(const model::Run& run) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const model::Step& step : run.steps) {
    nlohmann::ordered_json row;
    row["step"] = step.index;
    row["role"] = model::name_of(step.role);
    row["start_ms"] = static_cast<double>(step.start_ns) / 1e6;
    row["wall_ms"] = static_cast<double>(step.wall_ns) / 1e6;
    row["evaluation_ms"] = static_cast<double>(step.evaluation_ns) / 1e6;
    for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
      const std::string name(model::name_of(static_cast<model::CostKind>(kind)));
      row[name + "_ms"] = static_cast<double>(step.kind_ns[kind]) / 1e6;
    }
    row["operators"] = step.operators;
    row["allocated_bytes"] = step.allocated_bytes;
    row["peak_bytes"] = step.peak_bytes;
    rows.push_back(std::move(row));
  }
  return rows.dump();
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<model::Run>(module, "Run")
      .def("report_json",
           [](const model::Run& run) {
             return profile::report_json(profile::break_down(run)).dump();
           })
      .def("steps_json", &steps_json)
      .def("report_text", [](const model::Run& run, const std::string& name) {
        return profile::render_report(profile::break_down(run), {.run_path = name});
      });
  module.def("read_run", &read, nb::arg("path"));
}

}  // namespace sightline::python
