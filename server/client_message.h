// What clients send, see docs/protocol.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::server {

struct ClientMessage {
  enum class Kind { Hello, Analyse, Cancel, SetBatchSize, UndoBatchSize, Unknown, NotUnderstood };
  Kind kind = Kind::NotUnderstood;
  std::int64_t number = 0;  // of Hello: the protocol; of SetBatchSize: the batch size
  // Of SetBatchSize: what the client takes to be written now.
  std::optional<std::int64_t> expected = std::nullopt;
};

// Whatever the text is.
ClientMessage parse_client_message(std::string_view text);

// What to tell a client of another version; empty for one of ours.
std::string protocol_problem(std::int64_t protocol);

}  // namespace sightline::server
