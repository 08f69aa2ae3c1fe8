// What a step has added to a parameter, as the bus carries it. It is written down only for those
// who want more than statistics.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "collectors/torch/torch_tensor.h"
#include "collectors/torch/update_copy.h"
#include "core/supervise/bus/message.h"

namespace sightline::torch_collector {

class UpdateTensor final : public supervise::TensorSource {
 public:
  explicit UpdateTensor(UpdateCopy& copy) : copy_(copy) {}

  // For the next message; the copy has been taken of the parameter, and fits it.
  void hold(at::Tensor parameter);
  void let_go();

  const supervise::TensorView* view() const override { return written()->view(); }
  std::optional<supervise::TensorDifference> difference() const override;
  bool is_on_device() const override;
  std::shared_ptr<const supervise::ComingFigures> begin_figures(
      const std::optional<supervise::ActiveRange>& active) const override;
  std::shared_ptr<const supervise::TensorSource> kept() const override { return written()->kept(); }
  void* new_python_reference() const override { return written()->new_python_reference(); }

 private:
  const std::shared_ptr<TorchTensor>& written() const;

  UpdateCopy& copy_;
  at::Tensor parameter_;
  // For good, as one that is asked for its Python object has to be shared.
  const std::shared_ptr<TorchTensor> written_ = std::make_shared<TorchTensor>();
  mutable bool is_written_ = false;
};

}  // namespace sightline::torch_collector
