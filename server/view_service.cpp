#include "server/view_service.h"

#include <utility>

#include "core/store/run_reader.h"
#include "server/run_sources.h"

namespace sightline::server {

ViewService::ViewService(std::vector<std::filesystem::path> runs) : runs_(std::move(runs)) {
  (void)load(0);  // it will be asked for first
}

Hello ViewService::hello() const {
  Hello hello;
  hello.mode = "view";
  hello.project = runs_.size() == 1 ? runs_.front().stem().string() : "runs";
  for (const std::filesystem::path& run : runs_) {
    hello.runs.push_back(run.filename().string());
  }
  return hello;
}

StateFacts ViewService::state() const { return {State::Done, 0, "", 0, true}; }

std::vector<Message> ViewService::everything() const {
  return {make_message(dump(state_json(state())))};
}

std::vector<std::string> ViewService::files(std::size_t run) {
  std::vector<std::string> names;
  if (!load(run)) return names;
  for (const auto& [path, text] : sources_) names.push_back(path);
  return names;
}

Message ViewService::result(std::size_t run) { return load(run) ? result_ : nullptr; }

std::optional<std::string> ViewService::source(const std::string& path, std::size_t run) {
  if (!load(run)) return std::nullopt;
  const auto text = sources_.find(path);
  return text == sources_.end() ? std::nullopt : std::optional(text->second);
}

bool ViewService::load(std::size_t run) {
  if (loaded_ == run) return true;
  if (run >= runs_.size()) return false;
  const Result<model::Run> read = store::read_run(runs_[run]);
  if (!read) return false;
  result_ = make_message(breakdown_message(0, false, breakdown_body(read.value())));
  sources_.clear();
  for (const std::string& path : sources_of(read.value())) {
    sources_[path] = source_in(read.value(), path).value_or("");
  }
  loaded_ = run;
  return true;
}

}  // namespace sightline::server
