// Who is let in: token, Host, Origin. Pure functions over what a request says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace sightline::server {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;  // as sent, in order

struct AccessRules {
  std::string token;
  std::string cookie_name;         // sightline_PORT
  std::vector<std::string> hosts;  // as in Authority::host
  bool any_address = false;        // every IP address is a Host of ours
};

// Against DNS rebinding, where a page of another name reaches us under that name: Host must be one
// of ours. On the loopback these are localhost, 127.0.0.1 and ::1, the address that was bound, and
// those of `allowed_hosts`. Elsewhere this machine's name as well, and any address: a page reached
// by an address cannot have been rebound. The port of a Host is free, since tunnels change it.
// Fails with InvalidArgument if an allowed host is not a host name, or if the token is empty or has
// characters that a cookie cannot hold.
struct AccessRequest {
  std::string token;
  std::uint16_t port = 0;
  std::string bound_address;
  bool loopback = true;
  std::string machine_name;
  std::vector<std::string> allowed_hosts;
};
Result<AccessRules> make_access_rules(const AccessRequest& request);

// The one Host of a request if it is one of ours; otherwise empty: absent, twice, malformed, not
// ours.
std::string_view allowed_host(const AccessRules& rules, const Fields& fields);

// Whether no Origin was sent, as programs other than browsers do, or one that is the Host: http or
// https, the same name and port. `null`, which sandboxed pages send, is never.
bool origin_matches(const Fields& fields, std::string_view host);

// Whether a browser that says where a request comes from (Sec-Fetch-Site) says that it comes from
// the page itself (same-origin) or from the user (none). `same-site` is refused like `cross-site`:
// all ports of localhost are one site, share cookies, and belong to different programs. For the
// page itself (`is_page`) all is allowed: links lead to it from anywhere, and it cannot be read.
bool fetch_site_allowed(const Fields& fields, bool is_page);

// Whether the token is in the query, the cookie or an Authorization header.
bool has_token(const AccessRules& rules, const std::map<std::string, std::string>& query,
               const Fields& fields);

// Takes as long for texts that differ early as for those that differ late.
bool equal_in_constant_time(std::string_view left, std::string_view right);

// Header names and the like, in ASCII.
bool equal_ignoring_case(std::string_view left, std::string_view right);

}  // namespace sightline::server
