#include "server/client_message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "server/messages.h"

namespace sightline::server {
namespace {

using Asked = ClientMessage::Kind;

ClientMessage with_number(Asked kind, const nlohmann::json& json, const char* key) {
  const auto number = json.find(key);
  if (number == json.end() || !number->is_number_integer()) return {};
  return {kind, number->get<std::int64_t>()};
}

ClientMessage to_set_batch_size(const nlohmann::json& json) {
  ClientMessage asked = with_number(Asked::SetBatchSize, json, "batch_size");
  if (!json.contains("expected")) return asked;
  const ClientMessage expected = with_number(asked.kind, json, "expected");
  if (expected.kind == Asked::NotUnderstood) return {};
  asked.expected = expected.number;
  return asked;
}

}  // namespace

ClientMessage parse_client_message(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) return {};
  const auto& type = json["type"].get_ref<const std::string&>();
  if (type == "analyse") return {Asked::Analyse};
  if (type == "cancel") return {Asked::Cancel};
  if (type == "undo_batch_size") return {Asked::UndoBatchSize};
  if (type == "hello") return with_number(Asked::Hello, json, "protocol");
  if (type == "set_batch_size") return to_set_batch_size(json);
  return {Asked::Unknown};
}

std::string protocol_problem(std::int64_t protocol) {
  if (protocol == kProtocol) return "";
  const char* side = protocol > kProtocol ? "upgrade the server: pip install --upgrade sightline"
                                          : "reload the page, or upgrade the editor's extension";
  return fmt::format("this client speaks protocol {}, the server {}: {}", protocol, kProtocol,
                     side);
}

}  // namespace sightline::server
