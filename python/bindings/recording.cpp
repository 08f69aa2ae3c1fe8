#include "core/profile/recording.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "core/profile/run_info_json.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

// The options cross the border as one JSON object: see sightline/_recording.py.
profile::RecordingOptions options_from(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  profile::RecordingOptions options;
  options.path = json.at("path").get<std::string>();
  options.memory_budget_bytes = json.value("memory_budget_bytes", options.memory_budget_bytes);
  options.disk_budget_bytes = json.value("disk_budget_bytes", options.disk_budget_bytes);
  options.force = json.value("force", false);
  options.sources.root = json.at("root");
  options.sources.library_dirs = json.at("library_dirs");
  options.sources.included = json.at("include");
  options.sources.keep_source = json.value("keep_source", true);
  options.info = profile::run_info_from(json.at("info"));
  options.info.root = options.sources.root;
  return options;
}

std::unique_ptr<profile::Recording> start(const std::string& json) {
  auto recording = profile::Recording::start(options_from(json));
  if (!recording) raise(recording.error());
  return std::move(recording).value();
}

std::vector<std::string> end(profile::Recording& recording) {
  const nb::gil_scoped_release release;  // other threads may need it to finish what they do
  return recording.end();
}

void stop(profile::Recording& recording, const std::map<std::string, std::string>& texts,
          std::uint64_t device_peak_bytes, std::uint64_t device_capacity_bytes) {
  Result<void> stopped;
  {
    const nb::gil_scoped_release release;
    stopped = recording.stop(texts, {device_peak_bytes, device_capacity_bytes});
  }
  if (!stopped) raise(stopped.error());
}

}  // namespace

void bind_recording(nb::module_& module) {
  nb::class_<profile::Recording>(module, "Recording")
      .def("step_peak_bytes", &profile::Recording::step_peak_bytes)
      .def("end", &end)
      .def("stop", &stop, nb::arg("texts"), nb::arg("device_peak_bytes"),
           nb::arg("device_capacity_bytes"))
      .def_prop_ro("path",
                   [](const profile::Recording& recording) { return recording.path().string(); });
  module.def("start_recording", &start, nb::arg("options"));
}

}  // namespace sightline::python
