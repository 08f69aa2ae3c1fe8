#include "server/http/outbox.h"

#include <utility>

namespace sightline::server {

void Outbox::push(Message message) {
  if (behind_) return;
  bytes_ += message->size();
  waiting_.push_back(std::move(message));
  if (waiting_.size() > most_messages_ ||
      (waiting_.size() > kAlwaysTaken && bytes_ > most_bytes_)) {
    behind_ = true;
    waiting_ = {};
    bytes_ = 0;
  }
}

Outbox::Message Outbox::take() {
  if (waiting_.empty()) return nullptr;
  Message message = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= message->size();
  return message;
}

bool Outbox::take_behind() { return std::exchange(behind_, false); }

}  // namespace sightline::server
