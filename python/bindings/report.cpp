#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>

#include "core/export/tables.h"
#include "core/export/training_tables.h"
#include "core/profile/batch/batch_models.h"
#include "core/profile/breakdown.h"
#include "core/profile/report/report_json.h"
#include "core/profile/report/report_text.h"
#include "core/store/run_reader.h"
#include "core/store/training_reader.h"
#include "core/supervise/report/training_overview.h"
#include "core/supervise/report/verdict_json.h"
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

std::string report_json(const model::Run& run, const std::string& path) {
  const Result<supervise::TrainingOverview> training = supervise::read_overview(path, 1);
  if (!training) raise(training.error());
  nlohmann::ordered_json report = profile::report_json(profile::break_down(run));
  supervise::add_training(report, training.value());
  return report.dump();
}

std::string series_json(const std::string& path) {
  const auto table = [&]() -> Result<exports::Table> {
    const nb::gil_scoped_release release;
    const auto training = store::TrainingReader::open(path);
    if (!training) return training.error();
    return exports::series_table(training.value());
  }();
  if (!table) raise(table.error());
  return table->rows.dump();
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<model::Run>(module, "Run")
      .def("report_json", &report_json, nb::arg("path"))
      .def("batch_models",
           [](const model::Run& run) { return profile::BatchModels::fit(run.batch_samples); })
      .def("steps_json", [](const model::Run& run) { return exports::step_rows(run).dump(); })
      .def("report_text", [](const model::Run& run, const std::string& name) {
        return profile::render_report(profile::break_down(run), {.run_path = name});
      });
  module.def("read_run", &read, nb::arg("path"));
  module.def("series_json", &series_json, nb::arg("path"));
}

}  // namespace sightline::python
