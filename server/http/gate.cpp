#include "server/http/gate.h"

#include "server/http/answer.h"
#include "server/http/target.h"

namespace sightline::server {
namespace {

Response unknown_token() {
  Response response = error_answer(
      401, "token", "open the address that sightline printed: it ends in ?token= and a token");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Response unknown_method() {
  Response response = error_answer(405, "method", "only GET and HEAD are answered");
  response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

Response exchange_for_cookie(const AccessRules& rules, const std::string& location) {
  Response response;
  response.status = 303;
  response.content_type = "text/plain; charset=utf-8";
  response.headers.emplace_back("Location", location);
  response.headers.emplace_back(
      "Set-Cookie", rules.cookie_name + "=" + rules.token + "; Path=/; HttpOnly; SameSite=Strict");
  return response;
}

}  // namespace

Verdict judge(const Gate& gate, const RequestHead& head) {
  Verdict verdict;
  verdict.authority = allowed_host(gate.rules, head.fields);
  const auto refuse = [&verdict](Response response) {
    verdict.outcome = std::move(response);
    return std::move(verdict);
  };
  if (verdict.authority.empty()) {
    return refuse(error_answer(403, "host",
                               "this server does not go by the name in the Host header; if it is "
                               "yours, start it with --allow-host NAME"));
  }
  if (head.target.size() > kLongestTarget) {
    return refuse(error_answer(414, "target", "the address is too long"));
  }
  Result<Target> target = parse_target(head.target);
  if (!target) return refuse(error_answer(400, "target", target.error().message));
  const std::string path = below_base(gate.base_path, target->path);
  if (!origin_matches(head.fields, verdict.authority) ||
      !fetch_site_allowed(head.fields, path == "/")) {
    return refuse(error_answer(403, "origin", "the request comes from a page of another server"));
  }
  if (!has_token(gate.rules, target->query, head.fields)) return refuse(unknown_token());
  if (head.method != "GET" && head.method != "HEAD") return refuse(unknown_method());
  if (head.has_body) return refuse(error_answer(413, "body", "a request may not have a body"));
  if (path.empty()) return refuse(error_answer(404, "not_found", "there is nothing here"));
  const auto token = target->query.find("token");
  // Relative addresses in the page need the slash at the end of the base path.
  const bool lacks_slash = path == "/" && !target->path.ends_with('/');
  const std::string location = lacks_slash ? target->path + "/" : "./";
  if (path == "/" && token != target->query.end() &&
      equal_in_constant_time(token->second, gate.rules.token)) {
    return refuse(exchange_for_cookie(gate.rules, location));
  }
  if (lacks_slash) {
    Response response;
    response.status = 308;
    response.headers.emplace_back("Location", location);
    return refuse(std::move(response));
  }
  verdict.outcome = Request{std::string(head.method), path, std::move(target->query),
                            std::string(verdict.authority)};
  return verdict;
}

}  // namespace sightline::server
