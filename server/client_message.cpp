#include "server/client_message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "server/messages.h"

namespace sightline::server {

ClientMessage parse_client_message(std::string_view text) {
  using Kind = ClientMessage::Kind;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) return {};
  const auto& type = json["type"].get_ref<const std::string&>();
  if (type == "analyse") return {Kind::Analyse};
  if (type == "cancel") return {Kind::Cancel};
  if (type != "hello") return {Kind::Unknown};
  const auto protocol = json.find("protocol");
  if (protocol == json.end() || !protocol->is_number_integer()) return {};
  return {Kind::Hello, protocol->get<std::int64_t>()};
}

std::string protocol_problem(std::int64_t protocol) {
  if (protocol == kProtocol) return "";
  const char* side = protocol > kProtocol ? "upgrade the server: pip install --upgrade sightline"
                                          : "reload the page, or upgrade the editor's extension";
  return fmt::format("this client speaks protocol {}, the server {}: {}", protocol, kProtocol,
                     side);
}

}  // namespace sightline::server
