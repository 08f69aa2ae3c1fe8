#include "collectors/torch/gradient_taps.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <exception>

#include "collectors/torch/torch_tensor.h"

namespace sightline::torch_collector {

// On the node that made the tensor, not on the tensor: an operator in place gives the tensor
// another node, and this one keeps its hook.
class GradientTaps::Hook final : public torch::autograd::FunctionPreHook {
 public:
  Hook(std::shared_ptr<Listener> listener, supervise::MessageHead head, std::size_t output)
      : listener_(std::move(listener)), head_(std::move(head)), output_(output) {}

  torch::autograd::variable_list operator()(
      const torch::autograd::variable_list& gradients) override {
    if (output_ < gradients.size()) listener_->tell(head_, gradients[output_]);
    return gradients;
  }

 private:
  std::shared_ptr<Listener> listener_;
  supervise::MessageHead head_;
  std::size_t output_;
};

void GradientTaps::tap(const at::Tensor& tensor, supervise::MessageHead head) {
  if (!tensor.requires_grad()) return;
  if (const auto& node = tensor.grad_fn()) {
    node->add_tensor_pre_hook(
        std::make_unique<Hook>(listener_, std::move(head), tensor.output_nr()));
    return;
  }
  tensor.register_hook([listener = listener_, head = std::move(head)](const at::Tensor& gradient) {
    listener->tell(head, gradient);
  });
}

void GradientTaps::Listener::tell(const supervise::MessageHead& head,
                                  const at::Tensor& gradient) noexcept {
  if (ended || !gradient.defined()) return;
  try {
    supervise::Message message{head, {}};
    message.payload = supervise::Tensor{{}, {}, std::make_shared<TorchTensor>(gradient, false)};
    bus.publish(message);
  } catch (const std::exception&) {
    // A tensor that cannot be read is not told; the training must not hear of it.
  }
}

}  // namespace sightline::torch_collector
