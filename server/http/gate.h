// The gate: everything about a request that is checked before the service hears of it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "server/http/access.h"
#include "server/http/service.h"

namespace sightline::server {

struct Gate {
  AccessRules rules;
  std::string base_path;  // what a proxy puts before all addresses; "" or "/": nothing
};

struct RequestHead {
  std::string_view method;
  std::string_view target;
  Fields fields;
  bool has_body = false;
};

struct Verdict {
  std::string authority;  // the Host, if it is one of ours; otherwise empty
  std::variant<Response, Request> outcome;

  const Request* admitted() const { return std::get_if<Request>(&outcome); }
};

// In this order: 403 for a Host that is not ours; 400 or 414 for a target that is none; 403 for
// another page's Origin or a fetch from another site; 401 without the token; 405 for methods other
// than GET and HEAD; 413 for a body; 404 outside of the base path; 303 to the page without the
// token, with the cookie that takes its place. Otherwise the request.
Verdict judge(const Gate& gate, const RequestHead& head);

}  // namespace sightline::server
