// A tensor of torch as the bus carries it: its numbers for native receivers, itself for Python's.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>

#include "core/supervise/bus/message.h"

namespace sightline::torch_collector {

// Whether its elements lie in the memory of the processor as its type, sizes and strides say.
bool can_be_read_in_place(const at::Tensor& tensor);

class TorchTensor final : public supervise::TensorSource,
                          public std::enable_shared_from_this<TorchTensor> {
 public:
  TorchTensor() = default;
  // `stays`: nobody will change its numbers.
  TorchTensor(at::Tensor tensor, bool stays)
      : tensor_(std::move(tensor)), floats_(floats_now()), stays_(stays) {}

  // For the next message. Between two messages it holds nothing, so that it keeps nothing alive.
  void hold(at::Tensor tensor);
  void let_go();

  const supervise::TensorView* view() const override;
  std::span<const float> floats() const override { return floats_; }
  bool is_on_device() const override;
  std::shared_ptr<const supervise::ComingFigures> begin_figures(
      const std::optional<supervise::ActiveRange>& active) const override;
  std::shared_ptr<const supervise::TensorSource> kept() const override;
  void* new_python_reference() const override;

 private:
  std::span<const float> floats_now() const;

  at::Tensor tensor_;
  std::span<const float> floats_;
  bool stays_ = false;
  mutable at::Tensor readable_;  // a copy in the memory of the processor, if it is not there itself
  mutable supervise::TensorView view_;
  mutable bool viewed_ = false;
  mutable std::shared_ptr<const TorchTensor> copy_;
};

}  // namespace sightline::torch_collector
