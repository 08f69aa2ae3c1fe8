// What waits to be sent to one client. Bounded: a client that reads too slowly loses all of it and
// is told everything anew. Not safe across threads.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace sightline::server {

class Outbox {
 public:
  using Message = std::shared_ptr<const std::string>;

  // So many are taken whatever their size: everything that there is to know must have room, or a
  // client that has fallen behind would never catch up.
  static constexpr std::size_t kAlwaysTaken = 8;

  Outbox(std::size_t most_messages, std::size_t most_bytes)
      : most_messages_(most_messages), most_bytes_(most_bytes) {}

  // Beyond a bound drops everything, and what comes until take_behind().
  void push(Message message);
  // The oldest, or null.
  Message take();
  // Whether something was dropped; from then on messages are taken again.
  bool take_behind();
  bool empty() const { return waiting_.empty(); }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::size_t most_messages_;
  const std::size_t most_bytes_;
  std::deque<Message> waiting_;
  std::size_t bytes_ = 0;
  bool behind_ = false;
};

}  // namespace sightline::server
