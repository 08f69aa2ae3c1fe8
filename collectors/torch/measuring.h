// The part of sightline._torch that measures a model.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::torch_collector {

void bind_measuring(nanobind::module_& module);

}  // namespace sightline::torch_collector
