#include "collectors/torch/finite.h"

#include <algorithm>
#include <cstdint>

#include "collectors/torch/torch_tensor.h"

namespace sightline::torch_collector {
namespace {

constexpr std::size_t kPiece = 4096;

// Numbers that are not finite have all bits of the exponent.
template <typename Bits>
bool any_bad(const Bits* bits, std::size_t count, Bits exponent) {
  Bits found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    found |= static_cast<Bits>((bits[i] & exponent) == exponent);
  }
  return found != 0;
}

template <typename Bits>
bool any_bad_piece(const at::Tensor& tensor, Bits exponent, std::size_t most_elements) {
  const auto* bits = static_cast<const Bits*>(tensor.const_data_ptr());
  const auto count = static_cast<std::size_t>(tensor.numel());
  const std::size_t stride =
      count <= most_elements ? kPiece : std::max(kPiece, count / (most_elements / kPiece));
  for (std::size_t begin = 0; begin < count; begin += stride) {
    if (any_bad(bits + begin, std::min(kPiece, count - begin), exponent)) return true;
  }
  return false;
}

}  // namespace

bool has_non_finite(const at::Tensor& tensor, std::size_t most_elements) {
  if (!tensor.defined() || tensor.numel() == 0 || !can_be_read_in_place(tensor) ||
      !tensor.is_non_overlapping_and_dense()) {
    return false;
  }
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return any_bad_piece<std::uint32_t>(tensor, 0x7F800000u, most_elements);
    case at::kDouble:
      return any_bad_piece<std::uint64_t>(tensor, 0x7FF0000000000000u, most_elements);
    case at::kHalf:
      return any_bad_piece<std::uint16_t>(tensor, 0x7C00u, most_elements);
    case at::kBFloat16:
      return any_bad_piece<std::uint16_t>(tensor, 0x7F80u, most_elements);
    default:
      return false;
  }
}

}  // namespace sightline::torch_collector
