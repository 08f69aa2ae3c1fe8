#include "collectors/torch/torch_tensor.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstdint>
#include <optional>

#include "collectors/torch/device_figures.h"
#include "collectors/torch/quiet_torch.h"

namespace sightline::torch_collector {
namespace {

using supervise::ElementType;

std::optional<ElementType> type_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return ElementType::Float32;
    case at::kDouble:
      return ElementType::Float64;
    case at::kBFloat16:
      return ElementType::BFloat16;
    case at::kHalf:
      return ElementType::Float16;
    case at::kChar:
      return ElementType::Int8;
    case at::kShort:
      return ElementType::Int16;
    case at::kInt:
      return ElementType::Int32;
    case at::kLong:
      return ElementType::Int64;
    case at::kByte:
      return ElementType::UInt8;
    case at::kBool:
      return ElementType::Bool;
    default:
      return std::nullopt;
  }
}

bool lies_in_memory(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && tensor.device().is_cpu() && !tensor.is_neg() &&
         !tensor.is_conj();
}

// Subclasses that answer in Python, tensors without data and those with symbols for sizes have
// nothing to read.
bool can_be_read(const at::Tensor& tensor) {
  static const c10::DispatchKeySet kAnswersOtherwise(
      {c10::DispatchKey::Python, c10::DispatchKey::FuncTorchBatched,
       c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::Functionalize});
  return tensor.defined() && !tensor.is_meta() && !tensor.is_nested() && !tensor.is_quantized() &&
         !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides() &&
         !tensor.key_set().has_any(kAnswersOtherwise);
}

at::Tensor copied_to_memory(const at::Tensor& tensor) {
  const QuietTorch quiet;
  at::Tensor dense = tensor.detach();
  if (dense.layout() != at::kStrided) dense = dense.to_dense();
  return dense.resolve_neg().cpu();
}

}  // namespace

bool can_be_read_in_place(const at::Tensor& tensor) {
  return can_be_read(tensor) && lies_in_memory(tensor);
}

void TorchTensor::hold(at::Tensor tensor) {
  tensor_ = std::move(tensor);
  floats_ = floats_now();
  viewed_ = false;
}

void TorchTensor::let_go() {
  tensor_.reset();
  floats_ = {};
  readable_.reset();
  copy_.reset();
  viewed_ = false;
}

const supervise::TensorView* TorchTensor::view() const {
  if (viewed_) return &view_;
  if (!can_be_read(tensor_)) return nullptr;
  const std::optional<ElementType> type = type_of(tensor_.scalar_type());
  if (!type) return nullptr;
  const bool lies_there = lies_in_memory(tensor_);
  if (!lies_there) readable_ = copied_to_memory(tensor_);
  const at::Tensor& readable = lies_there ? tensor_ : readable_;
  if (!readable.has_storage()) return nullptr;
  view_.data = readable.const_data_ptr();
  if (view_.data == nullptr && readable.numel() != 0) return nullptr;
  view_.type = *type;
  view_.sizes.assign(readable.sizes().begin(), readable.sizes().end());
  view_.strides.assign(readable.strides().begin(), readable.strides().end());
  viewed_ = true;
  return &view_;
}

std::span<const float> TorchTensor::floats_now() const {
  const bool there = can_be_read_in_place(tensor_) && tensor_.scalar_type() == at::kFloat &&
                     tensor_.has_storage() && tensor_.is_non_overlapping_and_dense();
  if (!there) return {};
  const auto* first = static_cast<const float*>(tensor_.const_data_ptr());
  const bool aligned = reinterpret_cast<std::uintptr_t>(first) % alignof(float) == 0;
  if (first == nullptr || !aligned) return {};
  return {first, static_cast<std::size_t>(tensor_.numel())};
}

std::shared_ptr<const supervise::ComingFigures> TorchTensor::begin_figures(
    const std::optional<supervise::ActiveRange>& active) const {
  const bool begins = can_be_read(tensor_) && type_of(tensor_.scalar_type()) && tensor_.numel() > 0;
  return begins ? torch_collector::begin_figures(tensor_, active) : nullptr;
}

bool TorchTensor::is_on_device() const { return makes_figures_of(tensor_); }

std::shared_ptr<const supervise::TensorSource> TorchTensor::kept() const {
  if (stays_) return shared_from_this();
  if (copy_ == nullptr && tensor_.defined()) {
    const QuietTorch quiet;
    copy_ = std::make_shared<TorchTensor>(tensor_.detach().clone(), true);
  }
  return copy_;
}

void* TorchTensor::new_python_reference() const {
  if (!stays_) {
    const auto copy = kept();
    return copy == nullptr ? nullptr : copy->new_python_reference();
  }
  return THPVariable_Wrap(tensor_);
}

}  // namespace sightline::torch_collector
