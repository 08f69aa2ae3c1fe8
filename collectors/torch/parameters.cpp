#include "collectors/torch/parameters.h"

#include <mutex>
#include <unordered_map>

#include "collectors/torch/allocator.h"

namespace sightline::torch_collector {
namespace {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl>;

struct Remembered {
  WeakTensor tensor;
  bool is_parameter;
  const void* module;  // that holds a parameter
  bool has_gradient = false;
};

std::mutex mutex;
// Never destroyed: tensors may outlive static destructors.
auto& remembered = *new std::unordered_map<const c10::TensorImpl*, Remembered>;

void label(const at::Tensor& tensor, model::Category category) {
  if (tensor.defined() && tensor.has_storage()) {
    label_storage(*tensor.storage().unsafeGetStorageImpl(), category);
  }
}

bool remember(const at::Tensor& tensor, bool is_parameter, const void* module) {
  if (!tensor.defined()) return false;
  {
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = remembered.try_emplace(
        tensor.unsafeGetTensorImpl(),
        Remembered{WeakTensor(tensor.getIntrusivePtr()), is_parameter, module});
    if (!is_new) return false;
  }
  label(tensor, is_parameter ? model::Category::Parameter : model::Category::Buffer);
  return true;
}

}  // namespace

std::uint64_t bytes_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.nbytes() : 0;
}

bool remember_parameter(const at::Tensor& tensor, const void* module) {
  return remember(tensor, true, module);
}

void remember_buffer(const at::Tensor& tensor) { remember(tensor, false, nullptr); }

void forget_parameters() {
  const std::lock_guard lock(mutex);
  remembered.clear();
}

void label_parameters(record::ModuleTable& modules) {
  const std::lock_guard lock(mutex);
  for (auto at = remembered.begin(); at != remembered.end();) {
    Remembered& entry = at->second;
    auto impl = entry.tensor.lock();
    if (!impl) {
      at = remembered.erase(at);
      continue;
    }
    const at::Tensor tensor(std::move(impl));
    label(tensor, entry.is_parameter ? model::Category::Parameter : model::Category::Buffer);
    if (entry.is_parameter) {
      const at::Tensor& gradient = tensor.grad();
      label(gradient, model::Category::Gradient);
      if (gradient.defined() && !entry.has_gradient) {
        entry.has_gradient = true;
        modules.add_gradient(entry.module, bytes_of(tensor));
      }
    }
    ++at;
  }
}

}  // namespace sightline::torch_collector
