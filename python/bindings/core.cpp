#include "python/bindings/core.h"

#include "core/base/version.h"

NB_MODULE(_core, module) {
  module.attr("version") = sightline::kVersion;
  sightline::python::bind_recording(module);
  sightline::python::bind_batch_models(module);
  sightline::python::bind_report(module);
  sightline::python::bind_measure(module);
  sightline::python::bind_process(module);
  sightline::python::bind_status(module);
  sightline::python::bind_statistics(module);
  sightline::python::bind_bus(module);
  sightline::python::bind_watcher(module);
  sightline::python::bind_supervision(module);
  sightline::python::bind_metrics(module);
  sightline::python::bind_event_writer(module);
}
