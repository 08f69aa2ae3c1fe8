#include "server/page_service.h"

#include <memory>
#include <utility>

#include "server/client_message.h"
#include "server/comparison_answer.h"
#include "server/http/answer.h"
#include "server/http/page_assets.h"
#include "server/query.h"
#include "server/run_sources.h"
#include "server/saved_page/embedded_text.h"
#include "server/training/training_answer.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

Response json_answer(Message body) { return {200, "application/json", std::move(body), {}}; }
Response json_answer(const Json& json) { return json_answer(make_message(dump(json))); }

// 0 without one; nothing if it is no number.
std::optional<std::size_t> run_of(const Request& request, const std::string& name = "run") {
  return number_of(request, name, 0);
}

void tell_failure(Client& client, const Result<void>& result) {
  if (!result) client.send(make_message(error_message("edit", result.error().message)));
}

}  // namespace

Response PageService::answer(const Request& request) {
  if (std::optional<Response> page = page_answer(page_files(), request.path)) {
    if (request.path == "/") hasten(*page);
    return *page;
  }
  if (request.path == "/api/session") {
    Json facts = hello_json(hello());
    facts["state"] = state_json(state());
    return json_answer(facts);
  }
  if (request.path == "/api/files") {
    return json_answer(Json{{"files", files(run_of(request).value_or(0))}});
  }
  if (request.path == "/api/source") return source_answer(request);
  if (request.path == "/api/compare") return compare_answer(request);
  if (request.path == "/api/timeline") return timeline_answer(request);
  if (request.path == "/api/result") {
    const std::optional<std::size_t> run = run_of(request);
    Message found = run ? result(*run) : nullptr;
    if (found) return json_answer(std::move(found));
    return error_answer(404, "not_found", "there is no such result, or not yet");
  }
  if (is_about_training(request)) {
    const std::optional<std::size_t> run = run_of(request);
    return training_answer(run ? shown_file(*run) : std::filesystem::path(), request);
  }
  return error_answer(404, "not_found", "there is nothing at this address");
}

// What the page shows first comes while its script is still being read, and what it would wait for
// the connection to learn is in it.
void PageService::hasten(Response& page) const {
  const std::string first = first_request();
  const std::size_t end = page.body->find("</body>");
  if (first.empty() || end == std::string::npos) return;
  const Json greeting = {{"hello", hello_json(hello())}, {"state", state_json(state())}};
  std::string text = *page.body;
  text.insert(end, json_element("sightline-greeting", dump(greeting)));
  page.body = make_message(std::move(text));
  page.headers.emplace_back("Link", "<" + first + ">; rel=preload; as=fetch; crossorigin");
}

Response PageService::source_answer(const Request& request) {
  const std::optional<std::size_t> run = run_of(request);
  const auto path = request.query.find("path");
  if (run && path != request.query.end()) {
    if (const std::optional<std::string> text = source(path->second, *run)) {
      return json_answer(source_json(path->second, *text));
    }
  }
  return error_answer(404, "not_found", "there is no such file in the project");
}

Response PageService::compare_answer(const Request& request) {
  const auto before = compared_file(request, "before");
  const auto after = compared_file(request, "after");
  if (before && after) return comparison_answer(*before, *after);
  return error_answer(404, "not_found", "there is no such run, or it is kept no longer");
}

std::optional<std::filesystem::path> PageService::compared_file(const Request& request,
                                                                const std::string& side) {
  const std::optional<std::size_t> run = run_of(request, side);
  return run ? run_file(*run) : saved_run_file(text_of(request, side));
}

Response PageService::timeline_answer(const Request& request) {
  const std::optional<std::size_t> run = run_of(request);
  const std::filesystem::path file = run ? shown_file(*run) : std::filesystem::path();
  const auto asked = request.query.find("step");
  const bool any = asked == request.query.end();
  const std::optional<std::uint64_t> step = any ? std::nullopt : number_in(asked->second);
  if (file.empty() || (!any && !step)) {
    return error_answer(404, "not_found", "there is no such run or step, or not yet");
  }
  Result<Message> found = timelines_.find(file, step);
  if (!found) return error_answer(404, "not_found", found.error().message);
  return json_answer(std::move(found).value());
}

void PageService::connected(Client& client) { clients_[client.id()] = {&client, false}; }

void PageService::disconnected(Client& client) { clients_.erase(client.id()); }

void PageService::fell_behind(Client& client) { greet(client); }

void PageService::received(Client& client, std::string_view text) {
  using Kind = ClientMessage::Kind;
  const ClientMessage asked = parse_client_message(text);
  if (asked.kind == Kind::Hello) {
    const std::string problem = protocol_problem(asked.number);
    if (problem.empty()) return greet(client);
    client.send(make_message(error_message("protocol", problem)));
    return client.close("another protocol");
  }
  if (asked.kind == Kind::Analyse) return analyse();
  if (asked.kind == Kind::Cancel) return cancel();
  if (asked.kind == Kind::SetBatchSize) {
    return tell_failure(client, set_batch_size(asked.number, asked.expected));
  }
  if (asked.kind == Kind::UndoBatchSize) return tell_failure(client, undo_batch_size());
  client.send(make_message(error_message(asked.kind == Kind::Unknown ? "unknown" : "not_understood",
                                         asked.kind == Kind::Unknown
                                             ? "this server knows no message of this type"
                                             : "a message is a JSON object with a type")));
}

Result<void> PageService::set_batch_size(std::int64_t, std::optional<std::int64_t>) {
  return Error{ErrorKind::Unsupported, "a saved run is shown: there is no code to change"};
}

Result<void> PageService::undo_batch_size() { return set_batch_size(0, std::nullopt); }

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
