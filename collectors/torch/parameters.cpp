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
};

std::mutex mutex;
// Never destroyed: tensors may outlive static destructors.
auto& remembered = *new std::unordered_map<const c10::TensorImpl*, Remembered>;

void label(const at::Tensor& tensor, model::Category category) {
  if (tensor.defined() && tensor.has_storage()) {
    label_storage(*tensor.storage().unsafeGetStorageImpl(), category);
  }
}

bool remember(const at::Tensor& tensor, bool is_parameter) {
  if (!tensor.defined()) return false;
  {
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] =
        remembered.try_emplace(tensor.unsafeGetTensorImpl(),
                               Remembered{WeakTensor(tensor.getIntrusivePtr()), is_parameter});
    if (!is_new) return false;
  }
  label(tensor, is_parameter ? model::Category::Parameter : model::Category::Buffer);
  return true;
}

}  // namespace

bool remember_parameter(const at::Tensor& tensor) { return remember(tensor, true); }

void remember_buffer(const at::Tensor& tensor) { remember(tensor, false); }

void forget_parameters() {
  const std::lock_guard lock(mutex);
  remembered.clear();
}

void label_parameters() {
  const std::lock_guard lock(mutex);
  for (auto entry = remembered.begin(); entry != remembered.end();) {
    auto impl = entry->second.tensor.lock();
    if (!impl) {
      entry = remembered.erase(entry);
      continue;
    }
    const at::Tensor tensor(std::move(impl));
    label(tensor,
          entry->second.is_parameter ? model::Category::Parameter : model::Category::Buffer);
    if (entry->second.is_parameter) label(tensor.grad(), model::Category::Gradient);
    ++entry;
  }
}

}  // namespace sightline::torch_collector
