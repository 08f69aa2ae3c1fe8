#include "server/view_service.h"

#include <chrono>
#include <utility>

#include "core/store/run_reader.h"
#include "server/run_sources.h"

namespace sightline::server {
namespace {

// A run is written about once a second.
constexpr std::chrono::milliseconds kBetweenLooks{1000};

Result<ShownRun> read_whole(const std::filesystem::path& file) {
  const Result<model::Run> read = store::read_run(file);
  if (!read) return read.error();
  const model::Run& run = read.value();
  ShownRun shown;
  shown.result = make_message(view_message(run));
  for (const std::string& path : sources_of(run)) {
    shown.sources[path] = source_in(run, path).value_or("");
  }
  return shown;
}

}  // namespace

Result<std::unique_ptr<ViewService>> ViewService::open(std::vector<std::filesystem::path> runs) {
  std::unique_ptr<ViewService> service(new ViewService(std::move(runs)));
  for (std::size_t run = 0; run < service->runs_.size(); ++run) {
    const std::filesystem::path& file = service->runs_[run];
    const Result<model::Run> read = store::read_run(file, {.events = false});
    if (!read) return read.error();
    service->listed_.push_back(listed(file, read.value()));
    service->growth_.emplace_back(file);
    if (!read->measurement) service->history_.add(run, file, facts_of(read.value()));
  }
  service->first_ = std::async(std::launch::async, read_whole, service->runs_.front());
  return service;
}

void ViewService::follow(EventLoop& loop) {
  loop.call_after(kBetweenLooks, [this, &loop] {
    look_for_growth();
    follow(loop);
  });
}

void ViewService::look_for_growth() {
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!growth_[run].has_grown()) continue;
    if (shown_run_ == run) shown_run_.reset();
    tell_all(make_message(training_message(run)));
  }
}

ListedRun listed(const std::filesystem::path& file, const model::Run& run) {
  return {file.filename().string(), run.measurement.has_value()};
}

Hello hello_of_view(std::vector<ListedRun> runs) {
  Hello hello;
  hello.mode = "view";
  const bool is_one = runs.size() == 1;
  hello.project = is_one ? std::filesystem::path(runs.front().name).stem().string() : "runs";
  hello.runs = std::move(runs);
  return hello;
}

StateFacts state_of_view() { return {State::Done, 0, "", 0, true}; }

Hello ViewService::hello() const { return hello_of_view(listed_); }

StateFacts ViewService::state() const { return state_of_view(); }

std::vector<Message> ViewService::everything() const {
  return {make_message(dump(state_json(state()))), make_message(history_.message())};
}

std::vector<std::string> ViewService::files(std::size_t run) {
  std::vector<std::string> names;
  if (const ShownRun* shown = load(run)) {
    for (const auto& [path, text] : shown->sources) names.push_back(path);
  }
  return names;
}

Message ViewService::result(std::size_t run) {
  const ShownRun* shown = load(run);
  return shown ? shown->result : nullptr;
}

std::optional<std::string> ViewService::source(const std::string& path, std::size_t run) {
  const ShownRun* shown = load(run);
  if (!shown) return std::nullopt;
  const auto text = shown->sources.find(path);
  return text == shown->sources.end() ? std::nullopt : std::optional(text->second);
}

std::optional<std::filesystem::path> ViewService::run_file(std::size_t run) {
  if (run < listed_.size() && listed_[run].is_measurement) return runs_[run];
  return history_.file_of(run);
}

std::filesystem::path ViewService::shown_file(std::size_t run) const {
  return run < runs_.size() ? runs_[run] : std::filesystem::path();
}

const ShownRun* ViewService::load(std::size_t run) {
  if (run >= runs_.size()) return nullptr;
  if (shown_run_ != run) {
    Result<ShownRun> read = run == 0 && first_.valid() ? first_.get() : read_whole(runs_[run]);
    if (!read) return nullptr;
    shown_ = std::move(read).value();
    shown_run_ = run;
  }
  return &shown_;
}

}  // namespace sightline::server
