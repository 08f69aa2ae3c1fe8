// The client's side of a WebSocket, on a raw socket.
#pragma once

#include <string>

#include "server/http/test_server.h"

namespace sightline::server::test {

inline std::string upgrade_lines() {
  return "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
}

struct Frame {
  int opcode = -1;  // -1: none came
  bool final = false;
  std::string payload;
};

// A masked frame, as clients send them.
inline std::string frame(int opcode, const std::string& payload, bool final = true,
                         bool masked = true) {
  std::string bytes(1, static_cast<char>((final ? 0x80 : 0) | opcode));
  const char mask = static_cast<char>(masked ? 0x80 : 0);
  if (payload.size() < 126) {
    bytes += static_cast<char>(mask | static_cast<char>(payload.size()));
  } else if (payload.size() < 65536) {
    bytes += static_cast<char>(mask | 126);
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 255);
  } else {
    bytes += static_cast<char>(mask | 127);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes += static_cast<char>((payload.size() >> shift) & 255);
    }
  }
  if (!masked) return bytes + payload;
  const std::string key = "\x01\x02\x03\x04";
  bytes += key;
  for (std::size_t at = 0; at < payload.size(); ++at) {
    bytes += static_cast<char>(payload[at] ^ key[at % 4]);
  }
  return bytes;
}

inline constexpr int kContinuation = 0;
inline constexpr int kText = 1;
inline constexpr int kBinary = 2;
inline constexpr int kClose = 8;
inline constexpr int kPing = 9;
inline constexpr int kPong = 10;

class Socket {
 public:
  explicit Socket(const RunningServer& server, int receive_buffer = 0)
      : wire(server.connect(receive_buffer)) {
    wire.send("GET /api/live HTTP/1.1\r\n" + server.entry() + upgrade_lines() + "\r\n");
    handshake = read_answer(wire, false);
  }

  void send(const std::string& text) { wire.send(frame(kText, text)); }

  Frame read_frame() {
    Frame made;
    const std::string start = wire.take(2);
    if (start.size() < 2) return made;
    std::size_t size = static_cast<unsigned char>(start[1]);
    if (size >= 126) {
      const std::string length = wire.take(size == 126 ? 2 : 8);
      size = 0;
      for (const char byte : length) size = size << 8 | static_cast<unsigned char>(byte);
    }
    made.payload = wire.take(size);
    made.opcode = start[0] & 15;
    made.final = (start[0] & 0x80) != 0;
    return made;
  }

  // The next text; pings are answered. "closed: ..." or "gone" at the end.
  std::string read() {
    std::string text;
    while (true) {
      const Frame next = read_frame();
      if (next.opcode == kPing) {
        wire.send(frame(kPong, next.payload));
      } else if (next.opcode == kClose) {
        return "closed: " + next.payload.substr(std::min<std::size_t>(2, next.payload.size()));
      } else if (next.opcode == kText || next.opcode == kContinuation) {
        text += next.payload;
        if (next.final) return text;
      } else if (next.opcode != kPong) {
        return "gone";
      }
    }
  }

  Wire wire;
  Answer handshake;
};

}  // namespace sightline::server::test
