#include "server/http/authority.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace sightline::server {
namespace {

constexpr std::size_t kLongestName = 253;

bool is_letter_or_digit(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9');
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName || text.front() == '.') return false;
  if (text.find("..") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char one) {
    return is_letter_or_digit(one) || one == '.' || one == '-' || one == '_';
  });
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& one : lower) {
    if (one >= 'A' && one <= 'Z') one = static_cast<char>(one - 'A' + 'a');
  }
  return lower;
}

bool parse_port(std::string_view text, std::optional<std::uint16_t>& port) {
  std::uint16_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stopped != end || number == 0) return false;
  port = number;
  return true;
}

// The address in its shortest form; empty if it is none. The system's parser takes text that ends
// in NUL, so what follows one would go unseen.
std::string shortest_form(int family, const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  std::array<char, INET6_ADDRSTRLEN> written{};
  if (text.find('\0') != std::string::npos) return "";
  if (inet_pton(family, text.c_str(), bytes.data()) != 1) return "";
  constexpr std::array<unsigned char, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  const bool mapped =
      family == AF_INET6 && std::equal(kMapped.begin(), kMapped.end(), bytes.begin());
  const char* made =
      mapped ? inet_ntop(AF_INET, bytes.data() + kMapped.size(), written.data(), written.size())
             : inet_ntop(family, bytes.data(), written.data(), written.size());
  return made == nullptr ? "" : made;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority authority;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    authority.host = shortest_form(AF_INET6, std::string(text.substr(1, end - 1)));
    authority.is_address = true;
    port = text.substr(end + 1);
    if (authority.host.empty() || (!port.empty() && port.front() != ':')) return {};
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    std::string_view name = text.substr(0, colon);
    if (!is_name(name)) return {};
    if (name.ends_with('.')) name.remove_suffix(1);
    authority.host = shortest_form(AF_INET, std::string(name));
    authority.is_address = !authority.host.empty();
    if (!authority.is_address) authority.host = lower_case(name);
    port = text.substr(colon);
  }
  if (!port.empty() && !parse_port(port.substr(1), authority.port)) return {};
  return authority;
}

}  // namespace sightline::server
