// Tells the bus the gradients of the loss with respect to tensors, by hooks in autograd's graph
// that need no interpreter. A graph may outlive whoever asked for its gradients: the hooks share
// what they need, and do nothing once it has ended. The backward pass may run on any thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <utility>

#include "core/supervise/bus/bus.h"

namespace sightline::torch_collector {

class GradientTaps {
 public:
  // `owner` keeps the bus alive, and may be dropped on any thread.
  GradientTaps(supervise::Bus& bus, std::shared_ptr<const void> owner)
      : listener_(std::make_shared<Listener>(bus, std::move(owner))) {}

  // The gradient of this tensor will be told with this head. Does nothing for one that has none.
  void tap(const at::Tensor& tensor, supervise::MessageHead head);
  void end() { listener_->ended = true; }

 private:
  struct Listener {
    Listener(supervise::Bus& its_bus, std::shared_ptr<const void> its_owner)
        : bus(its_bus), owner(std::move(its_owner)) {}

    void tell(const supervise::MessageHead& head, const at::Tensor& gradient) noexcept;

    supervise::Bus& bus;
    std::shared_ptr<const void> owner;
    std::atomic<bool> ended{false};
  };
  class Hook;

  std::shared_ptr<Listener> listener_;
};

}  // namespace sightline::torch_collector
