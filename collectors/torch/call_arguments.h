// What an operator was called with and what it gave back, as formulas read it.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "core/measure/operator_call.h"

namespace sightline::torch_collector {

// Shapes and numbers only: nothing keeps a tensor alive.
ListApart<measure::Argument> describe_values(c10::ArrayRef<const c10::IValue> values);

// Whether there is a tensor among them that formulas cannot read.
bool hold_unreadable(c10::ArrayRef<const c10::IValue> values);

}  // namespace sightline::torch_collector
