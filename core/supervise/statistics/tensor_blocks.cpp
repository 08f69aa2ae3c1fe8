#include "core/supervise/statistics/tensor_blocks.h"

#include <algorithm>
#include <cstring>

namespace sightline::supervise {
namespace {

template <std::size_t kBytes>
void gather(const std::byte* source, std::int64_t stride, std::size_t count, std::byte* target) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(target + i * kBytes, source + static_cast<std::int64_t>(i) * stride, kBytes);
  }
}

}  // namespace

TensorBlocks::TensorBlocks(const TensorView& tensor)
    : position_(static_cast<const std::byte*>(tensor.data)),
      element_bytes_(bytes_of(tensor.type)),
      left_(tensor.count()),
      contiguous_(tensor.contiguous()) {
  if (left_ == 0 || contiguous_) return;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] == 1) continue;
    Dimension dimension{static_cast<std::uint64_t>(tensor.sizes[i]),
                        tensor.strides[i] * static_cast<std::int64_t>(element_bytes_), 0};
    if (dimension.stride < 0) {  // from its other end
      position_ += dimension.stride * (tensor.sizes[i] - 1);
      dimension.stride = -dimension.stride;
    }
    dimensions_.push_back(dimension);
  }
  join_dimensions();
  contiguous_ =
      dimensions_.empty() || (dimensions_.size() == 1 &&
                              dimensions_[0].stride == static_cast<std::int64_t>(element_bytes_));
  if (!contiguous_) gathered_.resize(std::min<std::uint64_t>(left_, kBlock) * element_bytes_);
}

// Two dimensions are one where the outer goes on at the place where the inner ends.
void TensorBlocks::join_dimensions() {
  std::sort(dimensions_.begin(), dimensions_.end(),
            [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  std::vector<Dimension> joined;
  for (const Dimension& next : dimensions_) {
    if (!joined.empty() &&
        next.stride == joined.back().stride * static_cast<std::int64_t>(joined.back().size)) {
      joined.back().size *= next.size;
    } else {
      joined.push_back(next);
    }
  }
  dimensions_ = std::move(joined);
}

TensorBlocks::Block TensorBlocks::next() {
  if (left_ == 0) return {};
  if (contiguous_) return next_of_contiguous();
  const std::size_t count = std::min<std::uint64_t>(left_, kBlock);
  for (std::size_t filled = 0; filled < count;) {
    filled += gather_run(gathered_.data() + filled * element_bytes_, count - filled);
  }
  left_ -= count;
  return {gathered_.data(), count};
}

TensorBlocks::Block TensorBlocks::next_of_contiguous() {
  const Block block{position_, std::min<std::uint64_t>(left_, kBlock)};
  position_ += block.count * element_bytes_;
  left_ -= block.count;
  return block;
}

// What is left of the innermost dimension, as far as there is room.
std::size_t TensorBlocks::gather_run(std::byte* target, std::size_t room) {
  const Dimension& inner = dimensions_.front();
  const std::size_t count = std::min<std::uint64_t>(room, inner.size - inner.index);
  if (inner.stride == static_cast<std::int64_t>(element_bytes_)) {
    std::memcpy(target, position_, count * element_bytes_);
  } else if (element_bytes_ == 1) {
    gather<1>(position_, inner.stride, count, target);
  } else if (element_bytes_ == 2) {
    gather<2>(position_, inner.stride, count, target);
  } else if (element_bytes_ == 4) {
    gather<4>(position_, inner.stride, count, target);
  } else {
    gather<8>(position_, inner.stride, count, target);
  }
  advance(count);
  return count;
}

void TensorBlocks::advance(std::size_t elements) {
  dimensions_.front().index += elements;
  position_ += static_cast<std::int64_t>(elements) * dimensions_.front().stride;
  for (std::size_t i = 0; i + 1 < dimensions_.size(); ++i) {
    Dimension& full = dimensions_[i];
    if (full.index < full.size) return;
    position_ += dimensions_[i + 1].stride - static_cast<std::int64_t>(full.size) * full.stride;
    full.index = 0;
    ++dimensions_[i + 1].index;
  }
}

}  // namespace sightline::supervise
