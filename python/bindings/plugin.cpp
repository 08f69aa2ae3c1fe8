#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "core/supervise/plugin/loaded_plugin.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::Bus;
using supervise::LoadedPlugin;

std::unique_ptr<LoadedPlugin> load(const std::string& path, const std::string& options) {
  auto loaded = LoadedPlugin::load(path, options);
  if (!loaded) raise(loaded.error());
  return std::move(loaded).value();
}

void attach(LoadedPlugin& plugin, Bus& bus) {
  Result<void> attached = [&] {
    const nb::gil_scoped_release release;
    return plugin.attach(bus);
  }();
  if (!attached) raise(attached.error());
}

}  // namespace

void bind_plugin(nb::module_& module) {
  nb::class_<LoadedPlugin>(module, "LoadedPlugin")
      .def(nb::new_(&load), nb::arg("path"), nb::arg("options"))
      .def_prop_ro("name", &LoadedPlugin::name)
      .def_prop_ro("topics", &LoadedPlugin::topics)
      .def_prop_ro("publications", &LoadedPlugin::publications)
      .def("attach", &attach, nb::arg("bus"), nb::keep_alive<1, 2>())
      .def("detach", &LoadedPlugin::detach, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace sightline::python
