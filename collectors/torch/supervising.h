// What Python tells the collector of a training that is supervised.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::torch_collector {

void bind_supervising(nanobind::module_& module);

}  // namespace sightline::torch_collector
