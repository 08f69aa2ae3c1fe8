#include "collectors/torch/update_copy.h"

#include <ATen/ATen.h>

#include <cstdlib>
#include <numeric>

#include "collectors/torch/quiet_torch.h"
#include "collectors/torch/torch_tensor.h"

namespace sightline::torch_collector {
namespace {

constexpr std::int64_t kSmall = 1024;  // elements: a sample of fewer says little
constexpr std::size_t kAlignment = 64;

}  // namespace

std::uint64_t sample_distance(const at::Tensor& parameter, std::uint64_t one_of) {
  if (one_of <= 1 || parameter.numel() <= kSmall || !parameter.is_contiguous()) return 1;
  const auto row = static_cast<std::uint64_t>(parameter.dim() == 0 ? 1 : parameter.size(-1));
  while (std::gcd(one_of, row) != 1) ++one_of;
  return one_of;
}

void UpdateCopy::Free::operator()(std::byte* memory) const { std::free(memory); }

at::Tensor UpdateCopy::part_of(const at::Tensor& parameter) const {
  const at::Tensor whole = parameter.detach();
  if (one_of_ <= 1) return whole;
  const auto distance = static_cast<std::int64_t>(one_of_);
  return whole.as_strided({(whole.numel() + distance - 1) / distance}, {distance},
                          whole.storage_offset());
}

void UpdateCopy::make_room(const at::Tensor& part) {
  const bool fits = copy_.defined() && copy_.sizes() == part.sizes() &&
                    copy_.scalar_type() == part.scalar_type() && copy_.device() == part.device();
  if (fits) return;
  copy_.reset();
  memory_.reset();
  bytes_ = static_cast<std::size_t>(part.numel()) * part.element_size();
  if (!part.device().is_cpu()) {
    copy_ = at::empty(part.sizes(), part.options());
    return;
  }
  const std::size_t room = (bytes_ / kAlignment + 1) * kAlignment;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, room)));
  if (memory_ == nullptr) {
    bytes_ = 0;
    return;
  }
  // As the parameter lies in memory, so that both are gone through in one direction.
  const bool dense = part.is_non_overlapping_and_dense();
  copy_ = dense ? at::from_blob(memory_.get(), part.sizes(), part.strides(), part.options())
                : at::from_blob(memory_.get(), part.sizes(), part.options());
}

void UpdateCopy::take(const at::Tensor& parameter, std::uint64_t one_of) {
  const QuietTorch quiet;
  one_of_ = sample_distance(parameter, one_of);
  const at::Tensor part = part_of(parameter);
  make_room(part);
  taken_ = copy_.defined();
  if (taken_) copy_.copy_(part);
}

bool UpdateCopy::fits(const at::Tensor& parameter) const {
  if (!taken_ || (one_of_ > 1 && !parameter.is_contiguous())) return false;
  const QuietTorch quiet;
  const at::Tensor part = part_of(parameter);
  return part.sizes() == copy_.sizes() && part.scalar_type() == copy_.scalar_type() &&
         part.device() == copy_.device();
}

at::Tensor UpdateCopy::write_added(const at::Tensor& parameter) {
  const QuietTorch quiet;
  at::sub_out(copy_, part_of(parameter), copy_);
  return copy_;
}

std::optional<supervise::TensorDifference> UpdateCopy::difference(
    const at::Tensor& parameter) const {
  const bool floats = parameter.scalar_type() == at::kFloat;
  const bool readable = (floats || parameter.scalar_type() == at::kDouble) &&
                        can_be_read_in_place(parameter) && parameter.numel() > 0;
  const bool alike = one_of_ == 1 && readable && parameter.strides() == copy_.strides() &&
                     parameter.is_non_overlapping_and_dense();
  if (!alike) return std::nullopt;
  return supervise::TensorDifference{
      parameter.const_data_ptr(), copy_.const_data_ptr(),
      floats ? supervise::ElementType::Float32 : supervise::ElementType::Float64,
      static_cast<std::uint64_t>(parameter.numel())};
}

}  // namespace sightline::torch_collector
