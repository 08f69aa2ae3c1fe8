// The parts of sightline._core, one function a file.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void bind_recording(nanobind::module_& module);
void bind_batch_models(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_measure(nanobind::module_& module);
void bind_process(nanobind::module_& module);
void bind_status(nanobind::module_& module);
void bind_statistics(nanobind::module_& module);
void bind_bus(nanobind::module_& module);
void bind_feed(nanobind::module_& module);
void bind_plugin(nanobind::module_& module);
void bind_supervision(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_event_writer(nanobind::module_& module);

}  // namespace sightline::python
