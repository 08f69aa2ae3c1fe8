#include "collectors/torch/update_tensor.h"

#include <utility>

#include "collectors/torch/device_figures.h"

namespace sightline::torch_collector {

void UpdateTensor::hold(at::Tensor parameter) {
  parameter_ = std::move(parameter);
  is_written_ = false;
}

void UpdateTensor::let_go() {
  parameter_.reset();
  written_->let_go();
}

std::optional<supervise::TensorDifference> UpdateTensor::difference() const {
  return is_written_ ? std::nullopt : copy_.difference(parameter_);
}

std::shared_ptr<const supervise::ComingFigures> UpdateTensor::begin_figures(
    const std::optional<supervise::ActiveRange>& active) const {
  return written()->begin_figures(active);
}

bool UpdateTensor::is_on_device() const { return makes_figures_of(parameter_); }

const std::shared_ptr<TorchTensor>& UpdateTensor::written() const {
  if (!std::exchange(is_written_, true)) written_->hold(copy_.write_added(parameter_));
  return written_;
}

}  // namespace sightline::torch_collector
