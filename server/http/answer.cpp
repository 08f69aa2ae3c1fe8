#include "server/http/answer.h"

#include <nlohmann/json.hpp>

namespace sightline::server {

std::vector<std::pair<std::string, std::string>> protective_headers(std::string_view authority) {
  std::string connect = "connect-src 'self'";
  // Some browsers do not count a WebSocket to the page's own server as 'self'.
  if (!authority.empty()) {
    connect += " ws://" + std::string(authority) + " wss://" + std::string(authority);
  }
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "font-src 'self'; " +
               connect + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

Response error_answer(unsigned status, std::string_view code, std::string_view text) {
  const nlohmann::ordered_json body = {{"error", {{"code", code}, {"text", text}}}};
  Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::make_shared<const std::string>(
      body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return response;
}

}  // namespace sightline::server
