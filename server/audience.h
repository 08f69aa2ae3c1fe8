// Those who look at a session.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace sightline::server {

// A message, made once for all who get it.
using Message = std::shared_ptr<const std::string>;

inline Message make_message(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

class Audience {
 public:
  virtual ~Audience() = default;
  virtual void tell_all(const Message& message) = 0;
};

}  // namespace sightline::server
