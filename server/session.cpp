#include "server/session.h"

#include <utility>

#include "core/store/single_file.h"

namespace sightline::server {
namespace {

using namespace std::chrono_literals;

// Editors save in several moves, and people save all files at once.
constexpr auto kQuiet = 30ms;
constexpr auto kLongestBurst = 250ms;
constexpr auto kLookAgain = 1000ms;  // where the system cannot tell
constexpr auto kBetweenOutputs = 100ms;

}  // namespace

// Brings what the analyst tells to the loop's thread, while the session lives.
class Session::Inbox : public AnalystListener, public std::enable_shared_from_this<Inbox> {
 public:
  Inbox(Session& session, EventLoop& loop) : session_(&session), loop_(loop) {}
  void close() { session_ = nullptr; }

  void progressed(std::uint64_t analysis, worker::ProfilePart part, std::string what) override {
    post(analysis,
         [part, what = std::move(what)](Session& session) { session.progressed(part, what); });
  }
  void printed(std::uint64_t analysis, std::string output) override {
    post(analysis, [output = std::move(output)](Session& session) { session.printed(output); });
  }
  void recorded(std::uint64_t analysis, std::string body, ResultFacts facts) override {
    post([analysis, body = std::move(body), facts = std::move(facts)](Session& session) {
      if (session.is_running(analysis)) return session.recorded(body, facts);
      store::remove_run(session.cache_.place(analysis, ".sightline"));  // nobody will ask for it
    });
  }
  void sampled(std::uint64_t analysis, std::string body) override {
    post(analysis, [body = std::move(body)](Session& session) { session.sampled(body); });
  }
  void finished(std::uint64_t analysis, std::optional<std::string> body) override {
    post(analysis, [body = std::move(body)](Session& session) { session.finished(body); });
  }
  void failed(std::uint64_t analysis, worker::Failure failure) override {
    post(analysis, [failure = std::move(failure)](Session& session) { session.failed(failure); });
  }
  void writes(std::string path) override {
    post([path = std::move(path)](Session& session) { session.files_.add_own_output(path); });
  }
  void interrupted() override {
    post([](Session& session) { session.files_.overlook_own_output(); });
  }

 private:
  template <typename Work>
  void post(Work work) {
    loop_.post([self = shared_from_this(), work = std::move(work)] {
      if (self->session_ != nullptr) work(*self->session_);
    });
  }
  // Only if that analysis is still the one that runs.
  template <typename Work>
  void post(std::uint64_t analysis, Work work) {
    post([analysis, work = std::move(work)](Session& session) {
      if (session.is_running(analysis)) work(session);
    });
  }

  Session* session_;  // of the loop's thread
  EventLoop& loop_;
};

Session::Session(SessionOptions options, EventLoop& loop, Audience& audience)
    : options_(std::move(options)),
      loop_(loop),
      audience_(audience),
      files_(options_.root),
      cache_(options_.scratch),
      edits_(options_.request.analysis.entry, options_.root, options_.request.analysis.batch_size),
      inbox_(std::make_shared<Inbox>(*this, loop)),
      analyst_(std::make_unique<Analyst>(options_.python, *inbox_)) {
  watch();  // before the files are read, so that no change is missed
  files_.scan();
  key_ = files_.key();
  tell_batch_size();
  begin(false);
}

Session::~Session() {
  inbox_->close();
  if (watch_) loop_.stop_watching(watch_->descriptor());
}

void Session::watch() {
  Result<std::unique_ptr<ProjectWatch>> started = ProjectWatch::start(options_.root);
  if (started) {
    watch_ = std::move(started).value();
    loop_.watch_readable(watch_->descriptor(), [this] {
      note(watch_->read());
      poll_where_not_watched();
    });
  }
  poll_where_not_watched();
}

// Folders can become too many for the system at any time.
void Session::poll_where_not_watched() {
  const bool is_watched = watch_ && watch_->complete();
  if (!is_watched && !std::exchange(polling_, true)) poll();
}

void Session::poll() {
  loop_.call_after(kLookAgain, [this] {
    note({{}, true});
    poll();
  });
}

void Session::note(const Changes& changes) {
  for (const std::string& path : changes.paths) {
    if (files_.is_relevant_path(path)) changed_.push_back(path);
  }
  anything_changed_ = anything_changed_ || changes.anything;
  if (changed_.empty() && !anything_changed_) return;
  const auto now = std::chrono::steady_clock::now();
  const std::uint64_t burst = ++changes_;
  if (burst_began_ == std::chrono::steady_clock::time_point{}) burst_began_ = now;
  if (now - burst_began_ >= kLongestBurst) return settle();
  loop_.call_after(kQuiet, [this, burst] {
    if (burst == changes_) settle();
  });
}

void Session::settle() {
  ++changes_;
  burst_began_ = {};
  if (is_running()) files_.overlook_own_output();
  std::vector<std::string> changed = std::exchange(changed_, {});
  if (std::exchange(anything_changed_, false)) {
    changed.clear();
    files_.scan();
  }
  files_.look_at(changed);
  const std::string key = files_.key();
  if (key == key_) return;
  key_ = key;
  audience_.tell_all(make_message(files_message(changed)));
  tell_batch_size();
  if (key_ == analysed_key_ && is_running()) return set_state(state_, text_);
  if (options_.analyse_on_save) return begin(true);
  if (is_running()) return set_state(state_, text_);
  set_state(key_ == shown_key_ ? State::Done : State::Stale);
}

bool Session::is_running() const {
  return state_ == State::Queued || state_ == State::Importing || state_ == State::Measuring ||
         state_ == State::Sampling;
}

void Session::analyse() { begin(false); }

void Session::cancel() {
  if (!is_running()) return;
  analyst_->cancel();
  if (!shown_) return set_state(State::Idle, "cancelled");
  set_state(shown_key_ == key_ ? State::Done : State::Stale, "cancelled");
}

void Session::begin(bool use_cache) {
  ++analysis_;
  analysed_key_ = key_;
  output_ = nullptr;
  unsent_output_.reset();
  set_state(State::Queued);
  if (use_cache && show_cached()) return;
  AnalysisTask task = {analysis_, options_.request};
  task.request.analysis.run = cache_.place(analysis_, ".sightline").string();
  task.request.sampling_run = cache_.place(analysis_, ".sampling").string();
  task.request.analysis.tell_writes = true;
  analyst_->start(std::move(task));
}

// False if more is to be measured.
bool Session::show_cached() {
  const std::optional<CachedResult> result = cache_.find(key_);
  if (!result) return false;
  const std::optional<std::string> body = ResultCache::read(*result);
  if (!body) return false;
  shown_run_ = result->run;
  show(*body, true);
  history_.show_again(analysis_, shown_run_);
  tell(history_message_, history_.message());
  if (!result->complete) return false;
  analyst_->cancel();
  set_state(State::Done);
  return true;
}

void Session::show(const std::string& body, bool cached) {
  shown_ = analysis_;
  shown_key_ = analysed_key_;
  throughput_ = nullptr;
  failure_ = nullptr;
  tell(breakdown_, breakdown_message(analysis_, cached, body));
}

void Session::set_state(State state, std::string text) {
  state_ = state;
  text_ = std::move(text);
  audience_.tell_all(make_message(dump(state_json(this->state()))));
}

void Session::tell(Message& kept, std::string text) {
  kept = make_message(std::move(text));
  audience_.tell_all(kept);
}

void Session::tell_batch_size() {
  const WrittenBatchSize written = edits_.written();
  if (batch_size_ && written == written_batch_size_) return;
  written_batch_size_ = written;
  tell(batch_size_, batch_size_message(written));
}

void Session::progressed(worker::ProfilePart part, std::string what) {
  switch (part) {
    case worker::ProfilePart::Loading:
      return set_state(State::Importing, std::move(what));
    case worker::ProfilePart::Measuring:
      return set_state(State::Measuring, std::move(what));
    case worker::ProfilePart::Sampling:
      return set_state(State::Sampling, std::move(what));
  }
}

void Session::printed(std::string output) {
  unsent_output_ = std::move(output);
  if (std::exchange(output_waits_, true)) return;
  loop_.call_after(kBetweenOutputs, [this] {
    output_waits_ = false;
    if (unsent_output_) tell(output_, output_message(analysis_, *unsent_output_));
    unsent_output_.reset();
  });
}

void Session::recorded(const std::string& body, const ResultFacts& facts) {
  shown_run_ = cache_.place(analysis_, ".sightline");
  cache_.keep(analysed_key_, analysis_, body, false);
  show(body, false);
  history_.add(analysis_, shown_run_, facts);
  tell(history_message_, history_.message());
}

void Session::sampled(const std::string& body) {
  tell(throughput_, throughput_message(analysis_, body));
}

void Session::finished(const std::optional<std::string>& body) {
  files_.overlook_own_output();
  if (body) {
    cache_.keep(analysed_key_, analysis_, *body, true);
    show(*body, false);
  } else {
    cache_.complete(analysed_key_);
  }
  set_state(shown_key_ == key_ ? State::Done : State::Stale);
}

void Session::failed(const worker::Failure& failure) {
  files_.overlook_own_output();
  tell(failure_, failure_message(analysis_, failure));
  set_state(State::Failed);
}

Hello Session::hello() const {
  Hello hello;
  hello.mode = "interactive";
  hello.project = options_.root.filename().string();
  hello.root = options_.root.string();
  hello.entry =
      std::filesystem::path(options_.request.analysis.entry).lexically_relative(options_.root);
  hello.watching = options_.analyse_on_save;
  return hello;
}

StateFacts Session::state() const {
  return {state_, analysis_, text_, shown_, shown_ && shown_key_ == key_};
}

std::vector<Message> Session::everything() const {
  std::vector<Message> all = {make_message(dump(state_json(state())))};
  for (const Message& kept :
       {batch_size_, breakdown_, throughput_, failure_, output_, history_message_}) {
    if (kept) all.push_back(kept);
  }
  return all;
}

}  // namespace sightline::server
