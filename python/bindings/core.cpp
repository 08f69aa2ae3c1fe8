#include "python/bindings/core.h"

#include "core/base/version.h"

NB_MODULE(_core, module) {
  // A bus may hold what holds the bus, which Python cannot see; that is no matter for its user.
  nanobind::set_leak_warnings(false);
  module.attr("version") = sightline::kVersion;
  sightline::python::bind_recording(module);
  sightline::python::bind_batch_models(module);
  sightline::python::bind_report(module);
  sightline::python::bind_measure(module);
  sightline::python::bind_process(module);
  sightline::python::bind_status(module);
  sightline::python::bind_statistics(module);
  sightline::python::bind_bus(module);
  sightline::python::bind_feed(module);
  sightline::python::bind_plugin(module);
  sightline::python::bind_supervision(module);
  sightline::python::bind_metrics(module);
  sightline::python::bind_event_writer(module);
}
