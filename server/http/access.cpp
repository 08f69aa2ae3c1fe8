#include "server/http/access.h"

#include <algorithm>
#include <optional>

#include "server/http/authority.h"

namespace sightline::server {
namespace {

char lower_case(char one) {
  return one >= 'A' && one <= 'Z' ? static_cast<char>(one - 'A' + 'a') : one;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> values_of(const Fields& fields, std::string_view name) {
  std::vector<std::string_view> values;
  for (const auto& [field, value] : fields) {
    if (equal_ignoring_case(field, name)) values.push_back(trimmed(value));
  }
  return values;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char one) {
    const char lower = lower_case(one);
    return (lower >= 'a' && lower <= 'z') || (one >= '0' && one <= '9') || one == '-' || one == '_';
  });
}

bool cookie_has_token(const AccessRules& rules, std::string_view cookies) {
  bool found = false;
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    const std::string_view cookie = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    const std::size_t equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != rules.cookie_name) continue;
    found = equal_in_constant_time(cookie.substr(equals + 1), rules.token) || found;
  }
  return found;
}

}  // namespace

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower_case(a) == lower_case(b); });
}

bool equal_in_constant_time(std::string_view left, std::string_view right) {
  unsigned different = left.size() == right.size() ? 0 : 1;
  for (std::size_t at = 0; at < left.size(); ++at) {
    const char other = right.empty() ? '\0' : right[at % right.size()];
    different |= static_cast<unsigned char>(left[at] ^ other);
  }
  return different == 0;
}

Result<AccessRules> make_access_rules(const AccessRequest& request) {
  if (!is_token(request.token)) {
    return Error{ErrorKind::InvalidArgument,
                 "a token is made of letters, digits, - and _, and is not empty"};
  }
  AccessRules rules;
  rules.token = request.token;
  rules.cookie_name = "sightline_" + std::to_string(request.port);
  rules.hosts = {"localhost", "127.0.0.1", "::1"};
  rules.any_address = !request.loopback;
  const auto add = [&rules](const std::string& text) {
    const bool bare_address = text.find(':') != text.rfind(':') && !text.starts_with('[');
    const auto authority = parse_authority(bare_address ? "[" + text + "]" : text);
    if (authority) rules.hosts.push_back(authority->host);
    return authority.has_value();
  };
  add(request.bound_address);
  if (!request.loopback && add(request.machine_name)) {
    const std::string& whole = rules.hosts.back();
    rules.hosts.push_back(whole.substr(0, whole.find('.')));
  }
  for (const std::string& host : request.allowed_hosts) {
    if (add(host)) continue;
    return Error{ErrorKind::InvalidArgument,
                 "'" + host + "' is not a host name: give one such as notebook.example.org"};
  }
  return rules;
}

std::string_view allowed_host(const AccessRules& rules, const Fields& fields) {
  const std::vector<std::string_view> hosts = values_of(fields, "Host");
  if (hosts.size() != 1) return {};
  const std::optional<Authority> host = parse_authority(hosts.front());
  if (!host) return {};
  const bool ours =
      (host->is_address && rules.any_address) ||
      std::find(rules.hosts.begin(), rules.hosts.end(), host->host) != rules.hosts.end();
  return ours ? hosts.front() : std::string_view{};
}

bool origin_matches(const Fields& fields, std::string_view host) {
  const std::vector<std::string_view> origins = values_of(fields, "Origin");
  if (origins.empty()) return true;
  if (origins.size() > 1) return false;
  const std::size_t separator = origins.front().find("://");
  if (separator == std::string_view::npos) return false;
  const std::string_view scheme = origins.front().substr(0, separator);
  const bool secure = equal_ignoring_case(scheme, "https");
  if (!secure && !equal_ignoring_case(scheme, "http")) return false;
  const std::optional<Authority> origin = parse_authority(origins.front().substr(separator + 3));
  const std::optional<Authority> ours = parse_authority(host);
  if (!origin || !ours) return false;
  const std::uint16_t usual_port = secure ? 443 : 80;
  return origin->host == ours->host && origin->is_address == ours->is_address &&
         origin->port.value_or(usual_port) == ours->port.value_or(usual_port);
}

bool fetch_site_allowed(const Fields& fields, bool is_page) {
  if (is_page) return true;
  const std::vector<std::string_view> sites = values_of(fields, "Sec-Fetch-Site");
  return std::all_of(sites.begin(), sites.end(),
                     [](std::string_view site) { return site == "same-origin" || site == "none"; });
}

bool has_token(const AccessRules& rules, const std::map<std::string, std::string>& query,
               const Fields& fields) {
  bool found = false;
  if (const auto given = query.find("token"); given != query.end()) {
    found = equal_in_constant_time(given->second, rules.token);
  }
  for (const std::string_view cookies : values_of(fields, "Cookie")) {
    found = cookie_has_token(rules, cookies) || found;
  }
  for (const std::string_view value : values_of(fields, "Authorization")) {
    constexpr std::string_view kScheme = "Bearer ";
    if (!equal_ignoring_case(value.substr(0, kScheme.size()), kScheme)) continue;
    found = equal_in_constant_time(trimmed(value.substr(kScheme.size())), rules.token) || found;
  }
  return found;
}

}  // namespace sightline::server
