#include "server/page_service.h"

#include <charconv>
#include <memory>
#include <utility>

#include "core/base/text_hash.h"
#include "core/profile/report/safe_text.h"
#include "server/client_message.h"
#include "server/http/answer.h"
#include "server/http/page_assets.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

Response json_answer(Message body) { return {200, "application/json", std::move(body), {}}; }
Response json_answer(const Json& json) { return json_answer(make_message(dump(json))); }

// 0 without one; nothing if it is no number.
std::optional<std::size_t> run_of(const Request& request) {
  const auto asked = request.query.find("run");
  if (asked == request.query.end()) return 0;
  const std::string& text = asked->second;
  std::size_t run = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), run);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return run;
}

}  // namespace

Response PageService::answer(const Request& request) {
  if (std::optional<Response> page = page_answer(page_files(), request.path)) return *page;
  if (request.path == "/api/session") {
    Json facts = hello_json(hello());
    facts["state"] = state_json(state());
    return json_answer(facts);
  }
  if (request.path == "/api/files") {
    return json_answer(Json{{"files", files(run_of(request).value_or(0))}});
  }
  if (request.path == "/api/source") return source_answer(request);
  if (request.path == "/api/result") {
    const std::optional<std::size_t> run = run_of(request);
    Message found = run ? result(*run) : nullptr;
    if (found) return json_answer(std::move(found));
    return error_answer(404, "not_found", "there is no such result, or not yet");
  }
  return error_answer(404, "not_found", "there is nothing at this address");
}

Response PageService::source_answer(const Request& request) {
  const std::optional<std::size_t> run = run_of(request);
  const auto path = request.query.find("path");
  if (run && path != request.query.end()) {
    if (const std::optional<std::string> text = source(path->second, *run)) {
      return json_answer(Json{{"path", path->second},
                              {"text", profile::valid_utf8(*text)},
                              {"hash", text_hash(*text)}});
    }
  }
  return error_answer(404, "not_found", "there is no such file in the project");
}

void PageService::connected(Client& client) { clients_[client.id()] = {&client, false}; }

void PageService::disconnected(Client& client) { clients_.erase(client.id()); }

void PageService::fell_behind(Client& client) { greet(client); }

void PageService::received(Client& client, std::string_view text) {
  using Kind = ClientMessage::Kind;
  const ClientMessage asked = parse_client_message(text);
  if (asked.kind == Kind::Hello) {
    const std::string problem = protocol_problem(asked.protocol);
    if (problem.empty()) return greet(client);
    client.send(make_message(error_message("protocol", problem)));
    return client.close("another protocol");
  }
  if (asked.kind == Kind::Analyse) return analyse();
  if (asked.kind == Kind::Cancel) return cancel();
  client.send(make_message(error_message(asked.kind == Kind::Unknown ? "unknown" : "not_understood",
                                         asked.kind == Kind::Unknown
                                             ? "this server knows no message of this type"
                                             : "a message is a JSON object with a type")));
}

void PageService::greet(Client& client) {
  clients_[client.id()] = {&client, true};
  client.send(make_message(dump(hello_json(hello()))));
  for (Message& known : everything()) client.send(std::move(known));
}

void PageService::tell_all(const Message& news) {
  for (const auto& [id, greeted] : clients_) {
    if (greeted.done) greeted.client->send(news);
  }
}

}  // namespace sightline::server
