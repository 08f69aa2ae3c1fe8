// How torch makes an operator: by a kernel, or by calling others. Not safe for several threads.
#pragma once

#include <ATen/record_function.h>

#include "core/base/memory_apart.h"
#include "core/measure/operator_call.h"

namespace sightline::torch_collector {

class OperatorMakings {
 public:
  measure::Making of(const at::RecordFunction& fn);

 private:
  HashMapApart<const char*, measure::Making> known_;
};

}  // namespace sightline::torch_collector
