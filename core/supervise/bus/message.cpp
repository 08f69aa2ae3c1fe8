#include "core/supervise/bus/message.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace sightline::supervise {
namespace {

// The elements by index, the last dimension the fastest, without gaps.
void copy_elements(const TensorView& view, std::size_t dimension, const std::byte* source,
                   std::byte*& target) {
  const std::size_t bytes = bytes_of(view.type);
  if (dimension == view.sizes.size()) {
    std::memcpy(target, source, bytes);
    target += bytes;
    return;
  }
  for (std::int64_t i = 0; i < view.sizes[dimension]; ++i) {
    const std::int64_t offset = i * view.strides[dimension] * static_cast<std::int64_t>(bytes);
    copy_elements(view, dimension + 1, source + offset, target);
  }
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

Tensor copied(const TensorView& view) {
  const auto memory = std::make_shared<std::vector<std::byte>>(view.count() * bytes_of(view.type));
  Tensor copy;
  copy.view = {memory->data(), view.type, view.sizes, contiguous_strides(view.sizes)};
  copy.owner = memory;
  std::byte* target = memory->data();
  if (view.strides == copy.view.strides && !memory->empty()) {
    std::memcpy(target, view.data, memory->size());
  } else if (!memory->empty()) {
    copy_elements(view, 0, static_cast<const std::byte*>(view.data), target);
  }
  return copy;
}

}  // namespace

std::uint64_t next_tensor_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Payload kept(const Payload& payload) {
  const auto* tensor = std::get_if<Tensor>(&payload);
  if (tensor == nullptr || tensor->owner != nullptr) return payload;
  if (tensor->source == nullptr) return copied(tensor->view);
  Tensor own = *tensor;
  own.source = tensor->source->kept();
  return own;
}

const Message* Bundle::find(std::string_view topic) const {
  const auto found = std::find_if(messages.begin(), messages.end(),
                                  [&](const Message& message) { return message.topic == topic; });
  return found == messages.end() ? nullptr : &*found;
}

}  // namespace sightline::supervise
