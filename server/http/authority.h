// The `host:port` of a Host header or an Origin. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::server {

struct Authority {
  // Lower case, without a trailing dot and without brackets. An address is in its shortest form,
  // an IPv4 address that is written as IPv6 (::ffff:127.0.0.1) in that of IPv4.
  std::string host;
  bool is_address = false;
  std::optional<std::uint16_t> port;
};

// Nothing if it is not a plain host and port: with a user's name, a zone, an empty host or port, a
// port out of range, or characters other than those of names. What is returned was therefore made
// of letters, digits and `.-_:[]` only. Numbers that some programs read as an address, such as
// 2130706433 or 127.1, are names here.
std::optional<Authority> parse_authority(std::string_view text);

}  // namespace sightline::server
