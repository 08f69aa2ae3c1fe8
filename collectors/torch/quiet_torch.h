// What the collector lets torch compute is neither differentiated nor recorded.
#pragma once

#include <ATen/record_function.h>
#include <c10/core/GradMode.h>

namespace sightline::torch_collector {

struct QuietTorch {
  at::NoGradGuard no_grad;
  at::DisableRecordFunctionGuard no_record;
};

}  // namespace sightline::torch_collector
