#include <nanobind/nanobind.h>

#include "core/base/parent.h"
#include "python/bindings/core.h"

namespace nb = nanobind;

namespace sightline::python {

void bind_process(nb::module_& module) {
  module.def("die_with", &sightline::die_with, nb::arg("parent"));
}

}  // namespace sightline::python
