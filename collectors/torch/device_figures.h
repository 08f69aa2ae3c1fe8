// Figures of a tensor by torch's own operators, where the tensor lies: begun at once, and waited
// for when they are read.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "core/supervise/bus/coming_figures.h"
#include "core/supervise/metrics/unit_activity.h"

namespace sightline::torch_collector {

// Whether the figures of a tensor are made this way: those on devices, and all of them if a test
// wants it, which has no other device.
bool makes_figures_of(const at::Tensor& tensor);
void make_figures_of_all(bool all);

// Of a tensor of numbers, with at least one. Null if the device refuses, for want of memory say.
std::shared_ptr<const supervise::ComingFigures> begin_figures(
    const at::Tensor& tensor, const std::optional<supervise::ActiveRange>& active);

}  // namespace sightline::torch_collector
