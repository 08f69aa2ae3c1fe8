#include "core/supervise/statistics/block_values.h"

#include <cstdint>
#include <cstring>

#include "core/supervise/statistics/small_floats.h"

namespace sightline::supervise {
namespace {

template <typename Element>
bool is_aligned(const std::byte* elements) {
  return reinterpret_cast<std::uintptr_t>(elements) % alignof(Element) == 0;
}

template <typename Element, typename Number>
void convert_block(TensorBlocks::Block block, std::vector<Number>& buffer) {
  buffer.resize(TensorBlocks::kBlock);
  for (std::size_t i = 0; i < block.count; ++i) {
    Element element;
    std::memcpy(&element, block.elements + i * sizeof(Element), sizeof(Element));
    buffer[i] = static_cast<Number>(element);
  }
}

// Elements that are numbers already. A buffer only where the processor might refuse their address.
template <typename Element>
std::span<const Element> aligned(TensorBlocks::Block block, std::vector<Element>& buffer) {
  if (is_aligned<Element>(block.elements)) {
    return {reinterpret_cast<const Element*>(block.elements), block.count};
  }
  buffer.resize(TensorBlocks::kBlock);
  std::memcpy(buffer.data(), block.elements, block.count * sizeof(Element));
  return {buffer.data(), block.count};
}

}  // namespace

BlockValues::BlockValues(const TensorView& tensor, const BlockKernels& kernels)
    : blocks_(tensor), kernels_(kernels), type_(tensor.type) {}

bool BlockValues::next() {
  const TensorBlocks::Block block = blocks_.next();
  floats_ = {};
  doubles_ = {};
  if (block.count == 0) return false;
  switch (type_) {
    case ElementType::Float32:
      floats_ = aligned(block, float_buffer_);
      return true;
    case ElementType::Float64:
      doubles_ = aligned(block, double_buffer_);
      return true;
    case ElementType::BFloat16:
      widen_bfloats(block);
      break;
    case ElementType::Float16:
      widen_halves(block);
      break;
    case ElementType::Int8:
      convert_block<std::int8_t>(block, float_buffer_);
      break;
    case ElementType::Int16:
      convert_block<std::int16_t>(block, float_buffer_);
      break;
    case ElementType::UInt8:
    case ElementType::Bool:
      convert_block<std::uint8_t>(block, float_buffer_);
      break;
    case ElementType::Int32:
      convert_block<std::int32_t>(block, double_buffer_);
      break;
    case ElementType::Int64:
      convert_block<std::int64_t>(block, double_buffer_);
      break;
  }
  if (type_ == ElementType::Int32 || type_ == ElementType::Int64) {
    doubles_ = {double_buffer_.data(), block.count};
  } else {
    floats_ = {float_buffer_.data(), block.count};
  }
  return true;
}

void BlockValues::widen_bfloats(TensorBlocks::Block block) {
  float_buffer_.resize(TensorBlocks::kBlock);
  for (std::size_t i = 0; i < block.count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, block.elements + i * sizeof(bits), sizeof(bits));
    float_buffer_[i] = float_of_bfloat(bits);
  }
}

void BlockValues::widen_halves(TensorBlocks::Block block) {
  float_buffer_.resize(TensorBlocks::kBlock);
  const std::span<const std::uint16_t> halves = aligned(block, half_buffer_);
  kernels_.widen_halves(halves.data(), halves.size(), float_buffer_.data());
}

}  // namespace sightline::supervise
