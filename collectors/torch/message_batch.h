// Messages of tensors that are published together, as receivers take fewer locks then. What is held
// at once is bounded: a receiver may have copied it.
#pragma once

#include <cstddef>
#include <vector>

#include "collectors/torch/torch_tensor.h"
#include "core/supervise/bus/bus.h"

namespace sightline::torch_collector {

class MessageBatch {
 public:
  explicit MessageBatch(supervise::Bus& bus) : bus_(bus) {}

  // The message is of the tensor, which holds what is told and lets go of it once it is published:
  // at the latest by publish(). All three have to stay until then.
  void add(const supervise::Bus::Line& line, const supervise::Message& message,
           TorchTensor& tensor);
  void publish();

 private:
  supervise::Bus& bus_;
  const supervise::Bus::Line* line_ = nullptr;
  std::vector<const supervise::Message*> messages_;
  std::vector<TorchTensor*> tensors_;
  std::size_t bytes_ = 0;
};

}  // namespace sightline::torch_collector
