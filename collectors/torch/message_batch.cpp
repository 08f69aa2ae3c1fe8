#include "collectors/torch/message_batch.h"

namespace sightline::torch_collector {
namespace {

constexpr std::size_t kMostMessages = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

}  // namespace

void MessageBatch::add(const supervise::Bus::Line& line, const supervise::Message& message,
                       TorchTensor& tensor) {
  const std::size_t bytes = tensor.floats().size_bytes();
  const bool joins = bytes > 0 && messages_.size() < kMostMessages &&
                     bytes_ + bytes <= kMostBytes && line_ != nullptr && line_->tells_whom(line);
  if (!joins) publish();
  line_ = &line;
  messages_.push_back(&message);
  tensors_.push_back(&tensor);
  bytes_ += bytes;
  if (bytes == 0) publish();
}

void MessageBatch::publish() {
  if (line_ != nullptr) bus_.publish(*line_, messages_);
  for (TorchTensor* tensor : tensors_) tensor->let_go();
  line_ = nullptr;
  messages_.clear();
  tensors_.clear();
  bytes_ = 0;
}

}  // namespace sightline::torch_collector
